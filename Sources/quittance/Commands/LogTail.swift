internal import AppStoreModel
internal import Cryptography
internal import EventLog
internal import JSON
internal import PostgreSQL

/// `log tail`: the events of the log in its order.
enum LogTail {
    static let description = CommandDescription(
        words: ["log", "tail"], summary: "print the latest events, and those that come",
        synopsis: "[--follow] [--from POSITION] [--type TYPE]… [--json]",
        options: Database.options + [
            Option(name: "follow", summary: "go on as events come, until interrupted"),
            Option(name: "from", value: "POSITION", summary: "begin there (else the last ten)"),
            Option(
                name: "type", value: "TYPE", summary: "only events of that type",
                isRepeatable: true),
            Option(name: "json", summary: "one JSON object a line"),
        ],
        discussion: """
            Personal values are left out; quittance log show POSITION shows one event wholly.
            """, run: run)

    private static let pageMax = 500
    private static let lastCount: Int64 = 10
    private static let pollMilliseconds = 1_000

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let database = try Database(arguments)
        let from = try LogCommand.number("from", of: arguments)
        let types = arguments.all("type")
        let log = try await database.openLog()
        let size = try await log.head().size
        var last = from.map { $0 - 1 } ?? max(0, size - lastCount)
        let watch = LogWatch(log.ledger, options: database.asWriter)
        while true {
            let page = try await retrying(isFollowing: arguments.has("follow")) {
                types.isEmpty
                    ? try await log.read(after: last, limit: pageMax)
                    : try await log.read(types: types, after: last, limit: pageMax)
            }
            for event in page {
                Terminal.print(
                    arguments.has("json")
                        ? EventText.json(event) : Array(EventText.line(event).utf8))
            }
            last = page.last?.position ?? last
            if !page.isEmpty { continue }
            guard arguments.has("follow") else { return .ok }
            try await watch.waitForGrowth(timeoutMilliseconds: pollMilliseconds)
        }
    }

    /// Who follows waits for a server that is away; nothing can be missed by it.
    private static func retrying(
        isFollowing: Bool, _ read: () async throws -> [RecordedEvent]
    ) async throws -> [RecordedEvent] {
        do {
            return try await read()
        } catch let error as PostgreSQLError where isFollowing && error.isConnectionLost {
            return []
        }
    }
}

/// An event in words and as JSON, without its personal values.
enum EventText {
    /// `#12  2026-03-14T12:00:00.000Z  order.created  platform  order-7`
    static func line(_ event: RecordedEvent) -> String {
        "#\(event.position)  \(RFC3339.text(event.recordedAt))  \(event.type)  \(event.source)  "
            + event.id
    }

    static func json(_ event: RecordedEvent) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            members(of: event, to: &writer)
            writer.name("body")
            write(event.body, to: &writer)
            writer.name("parts")
            write(event.parts, to: &writer)
        }
        return writer.bytes
    }

    /// What the columns say.
    static func members(of event: RecordedEvent, to writer: inout JSONWriter) {
        writer.member("position", event.position)
        writer.member("recordedAt", RFC3339.text(event.recordedAt))
        writer.member("receivedAt", RFC3339.text(event.receivedAt))
        writer.member("source", event.source)
        writer.member("id", event.id)
        writer.member("type", event.type)
        if let subject = event.subject { writer.member("subject", subject) }
        if let time = event.time { writer.member("time", RFC3339.text(time)) }
        if let actor = event.actor { writer.member("actor", actor) }
        for (name, key) in keys(of: event) {
            writer.member(name, String(decoding: key, as: UTF8.self))
        }
        writer.member("eventKey", event.eventKey.description)
        writer.member("leaf", Hexadecimal.encode(event.leaf))
        writer.name("evidence")
        writer.array(event.evidence) { writer, digest in
            writer.string(Hexadecimal.encode(digest))
        }
    }

    static func keys(of event: RecordedEvent) -> [(name: String, bytes: [UInt8])] {
        let keys = event.keys
        let all = [
            ("orderNumber", keys.orderNumber), ("transactionId", keys.transactionId),
            ("originalTransactionId", keys.originalTransactionId), ("bundleId", keys.bundleId),
            ("environment", keys.environment),
        ]
        return all.compactMap { name, bytes in bytes.map { (name, $0) } }
    }

    /// A text of the log as JSON: itself if it is that, and else its bytes in base64.
    static func write(_ bytes: [UInt8], to writer: inout JSONWriter) {
        if bytes.isEmpty { return writer.null() }
        if (try? JSONValue(parsing: bytes, limits: RecordedEvent.jsonLimits)) != nil {
            return writer.raw(bytes)
        }
        writer.object { writer in
            writer.member("base64", String(decoding: Base64.encode(bytes), as: UTF8.self))
        }
    }
}
