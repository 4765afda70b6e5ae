internal import AppStoreModel
internal import Cryptography
internal import EventLog
internal import JSON
internal import PostgreSQL

/// `log …`: what the event log holds, and that it holds what it held.
enum LogCommand {
    static let all = [
        LogTail.description, LogShow.description, stats, checkpoint, LogVerify.description, proof,
        newEpoch, partition,
    ]

    // MARK: stats

    private static let stats = CommandDescription(
        words: ["log", "stats"], summary: "how many events, of which types, and how many bytes",
        synopsis: "[--json]", options: Database.options + [json]
    ) { arguments in
        let log = try await Database(arguments).openLog()
        let stats = try await log.statistics()
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("logId", stats.head.logId)
            writer.member("epoch", stats.head.epoch)
            writer.member("size", stats.head.size)
            writer.member("root", Hexadecimal.encode(stats.head.root))
            if stats.head.size > 0 {
                writer.member("lastRecordedAt", RFC3339.text(stats.head.recordedAt))
            }
            writer.member("bytes", stats.bytes)
            writer.member("evidenceBytes", stats.evidenceBytes)
            writer.member("treeBytes", stats.treeBytes)
            writer.name("types")
            writer.object { writer in
                for entry in stats.types { writer.member(entry.type, entry.count) }
            }
        }
        Terminal.print(arguments.has("json") ? writer.bytes : Array(lines(stats).utf8))
        return .ok
    }

    private static func lines(_ stats: LogStatistics) -> String {
        let head = stats.head
        let last = head.size > 0 ? RFC3339.text(head.recordedAt) : "–"
        let perEvent = head.size > 0 ? "  (\(stats.bytes / head.size) an event)" : ""
        let lines = [
            "log        \(head.logId)  epoch \(head.epoch)",
            "events     \(head.size)  last recorded \(last)",
            "root       \(Hexadecimal.encode(head.root))",
            "bytes      \(stats.bytes) in rows and indexes\(perEvent)",
            "evidence   \(stats.evidenceBytes) bytes", "tree       \(stats.treeBytes) bytes",
        ]
        return (lines + stats.types.map { "\($0.count)  \($0.type)" }).joined(separator: "\n")
    }

    // MARK: checkpoint

    private static let checkpoint = CommandDescription(
        words: ["log", "checkpoint"], summary: "print what the log commits itself to now",
        synopsis: "[OPTION…]", options: Database.options,
        discussion: """
            The text of a C2SP tlog-checkpoint, unsigned: origin, size, root in base64, epoch.
            Whoever keeps it can later tell whether the log still holds what it held
            (quittance log verify --checkpoint FILE).
            """
    ) { arguments in
        let log = try await Database(arguments).openLog()
        let text = Checkpoint(try await log.head()).text
        Terminal.print(Array(text.utf8.dropLast()))
        return .ok
    }

    // MARK: proof

    private static let proof = CommandDescription(
        words: ["log", "proof"], summary: "prove that an event, or an older tree, is in the log",
        synopsis: "POSITION [--size SIZE] | --from SIZE [--size SIZE]",
        options: Database.options + [
            Option(
                name: "from", value: "SIZE", summary: "prove that the tree of that size is in it"),
            Option(
                name: "size", value: "SIZE", summary: "in the tree of that size (else the whole)"),
        ],
        discussion: """
            Prints one JSON object: the hashes of RFC 6962, section 2.1.1 for a position or 2.1.2
            for --from, from the bottom up, with the root to which they lead (schema/tree.md).
            """,
        operands: 0...1
    ) { arguments in
        let size = try number("size", of: arguments)
        let log = try await Database(arguments).openLog()
        var writer = JSONWriter()
        if let from = try number("from", of: arguments) {
            guard arguments.operands.isEmpty else {
                throw UsageError("POSITION or --from, not both")
            }
            let proof = try await log.consistencyProof(from: from, to: size)
            let roots = try await (log.root(size: from), log.root(size: proof.size))
            writer.object { writer in
                writer.member("from", proof.from)
                writer.member("fromRoot", Hexadecimal.encode(roots.0))
                writer.member("size", proof.size)
                writer.member("root", Hexadecimal.encode(roots.1))
                write(proof.path, to: &writer)
            }
        } else {
            let position = try position(of: arguments)
            let proof = try await log.inclusionProof(of: position, size: size)
            let root = try await log.root(size: proof.size)
            writer.object { writer in
                writer.member("position", proof.position)
                writer.member("leaf", Hexadecimal.encode(proof.leaf))
                writer.member("size", proof.size)
                writer.member("root", Hexadecimal.encode(root))
                write(proof.path, to: &writer)
            }
        }
        Terminal.print(writer.bytes)
        return .ok
    }

    private static func write(_ path: [[UInt8]], to writer: inout JSONWriter) {
        writer.name("path")
        writer.array(path) { writer, hash in writer.string(Hexadecimal.encode(hash)) }
    }

    // MARK: epoch

    private static let newEpoch = CommandDescription(
        words: ["log", "new-epoch"], summary: "say that the log was restored or promoted",
        synopsis: "[OPTION…]", options: Database.options,
        discussion: """
            After a restore from a back-up, or the promotion of a standby, positions may not be the
            events they were. Raises the epoch, which every checkpoint and every projector carries,
            so that nobody takes the one for the other. Needs the right to act as the ledger's
            owner.
            """
    ) { arguments in
        let database = try Database(arguments)
        let connection = try await Connection.open(database.asOwner)
        let epoch = try await connection.perform { try EventLog.raiseEpoch(on: $0) }
        Terminal.print("epoch \(epoch)")
        return .ok
    }

    // MARK: partition

    private static let partition = CommandDescription(
        words: ["log", "partition"], summary: "make the log's partitions that lie ahead",
        synopsis: "[--events N] [OPTION…]",
        options: Database.options + [
            Option(name: "events", value: "N", summary: "how many events a new partition has")
        ],
        discussion: """
            Makes partitions until two lie ahead of the log's end; to be run from time to time.
            --events is needed the first time: then the log's own table becomes the first
            partition, which reads it once while appends wait, and changes no row. Needs the right
            to act as the ledger's owner.
            """
    ) { arguments in
        let width = try number("events", of: arguments)
        if let width, !LogPartitioner.widths.contains(width) {
            throw UsageError("--events is a whole number from 1 to 1000000000000")
        }
        let database = try Database(arguments)
        let partitioner = LogPartitioner(ledger: database.ledger)
        let new = try await partitioner.run(
            width: width, on: Connection.open(database.connection))
        for first in new { Terminal.print("a partition from position \(first)") }
        if new.isEmpty { Terminal.print("current") }
        return .ok
    }

    // MARK: Arguments

    static let json = Option(name: "json", summary: "print JSON")

    static func position(of arguments: Arguments) throws -> Int64 {
        guard let text = arguments.operands.first, let position = Int64(text), position > 0 else {
            throw UsageError("POSITION is a whole number from 1")
        }
        return position
    }

    static func number(_ option: String, of arguments: Arguments) throws -> Int64? {
        guard let text = try arguments.value(option) else { return nil }
        guard let number = Int64(text), number >= 0 else {
            throw UsageError("--\(option) is a whole number from 0")
        }
        return number
    }
}
