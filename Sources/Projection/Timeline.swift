internal import PostgreSQL
internal import Settlement

/// A row of the timeline: an event under one of its names.
struct TimelineRow: Hashable {
    /// A name under which events can be found.
    struct Name: Hashable {
        /// An `EntityKind` or a `TimelineKey.Kind`.
        let kind: String
        let bundle: String
        let value: String
    }

    let name: Name
    let position: Int64
}

extension TimelineRow.Name {
    init(_ key: EntityKey) {
        self.init(kind: key.kind.rawValue, bundle: key.bundle, value: key.id)
    }

    init(_ key: TimelineKey) {
        self.init(kind: key.kind.rawValue, bundle: key.bundle, value: key.value)
    }
}

/// The timeline: every name of every event.
enum Timeline {
    static func add(_ rows: Set<TimelineRow>, on connection: isolated Connection) throws {
        let rows = Array(rows)
        guard !rows.isEmpty else { return }
        _ = try connection.query(
            .viewAddTimeline,
            [
                .texts(rows.map(\.name.kind)), .byteas(rows.map { Array($0.name.bundle.utf8) }),
                .byteas(rows.map { Array($0.name.value.utf8) }), .int64s(rows.map(\.position)),
            ])
    }

    /// The positions of the events under any of the names, ascending, each once.
    static func positions(
        of names: [TimelineRow.Name], upTo position: Int64, limit: Int,
        on connection: isolated Connection
    ) throws -> [Int64] {
        guard !names.isEmpty else { return [] }
        let rows = try connection.query(
            .viewPositionsOfKeys,
            [
                .texts(names.map(\.kind)), .byteas(names.map { Array($0.bundle.utf8) }),
                .byteas(names.map { Array($0.value.utf8) }), .int64(position),
                .int64(Int64(limit)),
            ])
        return try rows.map { try $0.value("position") }
    }

    /// What a text names, as of a position: at most `limit` names.
    static func names(
        _ spellings: [String], upTo position: Int64, limit: Int, on connection: isolated Connection
    ) throws -> [TimelineRow.Name] {
        let rows = try connection.query(
            .viewFindKey,
            [
                .byteas(spellings.map { Array($0.utf8) }), .int64(position), .int64(Int64(limit)),
            ])
        return try rows.map { row in
            TimelineRow.Name(
                kind: try row.value("kind"), bundle: try row.text("bundle"),
                value: try row.text("key"))
        }
    }
}

extension Row {
    /// A `bytea` column that holds text, which may have a U+0000 in it.
    func text(_ column: String) throws -> String {
        String(decoding: try value(column, as: [UInt8].self), as: UTF8.self)
    }
}
