/// The proofs of RFC 6962, sections 2.1.1 and 2.1.2, for a tree of which every complete subtree's
/// root can be asked.
struct MerkleProver {
    /// The root of a complete subtree of the tree.
    let hash: (MerkleSubtree) throws -> [UInt8]

    /// The root of the tree's first `size` leaves.
    func root(size: Int64) throws -> [UInt8] {
        size == 0 ? MerkleTree.emptyRoot : try root(of: 0..<size)
    }

    /// PATH(m, D[n]): the hashes that lead from the leaf `index` to the root of `size` leaves.
    func inclusion(of index: Int64, size: Int64) throws -> [[UInt8]] {
        precondition(0 <= index && index < size, "no such leaf")
        var path: [[UInt8]] = []
        var range = 0..<size
        while range.count > 1 {
            let split = Self.split(range)
            if index < split {
                path.append(try root(of: split..<range.upperBound))
                range = range.lowerBound..<split
            } else {
                path.append(try root(of: range.lowerBound..<split))
                range = split..<range.upperBound
            }
        }
        return path.reversed()
    }

    /// PROOF(m, D[n]): the hashes that show that the first `old` of `size` leaves are the same.
    func consistency(from old: Int64, to size: Int64) throws -> [[UInt8]] {
        precondition(0 <= old && old <= size, "no such tree")
        if old == 0 || old == size { return [] }
        var path: [[UInt8]] = []
        var range = 0..<size
        // Whether the part that is left is what the older tree ended with and was wholly in it.
        var isWhole = true
        while range.upperBound != old {
            let split = Self.split(range)
            if old <= split {
                path.append(try root(of: split..<range.upperBound))
                range = range.lowerBound..<split
            } else {
                path.append(try root(of: range.lowerBound..<split))
                range = split..<range.upperBound
                isWhole = false
            }
        }
        if !isWhole { path.append(try root(of: range)) }
        return path.reversed()
    }

    /// MTH(D[range]); the range begins where a complete subtree of its size or more would.
    private func root(of range: Range<Int64>) throws -> [UInt8] {
        let count = range.upperBound - range.lowerBound
        if count.nonzeroBitCount == 1 {
            let height = count.trailingZeroBitCount
            return try hash(MerkleSubtree(height: height, index: range.lowerBound >> Int64(height)))
        }
        let split = Self.split(range)
        return MerkleTree.node(
            try root(of: range.lowerBound..<split), try root(of: split..<range.upperBound))
    }

    /// Where the left part ends: it has the largest power of two of leaves that is less than all.
    private static func split(_ range: Range<Int64>) -> Int64 {
        let last = range.upperBound - range.lowerBound - 1
        return range.lowerBound + 1 << Int64(Int64.bitWidth - 1 - last.leadingZeroBitCount)
    }
}

/// A proof that an event stands at its position in the tree of a checkpoint.
public struct InclusionProof: Sendable, Equatable {
    /// The event's position in the log, from 1.
    public let position: Int64
    /// How many events the tree covers.
    public let size: Int64
    /// The leaf: 32 bytes.
    public let leaf: [UInt8]
    /// The hashes from the leaf upwards, 32 bytes each.
    public let path: [[UInt8]]

    /// Whether it leads to that root (RFC 9162, section 2.1.3.2).
    public func leads(to root: [UInt8]) -> Bool {
        guard position >= 1, position <= size else { return false }
        var (node, last) = (position - 1, size - 1)
        var hash = leaf
        for sibling in path {
            guard last > 0 else { return false }
            if node & 1 == 1 || node == last {
                hash = MerkleTree.node(sibling, hash)
                while node & 1 == 0, node != 0 { (node, last) = (node >> 1, last >> 1) }
            } else {
                hash = MerkleTree.node(hash, sibling)
            }
            (node, last) = (node >> 1, last >> 1)
        }
        return last == 0 && hash == root
    }
}

/// A proof that a later tree holds all that an earlier one held.
public struct ConsistencyProof: Sendable, Equatable {
    /// How many events the earlier tree covers.
    public let from: Int64
    /// How many events the later tree covers.
    public let size: Int64
    /// 32 bytes each; empty where the trees are the same or the earlier is empty.
    public let path: [[UInt8]]

    /// Whether it leads from the earlier root to the later (RFC 9162, section 2.1.4.2).
    public func leads(from oldRoot: [UInt8], to root: [UInt8]) -> Bool {
        if from == 0 { return path.isEmpty && oldRoot == MerkleTree.emptyRoot && size >= 0 }
        if from == size { return path.isEmpty && oldRoot == root }
        guard from > 0, from < size else { return false }
        var rest = path[...]
        if from.nonzeroBitCount == 1 { rest = [oldRoot] + rest }
        guard let first = rest.popFirst() else { return false }
        var (node, last) = (from - 1, size - 1)
        while node & 1 == 1 { (node, last) = (node >> 1, last >> 1) }
        var (old, new) = (first, first)
        for hash in rest {
            guard last > 0 else { return false }
            if node & 1 == 1 || node == last {
                old = MerkleTree.node(hash, old)
                new = MerkleTree.node(hash, new)
                while node & 1 == 0, node != 0 { (node, last) = (node >> 1, last >> 1) }
            } else {
                new = MerkleTree.node(new, hash)
            }
            (node, last) = (node >> 1, last >> 1)
        }
        return last == 0 && old == oldRoot && new == root
    }
}
