import AppStore
import EventLog
import Intake
import PostgreSQL
import Projection
import Settlement
import Simulator
import TestKit
import Testing

/// A log of its own with its views, at a fixed instant.
struct Views: Sendable {
    let fresh: FreshLog
    /// The instant for which derived columns hold.
    var now: Int64

    init(now: Int64) async throws {
        fresh = try await FreshLog.make()
        self.now = now
    }

    var log: EventLog { fresh.log }

    var projector: ViewProjector {
        let now = now
        return ViewProjector(log: log, options: fresh.options, now: { now })
    }

    /// Takes texts through the door and appends them in one call.
    /// - Returns: how many are new.
    @discardableResult
    func append(_ texts: [[UInt8]]) async throws -> Int {
        let door = try Self.door()
        let events = try texts.flatMap { text in
            try Door.things(in: text).map { thing in
                guard case .event(let event, _) = door.read(thing) else {
                    throw Refused(text: text.text)
                }
                return event
            }
        }
        return try await log.append(events).count { outcome in
            if case .appended = outcome { true } else { false }
        }
    }

    func append(_ texts: [EventText]) async throws { try await append(texts.map(\.bytes)) }

    /// Appends texts and takes them over.
    func take(_ texts: [EventText]) async throws {
        try await append(texts)
        try await projector.catchUp()
    }

    func report(on name: String, _ moment: ViewReader.Moment? = nil) async throws -> OrderReport {
        try await ViewReader(log: log, moment: moment ?? .now(now)).report(on: name)
    }

    /// The code of the verdict that stands in `orders`.
    func storedVerdict(of order: String) async throws -> String? {
        try await rows("select verdict from orders where order_number = '\(order)'::bytea").first
    }

    func rows(_ sql: String) async throws -> [String] {
        try await log.pool.withConnection { connection in
            try connection.query(Statement(name: "rows", sql: sql)).map { try $0.value(at: 0) }
        }
    }

    /// As the superuser, who owns the views.
    func run(_ sql: String) async throws {
        try await log.pool.withConnection { try $0.run(sql) }
    }

    private static func door() throws -> Door {
        Door(
            name: "test",
            evidence: EvidenceReader(
                anchors: try TrustAnchors.none.adding(TestApple.chain.rootDER)),
            settings: Settings(), receivedAt: TestApple.noon)
    }
}

/// A text of a test that its door does not take.
struct Refused: Error {
    let text: String
}

// MARK: All that the views hold

extension Views {
    /// Every row of every view, by table; the place in the log left out.
    func dump() async throws -> [String: [String]] {
        var dump: [String: [String]] = [:]
        for (table, sql) in Self.dumps { dump[table] = try await rows(sql) }
        return dump
    }

    private static let dumps: KeyValuePairs = [
        "facts": "select row_to_json(t)::text from facts t order by 1",
        "orders": "select row_to_json(t)::text from orders t order by 1",
        "charges": "select row_to_json(t)::text from charges t order by 1",
        "sighting": """
        select json_build_array(kind, bundle, product_id, seen_at, id)::text from sighting
        order by 1
        """,
        "timeline": """
        select json_build_array(kind, bundle, key, source, id)::text
        from timeline join event_log using (position) order by 1
        """,
        "claims": """
        select json_build_array(bundle, claim_id, opened_at, id)::text
        from claims join event_log on position = opened_position order by 1
        """,
        "failures": "select position::text from projection_failure order by 1",
    ]
}

/// Fails for each table in which two dumps differ, and shows a row or two.
func expectSame(
    _ left: [String: [String]], _ right: [String: [String]], _ comment: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    for table in left.keys.sorted() where left[table] != right[table] {
        let (a, b) = (Set(left[table] ?? []), Set(right[table] ?? []))
        Issue.record(
            """
            \(comment): \(table) differs
            only here: \(a.subtracting(b).sorted().prefix(2))
            only there: \(b.subtracting(a).sorted().prefix(2))
            """, sourceLocation: sourceLocation)
    }
}
