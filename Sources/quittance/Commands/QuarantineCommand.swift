internal import AppStore
internal import Cryptography
internal import EventLog
internal import Intake
internal import Projection

/// `quarantine list`, `show`, `release`, `drop`.
enum QuarantineCommand {
    static let all = [list, show, release, drop]

    private static let json = Option(name: "json", summary: "one JSON object a line")
    private static let pageMax = 1_000

    private static let list = CommandDescription(
        words: ["quarantine", "list"], summary: "what was refused and is kept, oldest first",
        synopsis: "[--door NAME] [--counts] [--json]",
        options: Database.options + [
            Option(name: "door", value: "NAME", summary: "only what this door refused"),
            Option(
                name: "counts",
                summary: "how much each door refused, also of what was not kept"), json,
        ]
    ) { arguments in
        let quarantine = try await quarantine(arguments)
        let door = try arguments.value("door")
        let isJSON = arguments.has("json")
        if arguments.has("counts") {
            for count in try await quarantine.counts() where door == nil || door == count.door {
                Terminal.print(isJSON ? count.json : Array(count.line.utf8))
            }
            return .ok
        }
        var last: QuarantinedItem?
        while true {
            let items = try await quarantine.items(after: last, limit: pageMax)
            guard let end = items.last else { return .ok }
            for item in items where door == nil || door == item.door {
                Terminal.print(isJSON ? item.json : Array(item.line.utf8))
            }
            last = end
        }
    }

    private static let show = CommandDescription(
        words: ["quarantine", "show"],
        summary: "one piece: why it was refused, and how it is judged now",
        synopsis: "DIGEST [--raw|--json]",
        options: Database.options + [
            TrustOptions.trust, json, Option(name: "raw", summary: "the bytes as they came"),
        ], operands: 1...1
    ) { arguments in
        let quarantine = try await quarantine(arguments)
        let digest = try digest(arguments.operands[0])
        guard let item = try await quarantine.item(digest),
            let bytes = try await quarantine.bytes(digest)
        else { return missing(arguments.operands[0]) }
        if arguments.has("raw") {
            Terminal.printRaw(bytes)
        } else if arguments.has("json") {
            Terminal.print(item.json)
        } else {
            let door = try await door(arguments, receivedAt: item.receivedAt, log: quarantine)
            for line in item.lines { Terminal.print(line) }
            switch door.read(bytes) {
            case .event(let event, _):
                Terminal.print("now       would be taken as \(event.type); release lets it in")
            case .refused(let refusal):
                Terminal.print("now       refused: \(refusal.reason): \(refusal.detail ?? "")")
            }
        }
        return .ok
    }

    private static let release = CommandDescription(
        words: ["quarantine", "release"],
        summary: "let pieces in through the door, as settings and roots are now",
        synopsis: "DIGEST…|--all --reason TEXT [--by NAME]",
        options: Database.options + [
            TrustOptions.trust,
            Option(name: "all", summary: "every piece that the door takes now"),
        ] + ActOptions.all,
        discussion: """
            What the door refuses again stays in the quarantine (exit 4). What the log has already
            leaves it and changes nothing. Each piece that goes is told to the log as admin.acted.
            """,
        operands: 0...Int.max, run: runRelease)

    private static let drop = CommandDescription(
        words: ["quarantine", "drop"], summary: "delete pieces; the log keeps who did it and why",
        synopsis: "DIGEST… --reason TEXT [--by NAME]",
        options: Database.options + ActOptions.all, operands: 1...Int.max
    ) { arguments in
        var act = try ActOptions.act("quarantine.drop", arguments)
        let digests = try arguments.operands.map(digest)
        let quarantine = try await quarantine(arguments)
        var code = ExitCode.ok
        for (digest, name) in zip(digests, arguments.operands) {
            act.digest = digest
            if try await quarantine.drop(digest, act) {
                Terminal.print("dropped \(name)")
            } else {
                code = missing(name)
            }
        }
        return code
    }

    // MARK: Release

    private static func runRelease(_ arguments: Arguments) async throws -> ExitCode {
        guard arguments.has("all") == arguments.operands.isEmpty else {
            throw UsageError("quarantine release needs DIGEST…, or --all")
        }
        var act = try ActOptions.act("quarantine.release", arguments)
        let digests = try arguments.operands.map(digest)
        let quarantine = try await quarantine(arguments)
        var code = ExitCode.ok
        for (digest, name) in zip(digests, arguments.operands) {
            guard let item = try await quarantine.item(digest) else {
                code = missing(name)
                continue
            }
            act.digest = item.digest
            if try await !release(item, quarantine, act, arguments) { code = .discrepancies }
        }
        guard arguments.has("all") else { return code }
        var last: QuarantinedItem?
        while true {
            let items = try await quarantine.items(after: last, limit: pageMax)
            guard let end = items.last else { return code }
            for item in items {
                act.digest = item.digest
                if try await !release(item, quarantine, act, arguments) { code = .discrepancies }
            }
            last = end
        }
    }

    /// - Returns: whether the piece left the quarantine.
    private static func release(
        _ item: QuarantinedItem, _ quarantine: Quarantine, _ act: AdminAct, _ arguments: Arguments
    ) async throws -> Bool {
        let name = item.name
        // Settings may have changed with the piece before.
        let door = try await door(arguments, receivedAt: item.receivedAt, log: quarantine)
        guard let bytes = try await quarantine.bytes(item.digest) else { return false }
        switch door.read(bytes) {
        case .refused(let refusal):
            Terminal.say("\(name) stays: \(refusal.reason): \(refusal.detail ?? "")")
            return false
        case .event(let event, let refusals):
            guard
                let outcome = try await quarantine.release(item.digest, as: [event], act)?.first
            else {
                _ = missing(name)
                return false
            }
            switch outcome {
            case .appended(let position):
                Terminal.print("released \(name) as position \(position)")
            case .duplicate(let position):
                Terminal.print("released \(name): the log has it at position \(position)")
            case .conflict(let first, let kept):
                Terminal.print(
                    "released \(name): the log holds this id with other content at position "
                        + "\(first); this one is kept at position \(kept)")
            }
            for refusal in refusals {
                Terminal.say("\(name): \(refusal.path) was refused: \(refusal.reason.rawValue)")
            }
            return true
        }
    }

    // MARK: Parts

    private static func quarantine(_ arguments: Arguments) async throws -> Quarantine {
        Quarantine(of: try await Database(arguments).openLog())
    }

    private static func door(
        _ arguments: Arguments, receivedAt: Int64, log quarantine: Quarantine
    ) async throws -> Door {
        Door(
            settings: try await SettingsReader.current(of: quarantine.log),
            anchors: try TrustOptions.anchors(arguments), receivedAt: receivedAt,
            actor: ActOptions.systemUser())
    }

    private static func digest(_ text: String) throws -> [UInt8] {
        guard let digest = Hexadecimal.decode(text), digest.count == 32 else {
            throw UsageError("a digest is 64 hexadecimal digits, as quarantine list shows them")
        }
        return digest
    }

    private static func missing(_ name: String) -> ExitCode {
        Terminal.say("\(name) is not in the quarantine")
        return .notFound
    }
}
