internal import Cryptography

/// The hashes of RFC 6962, section 2.1. (A leaf's own hash is that of `LeafEncoding`.)
enum MerkleTree {
    /// The root of a tree without leaves: SHA-256 of nothing.
    static let emptyRoot = SHA256.hash([])

    private static let nodePrefix: UInt8 = 1

    /// The hash of an inner node.
    static func node(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1 + 2 * SHA256.byteCount)
        bytes.append(nodePrefix)
        bytes += left
        bytes += right
        return SHA256.hash(bytes)
    }

    /// The root of a complete subtree whose hashes at one height are these; their number is a power
    /// of two.
    static func root(ofComplete hashes: some Collection<[UInt8]>) -> [UInt8] {
        var level = Array(hashes)
        precondition(level.count.nonzeroBitCount == 1, "not a complete subtree")
        while level.count > 1 {
            level = stride(from: 0, to: level.count, by: 2).map { node(level[$0], level[$0 + 1]) }
        }
        return level[0]
    }
}

/// A complete subtree: `2^height` leaves, beginning with that of index `index * 2^height`.
struct MerkleSubtree: Hashable, Sendable {
    /// 0 for a leaf.
    let height: Int
    /// How many of its size stand before it.
    let index: Int64
}

/// The right edge of a tree: all that must be known of it to add leaves and to tell the root.
struct MerkleEdge: Sendable, Equatable {
    /// How many leaves the tree has.
    private(set) var size: Int64
    /// The roots of the complete subtrees that make up the tree, from the left: the largest first.
    private(set) var hashes: [[UInt8]]

    /// A tree without leaves.
    init() {
        size = 0
        hashes = []
    }

    /// What `encoded` gave for a tree of that size; `nil` if it has not the length for it.
    init?(size: Int64, encoded: [UInt8]) {
        let width = SHA256.byteCount
        guard size >= 0, encoded.count == size.nonzeroBitCount * width else { return nil }
        self.size = size
        hashes = stride(from: 0, to: encoded.count, by: width).map {
            Array(encoded[$0..<$0 + width])
        }
    }

    /// The hashes one after the other.
    var encoded: [UInt8] { Array(hashes.joined()) }

    /// The root of the tree.
    var root: [UInt8] {
        guard var root = hashes.last else { return MerkleTree.emptyRoot }
        for hash in hashes.dropLast().reversed() { root = MerkleTree.node(hash, root) }
        return root
    }

    /// Adds a leaf on the right, or a complete subtree.
    /// - Parameters:
    ///   - hash: the leaf, or the root of the subtree.
    ///   - height: the subtree's; the tree's size is a multiple of the subtree's.
    ///   - completed: told of each larger subtree that is now complete.
    mutating func append(
        _ hash: [UInt8], height: Int = 0,
        completed: (MerkleSubtree, [UInt8]) -> Void = { _, _ in }
    ) {
        let index = size >> Int64(height)
        precondition(index << Int64(height) == size, "the subtree does not fit here")
        var hash = hash
        for step in 1..<(1 + (index + 1).trailingZeroBitCount) {
            hash = MerkleTree.node(hashes.removeLast(), hash)
            completed(MerkleSubtree(height: height + step, index: index >> Int64(step)), hash)
        }
        hashes.append(hash)
        size += 1 << Int64(height)
    }
}
