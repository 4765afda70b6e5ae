internal import PostgreSQL
internal import Settlement

/// The rows of `facts`: what the projector merged, an entity a row.
enum FactStore {
    static func load(_ keys: some Collection<EntityKey>, on connection: isolated Connection) throws
        -> [EntityKey: Facts]
    {
        guard !keys.isEmpty else { return [:] }
        let rows = try connection.query(
            .viewLoadFacts,
            [
                .texts(keys.map(\.kind.rawValue)), .byteas(keys.map { Array($0.bundle.utf8) }),
                .byteas(keys.map { Array($0.id.utf8) }),
            ])
        var found: [EntityKey: Facts] = [:]
        for row in rows {
            let key = try EntityKey(row: row, id: "id")
            found[key] = try Facts(encoded: try row.value("facts"))
        }
        return found
    }

    /// Stores facts that were merged with what `load` gave in the same transaction.
    static func store(_ facts: [EntityKey: Facts], on connection: isolated Connection) throws {
        let entries = facts.sorted { $0.key < $1.key }
        guard !entries.isEmpty else { return }
        _ = try connection.query(
            .viewStoreFacts,
            [
                .texts(entries.map(\.key.kind.rawValue)),
                .byteas(entries.map { Array($0.key.bundle.utf8) }),
                .byteas(entries.map { Array($0.key.id.utf8) }),
                .byteas(entries.map { $0.value.encoded() }),
            ])
    }
}

extension EntityKey {
    init(row: Row, id column: String) throws {
        let kind: String = try row.value("kind")
        guard let known = EntityKind(rawValue: kind) else {
            throw ProjectionError.unknownKind(kind)
        }
        self.init(
            kind: known,
            bundle: String(decoding: try row.value("bundle", as: [UInt8].self), as: UTF8.self),
            id: String(decoding: try row.value(column, as: [UInt8].self), as: UTF8.self))
    }
}
