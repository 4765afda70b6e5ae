internal import AppStore
internal import AppStoreModel
internal import Cryptography
internal import EventLog
internal import FoundationEssentials
internal import Intake
internal import JSON
internal import Projection
internal import Settlement

/// `ingest`: files into the log.
enum IngestCommand {
    static let description = CommandDescription(
        words: ["ingest"], summary: "bring files into the log", synopsis: "[OPTION…] FILE…|-",
        options: Database.options + [TrustOptions.trust] + [
            Option(
                name: "received-at", value: "INSTANT",
                summary: "when what carries no recordedtime was received (RFC 3339)"),
            Option(name: "json", summary: "print the counts as one JSON object"),
        ],
        discussion: """
            Reads CloudEvents (one, a JSON array, or NDJSON), App Store Server Notifications V2
            ({"signedPayload": …}) and bare JWS; the kind is detected. What is already in the log
            is a duplicate and changes nothing, so an interrupted import is simply run again. Exit
            4 if anything was refused or conflicted; each such line is named with its reason.
            """,
        operands: 1...Int.max, run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let receivedAt = try instant(arguments.value("received-at")) ?? currentMilliseconds()
        let anchors = try TrustOptions.anchors(arguments)
        let log = try await Database(arguments).openLog()
        let bar = ImportBar()
        let importer = try await Importer(
            log: log, settings: { try await SettingsReader.current(of: log) },
            makeDoor: { settings in
                Door(settings: settings, anchors: anchors, receivedAt: receivedAt)
            },
            options: try judgement(arguments),
            report: { problem in
                bar.clear()
                Terminal.say(text(of: problem))
            },
            progress: { bar.show($0) })
        var counts = ImportCounts()
        for path in arguments.operands {
            do {
                counts = try await importer.bringIn(path: path)
                bar.end(path)
            } catch let error as InputError {
                bar.clear()
                throw CommandFailure(message: "\(path): \(error.reason)")
            }
        }
        printCounts(counts, asJSON: arguments.has("json"))
        return counts.hasProblems ? .discrepancies : .ok
    }

    /// What decides beside the log's settings how a line is judged: the roots as their files say
    /// them, and the instant that was given; the present one is none.
    private static func judgement(_ arguments: Arguments) throws -> [UInt8] {
        let listed = (environmentVariable("QUITTANCE_TRUST") ?? "").split(separator: ":")
        let paths = arguments.all("trust") + listed.map(String.init)
        let files = paths.flatMap { path -> [String] in
            let names = try? FileManager.default.contentsOfDirectory(atPath: path)
            return [path] + (names ?? []).sorted().map { "\(path)/\($0)" }
        }
        var parts = [Array((try arguments.value("received-at") ?? "").utf8)]
        for file in files {
            let content = try? InputReader.contents(
                of: file, bytesMax: TrustAnchors.fileBytesMax)
            parts += [Array(file.utf8), content ?? []]
        }
        return parts.flatMap { SHA256.hash($0) }
    }

    private static func printCounts(_ counts: ImportCounts, asJSON: Bool) {
        let all = [
            ("appended", counts.appended), ("duplicate", counts.duplicates),
            ("conflicted", counts.conflicts), ("refused", counts.refused),
            ("partsRefused", counts.refusedParts),
        ]
        guard asJSON else {
            return Terminal.print(all.map { "\($0) \($1)" }.joined(separator: "  "))
        }
        var writer = JSONWriter()
        writer.object { writer in for (name, count) in all { writer.member(name, count) } }
        Terminal.print(writer.bytes)
    }

    private static func instant(_ text: String?) throws -> Int64? {
        guard let text else { return nil }
        guard let instant = RFC3339.milliseconds(text), EventLimits.instants.contains(instant)
        else {
            throw UsageError(
                "--received-at is not an RFC 3339 instant such as 2026-03-14T12:00:00Z")
        }
        return instant
    }

    private static func text(of problem: ImportProblem) -> String {
        let place = "\(problem.place.file):\(problem.place.line)"
        switch problem.kind {
        case .refused(let reason, let detail):
            return "\(place): refused: \(reason): \(detail)"
        case .conflict(let first, let kept):
            return "\(place): conflict: the log holds this id with other content at position "
                + "\(first); this one is kept at position \(kept)"
        case .partRefused(let path, let reason, let position):
            return "\(place): appended at position \(position), but \(path) was refused: "
                + reason.rawValue
        }
    }
}
