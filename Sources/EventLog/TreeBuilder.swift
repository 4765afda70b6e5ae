public import PostgreSQL

/// Builds the tree of a log that was there before its tree.
public struct TreeBuilder: Sendable {
    /// How many leaves one transaction adds, while appends wait.
    static let leavesMax: Int64 = 16_384

    /// Appends hold the head for a moment only; in milliseconds.
    private static let lockTimeout = "60000"

    /// Whose log.
    public let ledger: Ledger

    /// A builder for the log of a ledger.
    public init(ledger: Ledger) { self.ledger = ledger }

    /// Adds the leaves that the tree lacks, in bounded transactions; changes nothing where none is
    /// lacking, and goes on where it was interrupted.
    /// - Parameter connection: its user may take on the owner's role, as that of a migration.
    /// - Returns: how many leaves were added.
    /// - Throws: `EventLogError.damaged`, `PostgreSQLError`.
    @discardableResult
    public func run(on connection: Connection) async throws -> Int64 {
        var total: Int64 = 0
        while true {
            let added = try await connection.perform { connection in
                try connection.transaction { connection in
                    _ = try connection.query(
                        .migrationSettings, [.text(ledger.name), .text(Self.lockTimeout)])
                    try connection.run("set local role \(ledger.ownerRole)")
                    return try Self.step(on: connection)
                }
            }
            guard added > 0 else { return total }
            total += added
        }
    }

    private static func step(on connection: isolated Connection) throws -> Int64 {
        let head = try EventLog.head(on: connection)
        if head.treeSize == head.size { return 0 }
        let lock = try HeadLock.take(isDurable: false, on: connection)
        let end = min(lock.size, lock.edge.size + leavesMax)
        let rows = try connection.query(.logLeaves, [.int64(lock.edge.size), .int64(end)])
        guard rows.count == end - lock.edge.size else {
            throw EventLogError.damaged(position: lock.edge.size + 1, "events are missing")
        }
        if rows.isEmpty { return 0 }
        var tree = TreeWriter(lock.edge)
        for row in rows { tree.append(try row.value(at: 0)) }
        try tree.write(tellingOn: nil, on: connection)
        return Int64(rows.count)
    }
}
