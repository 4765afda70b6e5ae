internal import AppStore
internal import AppStoreModel
internal import Cryptography
internal import EventLog
internal import JSON

/// `log show`: one event, with what was signed.
enum LogShow {
    static let description = CommandDescription(
        words: ["log", "show"], summary: "print one event wholly, with its evidence decoded",
        synopsis: "POSITION [--json]",
        options: Database.options + [TrustOptions.trust, LogCommand.json],
        discussion: """
            The body is shown as it came, personal values included unless they were erased. Each
            piece of evidence is judged anew, for the instant at which it was signed.
            """,
        operands: 1...1, run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let position = try LogCommand.position(of: arguments)
        let log = try await Database(arguments).openLog()
        guard let event = try await log.read(positions: [position]).first else {
            Terminal.say("the log holds no position \(position)")
            return .notFound
        }
        let reader = EvidenceReader(
            anchors: try TrustOptions.anchors(arguments), expectations: Expectations(),
            at: .signed, now: currentMilliseconds)
        let stored = try await log.evidence(event.evidence)
        let evidence = event.evidence.map { digest in
            (digest: digest, report: stored[digest].map { inspect($0, reader: reader) })
        }
        if arguments.has("json") {
            Terminal.print(try json(event, evidence))
        } else {
            for line in try lines(event, evidence) { Terminal.print(line) }
        }
        return .ok
    }

    private static func json(
        _ event: RecordedEvent, _ evidence: [(digest: [UInt8], report: InspectionReport?)]
    ) throws -> [UInt8] {
        let body = try event.readableBody()
        let parts = try event.readableParts()
        var writer = JSONWriter()
        writer.object { writer in
            EventText.members(of: event, to: &writer)
            writer.member("isErased", event.isErased)
            writer.name("body")
            EventText.write(body, to: &writer)
            writer.name("parts")
            EventText.write(parts, to: &writer)
            writer.name("decodedEvidence")
            writer.array(evidence) { writer, piece in
                writer.object { writer in
                    writer.member("digest", Hexadecimal.encode(piece.digest))
                    writer.name("content")
                    if let report = piece.report { writer.raw(report.json) } else { writer.null() }
                }
            }
        }
        return writer.bytes
    }

    private static func lines(
        _ event: RecordedEvent, _ evidence: [(digest: [UInt8], report: InspectionReport?)]
    ) throws -> [String] {
        var lines = [
            EventText.line(event), "received  \(RFC3339.text(event.receivedAt))",
            "leaf      \(Hexadecimal.encode(event.leaf))",
        ]
        if let subject = event.subject { lines.append("subject   \(subject)") }
        if let time = event.time { lines.append("time      \(RFC3339.text(time))") }
        if let actor = event.actor { lines.append("actor     \(actor)") }
        for (name, key) in EventText.keys(of: event) {
            lines.append("\(name)  \(String(decoding: key, as: UTF8.self))")
        }
        if event.isErased { lines.append("its personal values were erased") }
        lines += ["", String(decoding: try event.readableBody(), as: UTF8.self)]
        for piece in evidence {
            lines += ["", "evidence \(Hexadecimal.encode(piece.digest))"]
            lines.append(piece.report?.text ?? "its bytes were erased")
        }
        return lines
    }
}
