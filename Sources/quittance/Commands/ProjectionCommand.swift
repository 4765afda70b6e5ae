internal import EventLog
internal import JSON
internal import Projection

/// `projection run`, `projection status`.
enum ProjectionCommand {
    static let all = [run, status]

    private static let run = CommandDescription(
        words: ["projection", "run"], summary: "bring the views up to the log",
        synopsis: "[--follow] [--rebuild] [--database CONNINFO] [--schema NAME]",
        options: Database.options + [
            Option(name: "follow", summary: "stay, and take over new events as they come"),
            Option(name: "rebuild", summary: "empty the views first and make them anew"),
        ],
        discussion: """
            Rows and checkpoint are committed together, so a run may be interrupted at any point. An
            event that cannot be taken over is set aside and tried again later; exit 4 if any is.
            """
    ) { arguments in
        let projector = try await projector(arguments)
        if arguments.has("rebuild") { try await projector.reset() }
        if arguments.has("follow") { try await projector.follow() }
        let count = try await projector.catchUp()
        let status = try await projector.status()
        Terminal.print("took over \(count) events; the views are at position \(status.position)")
        return report(status.failures)
    }

    private static let status = CommandDescription(
        words: ["projection", "status"], summary: "tell how far the views are",
        synopsis: "[--json] [--database CONNINFO] [--schema NAME]",
        options: Database.options + [Option(name: "json", summary: "one JSON object")]
    ) { arguments in
        let status = try await projector(arguments).status()
        if arguments.has("json") {
            Terminal.print(json(status))
        } else {
            let behind = status.logPosition - status.position
            Terminal.print(
                "views at position \(status.position), log at \(status.logPosition): "
                    + (behind == 0 ? "up to date" : "\(behind) events behind"))
        }
        return report(status.failures)
    }

    private static func projector(_ arguments: Arguments) async throws -> ViewProjector {
        let database = try Database(arguments)
        return ViewProjector(
            log: try await database.openLog(), options: database.asWriter, now: currentMilliseconds)
    }

    private static func report(_ failures: [ProjectionFailure]) -> ExitCode {
        for failure in failures {
            Terminal.say(
                "position \(failure.position) is set aside after \(failure.attempts) tries: "
                    + failure.error)
        }
        return failures.isEmpty ? .ok : .discrepancies
    }

    private static func json(_ status: ProjectionStatus) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("position", status.position)
            writer.member("logPosition", status.logPosition)
            writer.name("setAside")
            writer.array(status.failures) { writer, failure in
                writer.object { writer in
                    writer.member("position", failure.position)
                    writer.member("error", failure.error)
                    writer.member("attempts", failure.attempts)
                }
            }
        }
        return writer.bytes
    }
}
