internal import EventLog
internal import Intake
internal import JSON
internal import Projection

/// `evidence reverify`.
enum EvidenceCommand {
    static let reverify = CommandDescription(
        words: ["evidence", "reverify"],
        summary: "judge refused evidence anew after a setting or a root was mended",
        synopsis: "[OPTION…]",
        options: Database.options + [
            TrustOptions.trust,
            Option(name: "json", summary: "print the counts as one JSON object"),
        ],
        discussion: """
            Looks through the whole log for evidence of which some part was refused, and judges it
            with the settings and roots that hold now. What comes out otherwise is appended as
            evidence.reverified; the first judgement stays, and answers use the latest. What a door
            did not let in at all waits in the quarantine: see quittance quarantine release.
            """
    ) { arguments in
        let anchors = try TrustOptions.anchors(arguments)
        let log = try await Database(arguments).openLog()
        let door = Door(
            settings: try await SettingsReader.current(of: log), anchors: anchors,
            receivedAt: currentMilliseconds(), actor: ActOptions.systemUser())
        let counts = try await Reverifier(log: log, door: door) { change in
            Terminal.say(
                "position \(change.position)\(change.path.isEmpty ? "" : ", ")\(change.path): "
                    + "\(change.before) before, \(change.now) now")
        }.run()
        print(counts, asJSON: arguments.has("json"))
        return .ok
    }

    private static func print(_ counts: ReverificationCounts, asJSON: Bool) {
        let all = [
            ("judged", counts.judged), ("changed", counts.changed), ("verified", counts.verified),
            ("erased", counts.erased),
        ]
        guard asJSON else {
            return Terminal.print(all.map { "\($0) \($1)" }.joined(separator: "  "))
        }
        var writer = JSONWriter()
        writer.object { writer in for (name, count) in all { writer.member(name, count) } }
        Terminal.print(writer.bytes)
    }
}
