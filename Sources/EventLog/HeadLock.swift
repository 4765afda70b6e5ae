internal import PostgreSQL

/// The head of the log, locked: nobody else appends until the transaction ends.
struct HeadLock {
    /// The last position.
    let size: Int64
    /// Which life of the log it is.
    let epoch: Int64
    /// At which instant what follows is recorded.
    let instant: Timestamp
    /// The tree over the log; ends before the log only while an older log's tree is being built.
    let edge: MerkleEdge

    /// Waits for the lock and takes it.
    /// - Parameter isDurable: what the transaction commits is on disk before it is acknowledged,
    ///   and a process that stops while it holds the lock loses it after 5 s.
    /// - Throws: `EventLogError.unsafeDurability`, `.damaged`, `PostgreSQLError`.
    static func take(isDurable: Bool, on connection: isolated Connection) throws -> HeadLock {
        guard let row = try connection.query(.logLock, [.bool(isDurable)]).first else {
            throw EventLogError.damaged(position: 0, "the log has no head")
        }
        if isDurable {
            for setting in ["fsync", "synchronous_commit"]
            where try row.value(setting, as: String.self) == "off" {
                throw EventLogError.unsafeDurability(setting: setting)
            }
        }
        let treeSize: Int64 = try row.value("tree_size")
        guard let edge = MerkleEdge(size: treeSize, encoded: try row.value("edge")) else {
            throw EventLogError.damaged(
                position: treeSize, "the edge of the tree has a wrong length")
        }
        return HeadLock(
            size: try row.value("size"), epoch: try row.value("epoch"),
            instant: try row.value("instant"), edge: edge)
    }
}
