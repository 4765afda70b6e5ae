internal import PostgreSQL

/// Adds leaves to the tree within a transaction that holds the head's lock.
struct TreeWriter {
    /// A tile of 256 hashes, as C2SP's tlog-tiles defines it.
    enum Tile {
        /// A tile holds the hashes of 2 to the power of this.
        static let height = 8
        /// How many hashes it holds.
        static let width: Int64 = 256
    }

    private struct FullTile {
        let number: Int64
        let root: [UInt8]
    }

    private(set) var edge: MerkleEdge
    /// By their level, in the order of their numbers.
    private var tiles: [Int: [FullTile]] = [:]

    init(_ edge: MerkleEdge) { self.edge = edge }

    mutating func append(_ leaf: [UInt8]) {
        edge.append(leaf) { subtree, root in
            guard subtree.height.isMultiple(of: Tile.height) else { return }
            let level = subtree.height / Tile.height - 1
            tiles[level, default: []].append(FullTile(number: subtree.index, root: root))
        }
    }

    /// Writes the new tiles and the edge; the rows of the leaves are there already.
    /// - Parameter channel: where to tell that the log has grown; `nil` where only the tree has.
    func write(tellingOn channel: String?, on connection: isolated Connection) throws {
        for (level, tiles) in tiles.sorted(by: { $0.key < $1.key }) {
            if level == 0 {
                _ = try connection.query(
                    .logAddLeafTiles, [.int64s(tiles.map(\.number)), .byteas(tiles.map(\.root))])
                continue
            }
            for tile in tiles {
                _ = try connection.query(
                    .logAddTile,
                    [.int32(Int32(level)), .int64(tile.number), .bytea(tile.root)])
            }
        }
        _ = try connection.query(
            .logAdvanceTree,
            [.int64(edge.size), .bytea(edge.root), .bytea(edge.encoded), .text(channel)])
    }
}
