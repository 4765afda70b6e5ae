internal import PostgreSQL

/// Where head, rows and tiles say that the log ends, as of one instant.
struct LogEnds: Sendable {
    let size: Int64
    let recordedAt: Int64
    let treeSize: Int64
    let root: [UInt8]
    let edge: [UInt8]
    /// The last position; 0 where there is no row.
    let lastPosition: Int64
    /// How many rows stand at positions below 1.
    let misplaced: Int64
    /// How many tiles there are of each level.
    let tiles: [Int64]
    /// Whether a table of its own holds the keys.
    let isPartitioned: Bool

    /// How many positions are to be read.
    var rows: Int64 { max(0, min(size, lastPosition)) }

    static func read(on connection: isolated Connection) throws -> LogEnds {
        guard let row = try connection.query(.logEnds).first else {
            throw EventLogError.damaged(position: 0, "the log has no head")
        }
        return LogEnds(
            size: try row.value("size"),
            recordedAt: try row.value("recorded_at", as: Timestamp.self).milliseconds,
            treeSize: try row.value("tree_size"), root: try row.value("root"),
            edge: try row.value("edge"), lastPosition: try row.value("last_position"),
            misplaced: try row.value("misplaced"), tiles: try row.value("tiles"),
            isPartitioned: try row.value("partitioned"))
    }
}

/// The tree as it grows from the rows' leaves, page by page.
struct TreeCheck {
    /// A tile over tiles, as the rows give it.
    struct FullTile {
        let level: Int
        let number: Int64
        let hashes: [[UInt8]]
        let root: [UInt8]
    }

    private(set) var edge = MerkleEdge()
    var findings = LogFindings()
    private let ends: LogEnds
    /// By size; the first is the next to be met.
    private var checkpoints: [Checkpoint]
    /// The hashes of each level that no full tile holds yet.
    private var open: [[[UInt8]]] = []
    private var lastRecordedAt: Int64?

    init(_ ends: LogEnds, checkpoints: [Checkpoint]) {
        self.ends = ends
        self.checkpoints = checkpoints.sorted { $0.size < $1.size }
    }

    /// Adds a page's leaves.
    /// - Returns: the tiles above the leaves' that are now full, the lowest level first.
    mutating func take(_ page: PageCheck, _ found: LogFindings) -> [FullTile] {
        findings.merge(found)
        if let (first, last) = page.recorded {
            if let before = lastRecordedAt, first < before {
                findings.add(.order, at: page.page.after + 1)
            }
            lastRecordedAt = last
        }
        meetCheckpoints(in: page)
        var full: [FullTile] = []
        for root in page.tileRoots {
            edge.append(root, height: TreeWriter.Tile.height)
            add(root, level: 1, &full)
        }
        let rest = page.tileRoots.count * Int(TreeWriter.Tile.width)
        for leaf in page.leaves[rest...] { edge.append(leaf) }
        return full
    }

    private mutating func add(_ hash: [UInt8], level: Int, _ full: inout [FullTile]) {
        if open.count < level { open.append([]) }
        open[level - 1].append(hash)
        guard open[level - 1].count == Int(TreeWriter.Tile.width) else { return }
        let hashes = open[level - 1]
        open[level - 1] = []
        let root = MerkleTree.root(ofComplete: hashes)
        let number = (edge.size >> Int64(TreeWriter.Tile.height * (level + 1))) - 1
        full.append(FullTile(level: level, number: number, hashes: hashes, root: root))
        add(root, level: level + 1, &full)
    }

    /// Compares the roots of the sizes that the page reaches.
    private mutating func meetCheckpoints(in page: PageCheck) {
        var tree = edge
        var leaves = page.leaves[...]
        while let next = checkpoints.first, next.size <= page.page.upTo {
            checkpoints.removeFirst()
            while tree.size < next.size, let leaf = leaves.popFirst() { tree.append(leaf) }
            if tree.root != next.root { findings.add(.checkpoint, at: nil) }
        }
    }

    /// What can be told only at the end.
    mutating func finish() {
        for checkpoint in checkpoints {
            let isEmpty = checkpoint.size == 0 && checkpoint.root == MerkleTree.emptyRoot
            if !isEmpty { findings.add(.checkpoint, at: nil) }
        }
        checkpoints = []
        if ends.misplaced > 0 { findings.add(.position, at: nil, count: ends.misplaced) }
        if ends.lastPosition < ends.size {
            findings.add(
                .missing, at: ends.lastPosition + 1, count: ends.size - ends.lastPosition)
        }
        if ends.lastPosition != ends.size || ends.treeSize != ends.size
            || (lastRecordedAt ?? 0) != ends.recordedAt
        {
            findings.add(.head, at: ends.rows + 1)
        }
        if edge.root != ends.root || edge.encoded != ends.edge { findings.add(.root, at: nil) }
        for (level, count) in ends.tiles.enumerated() {
            let wanted = ends.rows >> Int64(TreeWriter.Tile.height * (level + 1))
            if wanted != count { findings.add(.tileCount, at: nil, count: abs(wanted - count)) }
        }
    }
}
