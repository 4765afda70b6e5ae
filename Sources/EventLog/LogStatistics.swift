public import PostgreSQL

/// What the log holds, in numbers.
public struct LogStatistics: Sendable {
    /// Where it ends.
    public let head: LogHead
    /// How many events there are of each type, by name.
    public let types: [(type: String, count: Int64)]
    /// What rows and indexes of the events fill, in bytes.
    public let bytes: Int64
    /// What the evidence fills, in bytes.
    public let evidenceBytes: Int64
    /// What the tiles of the tree fill, in bytes.
    public let treeBytes: Int64
}

extension EventLog {
    /// What the log holds; it counts every event once.
    public func statistics() async throws -> LogStatistics {
        let types = try await countByType()
        return try await pool.withConnection { connection in
            guard let sizes = try connection.query(.logSizes).first else {
                throw EventLogError.damaged(position: 0, "the log has no tables")
            }
            return LogStatistics(
                head: try Self.head(on: connection), types: types,
                bytes: try sizes.value("log"), evidenceBytes: try sizes.value("evidence"),
                treeBytes: try sizes.value("tree"))
        }
    }

    /// Says that the log was restored or promoted: positions of the epochs before may be other
    /// events.
    /// - Parameter connection: acts as the ledger's owner.
    /// - Returns: the new epoch.
    public static func raiseEpoch(on connection: isolated Connection) throws -> Int64 {
        guard let row = try connection.query(.logRaiseEpoch).first else {
            throw EventLogError.damaged(position: 0, "the log has no head")
        }
        return try row.value("epoch")
    }
}
