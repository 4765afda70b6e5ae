internal import PostgreSQL

/// What the rows of a page give: some thousand positions, of which one row at a time is in memory.
struct PageCheck: Sendable {
    /// The positions after `after`, up to and including `upTo`.
    struct Page: Sendable {
        let after: Int64
        let upTo: Int64
        var count: Int { Int(upTo - after) }
    }

    let page: Page
    private(set) var findings = LogFindings()
    /// The leaf that each row gives, in the order of the positions; zeros where none is.
    private(set) var leaves: [[UInt8]] = []
    /// The root over each full tile of them.
    private(set) var tileRoots: [[UInt8]] = []
    /// When the first and the last were recorded; `nil` if there are none.
    private(set) var recorded: (first: Int64, last: Int64)?
    /// Rows whose personal values are gone.
    private(set) var emptied: [Int64] = []

    /// Reads and checks the rows, and the tiles over them.
    /// - Parameter page: begins where a tile does.
    static func run(_ page: Page, on connection: isolated Connection) throws -> PageCheck {
        var check = PageCheck(page: page)
        check.leaves.reserveCapacity(page.count)
        _ = try connection.query(
            .logSetPage, [.text(String(page.after)), .text(String(page.upTo))])
        var reader = RowLeaf()
        try connection.copyOut(.logCopyPage) { try check.take($0, with: &reader) }
        check.fill(upTo: page.upTo)
        try check.compareTiles(on: connection)
        return check
    }

    private static let noLeaf = [UInt8](repeating: 0, count: 32)

    private mutating func take(_ row: Row, with reader: inout RowLeaf) throws {
        typealias Column = RowLeaf.Column
        let position: Int64 = try row.value(at: Column.position)
        // Where no primary key keeps them apart two rows have one place, of which the tree has one.
        guard position > page.after + Int64(leaves.count) else {
            return findings.add(.position, at: position)
        }
        fill(upTo: position - 1)
        let leaf = try reader.leaf(of: row)
        leaves.append(leaf)
        if try !row.isEqual(Column.leaf, to: leaf) { findings.add(.leaf, at: position) }
        if try !row.isEqual(0, to: reader.key(of: row)) { findings.add(.key, at: position) }
        if let digest = try reader.personalDigest(of: row) {
            if try !row.isEqual(Column.personalDigest, to: digest) {
                findings.add(.personal, at: position)
            }
        } else {
            emptied.append(position)
        }
        let recordedAt = try row.value(at: Column.recordedAt, as: Timestamp.self).milliseconds
        if let last = recorded?.last, recordedAt < last { findings.add(.order, at: position) }
        recorded = (recorded?.first ?? recordedAt, recordedAt)
    }

    /// Notes what lacks up to a position, so that what follows keeps its place in the tree.
    private mutating func fill(upTo position: Int64) {
        let next = page.after + Int64(leaves.count) + 1
        guard next <= position else { return }
        findings.add(.missing, at: next, count: position - next + 1)
        for _ in next...position { leaves.append(Self.noLeaf) }
    }

    // MARK: Tiles

    private mutating func compareTiles(on connection: isolated Connection) throws {
        let width = Int(TreeWriter.Tile.width)
        let first = page.after / TreeWriter.Tile.width
        let count = leaves.count / width
        if count == 0 { return }
        var stored = TileRows()
        try stored.read(level: 0, numbers: first..<first + Int64(count), on: connection)
        for offset in 0..<count {
            let hashes = leaves[offset * width..<(offset + 1) * width]
            let root = MerkleTree.root(ofComplete: hashes)
            tileRoots.append(root)
            if let difference = stored.difference(
                at: first + Int64(offset), hashes: hashes, root: root)
            {
                findings.add(.tile, at: page.after + Int64(offset * width + difference) + 1)
            }
        }
    }
}

/// Tiles as they are stored.
struct TileRows {
    private var rows: [Int64: (root: [UInt8], hashes: [UInt8])] = [:]

    mutating func read(
        level: Int, numbers: Range<Int64>, on connection: isolated Connection
    ) throws {
        let found = try connection.query(
            .logTiles,
            [.int32(Int32(level)), .int64(numbers.lowerBound), .int64(numbers.upperBound)])
        for row in found {
            rows[try row.value(at: 0)] = (try row.value(at: 1), try row.value(at: 2))
        }
    }

    /// The first hash of a tile that is not as it should be; `nil` if all is well. A tile that is
    /// not there differs from its first on.
    func difference(at number: Int64, hashes: ArraySlice<[UInt8]>, root: [UInt8]) -> Int? {
        guard let tile = rows[number] else { return 0 }
        let width = 32
        for (index, hash) in hashes.enumerated() {
            let end = min(tile.hashes.count, (index + 1) * width)
            guard tile.hashes[min(end, index * width)..<end].elementsEqual(hash) else {
                return index
            }
        }
        return tile.root == root ? nil : 0
    }
}

extension Row {
    fileprivate func isEqual(_ column: Int, to bytes: some Collection<UInt8>) throws -> Bool {
        try withBytes(at: column) { $0?.elementsEqual(bytes) ?? false }
    }
}
