internal import PostgreSQL

/// Reads the hashes of the tree: full tiles from their table, the rest from the rows. Reads as many
/// tiles as the tree has levels for a path, and keeps what it read.
final class TreeReader {
    private typealias Tile = TreeWriter.Tile

    /// How many leaves the tree has.
    let size: Int64
    private var tiles: [TileName: [[UInt8]]] = [:]

    private struct TileName: Hashable {
        let level: Int
        let number: Int64
    }

    init(size: Int64) { self.size = size }

    /// The root of a complete subtree of the tree.
    /// - Throws: `EventLogError.damaged` where hashes are missing; `PostgreSQLError`.
    func hash(of subtree: MerkleSubtree, on connection: isolated Connection) throws -> [UInt8] {
        let level = subtree.height / Tile.height
        let count = Int64(1) << Int64(subtree.height % Tile.height)
        let first = subtree.index * count
        let name = TileName(level: level, number: first / Tile.width)
        let hashes = try self.hashes(of: name, on: connection)
        let offset = Int(first % Tile.width)
        guard offset + Int(count) <= hashes.count else {
            throw EventLogError.damaged(
                position: (first << Int64(Tile.height * level)) + 1,
                "hashes of the tree are missing")
        }
        return MerkleTree.root(ofComplete: hashes[offset..<offset + Int(count)])
    }

    private func hashes(of name: TileName, on connection: isolated Connection) throws -> [[UInt8]] {
        if let known = tiles[name] { return known }
        let hashes = try Self.read(name, size: size, on: connection)
        tiles[name] = hashes
        return hashes
    }

    private static func read(
        _ name: TileName, size: Int64, on connection: isolated Connection
    ) throws -> [[UInt8]] {
        let first = name.number * Tile.width
        let end = first + Tile.width
        if end <= size >> Int64(Tile.height * name.level) {
            return try fullTile(name, on: connection)
        }
        let rows =
            name.level == 0
            ? try connection.query(.logLeaves, [.int64(first), .int64(min(end, size))])
            : try connection.query(
                .logTileRoots,
                [.int32(Int32(name.level - 1)), .int64(first), .int64(end)])
        return try rows.map { try $0.value(at: 0) }
    }

    private static func fullTile(_ name: TileName, on connection: isolated Connection) throws
        -> [[UInt8]]
    {
        let row = try connection.query(
            .logTile, [.int32(Int32(name.level)), .int64(name.number)]
        ).first
        let bytes: [UInt8] = try row?.value(at: 0) ?? []
        return stride(from: 0, to: bytes.count - 31, by: 32).map { Array(bytes[$0..<$0 + 32]) }
    }
}
