internal import PostgreSQL

extension EventLog {
    /// The proof that the event at a position is in the tree of a size.
    /// - Parameters:
    ///   - position: from 1 to `size`.
    ///   - size: how many events the tree covers; the whole log if `nil`.
    /// - Throws: `EventLogError.outsideTree`, `.damaged`, `PostgreSQLError`.
    public func inclusionProof(of position: Int64, size: Int64? = nil) async throws
        -> InclusionProof
    {
        try await pool.withConnection { connection in
            let treeSize = try Self.head(on: connection).treeSize
            let size = size ?? treeSize
            guard 1...max(1, size) ~= position, size <= treeSize, size > 0 else {
                throw EventLogError.outsideTree(size: treeSize)
            }
            let tree = TreeReader(size: treeSize)
            let leaf = try tree.hash(
                of: MerkleSubtree(height: 0, index: position - 1), on: connection)
            let path = try MerkleProver { try tree.hash(of: $0, on: connection) }
                .inclusion(of: position - 1, size: size)
            return InclusionProof(position: position, size: size, leaf: leaf, path: path)
        }
    }

    /// The proof that the tree of one size holds what that of a smaller size held.
    /// - Parameters:
    ///   - from: how many events the earlier tree covers.
    ///   - size: how many the later one covers; the whole log if `nil`.
    /// - Throws: `EventLogError.outsideTree`, `.damaged`, `PostgreSQLError`.
    public func consistencyProof(from: Int64, to size: Int64? = nil) async throws
        -> ConsistencyProof
    {
        try await pool.withConnection { connection in
            let treeSize = try Self.head(on: connection).treeSize
            let size = size ?? treeSize
            guard 0...max(0, size) ~= from, size <= treeSize else {
                throw EventLogError.outsideTree(size: treeSize)
            }
            let tree = TreeReader(size: treeSize)
            let path = try MerkleProver { try tree.hash(of: $0, on: connection) }
                .consistency(from: from, to: size)
            return ConsistencyProof(from: from, size: size, path: path)
        }
    }

    /// The root that the tree had when it covered that many events, from its tiles.
    /// - Throws: `EventLogError.outsideTree`, `.damaged`, `PostgreSQLError`.
    public func root(size: Int64) async throws -> [UInt8] {
        try await pool.withConnection { connection in
            let treeSize = try Self.head(on: connection).treeSize
            guard 0...treeSize ~= size else { throw EventLogError.outsideTree(size: treeSize) }
            let tree = TreeReader(size: treeSize)
            return try MerkleProver { try tree.hash(of: $0, on: connection) }.root(size: size)
        }
    }
}
