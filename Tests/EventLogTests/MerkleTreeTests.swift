import Cryptography
import Testing

@testable import EventLog

/// RFC 6962, section 2.1, as it is written there: by definition, and slowly.
struct ReferenceTree {
    let leaves: [[UInt8]]
    private let roots: [Range<Int>: [UInt8]]

    init(_ leaves: [[UInt8]]) {
        self.leaves = leaves
        var roots: [Range<Int>: [UInt8]] = [:]
        for count in 0...leaves.count { _ = Self.root(of: 0..<count, leaves, &roots) }
        self.roots = roots
    }

    func root(_ range: Range<Int>) -> [UInt8] {
        var roots = roots
        return Self.root(of: range, leaves, &roots)
    }

    func root(size: Int) -> [UInt8] { root(0..<size) }

    /// PATH(m, D[range]).
    func path(_ index: Int, _ range: Range<Int>) -> [[UInt8]] {
        if range.count == 1 { return [] }
        let split = range.lowerBound + Self.split(range.count)
        return index < split
            ? path(index, range.lowerBound..<split) + [root(split..<range.upperBound)]
            : path(index, split..<range.upperBound) + [root(range.lowerBound..<split)]
    }

    /// SUBPROOF(m, D[range], isWhole).
    func subproof(_ old: Int, _ range: Range<Int>, isWhole: Bool = true) -> [[UInt8]] {
        if old == range.upperBound { return isWhole ? [] : [root(range)] }
        let split = range.lowerBound + Self.split(range.count)
        return old <= split
            ? subproof(old, range.lowerBound..<split, isWhole: isWhole)
                + [root(split..<range.upperBound)]
            : subproof(old, split..<range.upperBound, isWhole: false)
                + [root(range.lowerBound..<split)]
    }

    /// The largest power of two less than the count.
    private static func split(_ count: Int) -> Int {
        var power = 1
        while power * 2 < count { power *= 2 }
        return power
    }

    private static func root(
        of range: Range<Int>, _ leaves: [[UInt8]], _ known: inout [Range<Int>: [UInt8]]
    ) -> [UInt8] {
        if range.isEmpty { return SHA256.hash([]) }
        if range.count == 1 { return leaves[range.lowerBound] }
        if let root = known[range] { return root }
        let split = range.lowerBound + split(range.count)
        let root = SHA256.hash(
            [1] + root(of: range.lowerBound..<split, leaves, &known)
                + root(of: split..<range.upperBound, leaves, &known))
        known[range] = root
        return root
    }
}

@Suite("The tree of RFC 6962")
struct MerkleTreeTests {
    private static let sizeMax = 300

    private static let reference = ReferenceTree(
        (0..<sizeMax).map { SHA256.hash([0, UInt8($0 & 255), UInt8($0 >> 8)]) })

    private func prover(_ reference: ReferenceTree) -> MerkleProver {
        MerkleProver { subtree in
            let count = 1 << subtree.height
            let start = Int(subtree.index) * count
            return reference.root(start..<start + count)
        }
    }

    @Test("the roots of Certificate Transparency's own test vectors")
    func vectors() throws {
        let inputs = [
            "", "00", "10", "2021", "3031", "40414243", "5051525354555657",
            "606162636465666768696a6b6c6d6e6f",
        ]
        let roots = [
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
        ]
        var edge = MerkleEdge()
        #expect(Hexadecimal.encode(edge.root) == roots[0])
        for (input, root) in zip(inputs, roots.dropFirst()) {
            let data = try #require(Hexadecimal.decode(input))
            edge.append(SHA256.hash([0] + data))
            #expect(Hexadecimal.encode(edge.root) == root)
        }
    }

    @Test("the right edge gives the root of every size, and is read back from its bytes")
    func roots() throws {
        var edge = MerkleEdge()
        for size in 0...Self.sizeMax {
            #expect(edge.size == Int64(size))
            #expect(edge.root == Self.reference.root(size: size))
            #expect(MerkleEdge(size: edge.size, encoded: edge.encoded) == edge)
            if size < Self.sizeMax { edge.append(Self.reference.leaves[size]) }
        }
        #expect(MerkleEdge(size: 3, encoded: edge.encoded) == nil)
        #expect(MerkleEdge(size: -1, encoded: []) == nil)
    }

    @Test("every complete subtree is told once, with its root")
    func completed() {
        var edge = MerkleEdge()
        var told: [MerkleSubtree: [UInt8]] = [:]
        for leaf in Self.reference.leaves { edge.append(leaf) { told[$0] = $1 } }
        let all = (1...8).flatMap { height in
            (0..<Int64(Self.sizeMax >> height)).map { MerkleSubtree(height: height, index: $0) }
        }
        #expect(Set(told.keys) == Set(all))
        for (subtree, root) in told {
            let start = Int(subtree.index) << subtree.height
            #expect(root == Self.reference.root(start..<start + 1 << subtree.height))
        }
    }

    @Test("inclusion of every leaf in every size up to 300")
    func inclusion() throws {
        let prover = prover(Self.reference)
        for size in 1...Self.sizeMax {
            let root = Self.reference.root(size: size)
            for index in 0..<size {
                let path = try prover.inclusion(of: Int64(index), size: Int64(size))
                let leaf = Self.reference.leaves[index]
                let proof = InclusionProof(
                    position: Int64(index) + 1, size: Int64(size), leaf: leaf, path: path)
                guard path == Self.reference.path(index, 0..<size), proof.leads(to: root) else {
                    Issue.record("leaf \(index) of \(size)")
                    continue
                }
            }
        }
    }

    @Test("consistency of every two sizes up to 300")
    func consistency() throws {
        let prover = prover(Self.reference)
        for size in 0...Self.sizeMax {
            let root = Self.reference.root(size: size)
            for from in 0...size {
                let path = try prover.consistency(from: Int64(from), to: Int64(size))
                let proof = ConsistencyProof(from: Int64(from), size: Int64(size), path: path)
                let expected = from == 0 ? [] : Self.reference.subproof(from, 0..<size)
                guard path == expected,
                    proof.leads(from: Self.reference.root(size: from), to: root)
                else {
                    Issue.record("\(from) to \(size)")
                    continue
                }
            }
        }
    }

    @Test("a proof with anything changed leads nowhere")
    func forged() throws {
        let prover = prover(Self.reference)
        let size: Int64 = 77
        let root = Self.reference.root(size: Int(size))
        let leaf = Self.reference.leaves[30]
        let path = try prover.inclusion(of: 30, size: size)
        func leads(position: Int64 = 31, size: Int64 = 77, _ path: [[UInt8]]) -> Bool {
            InclusionProof(position: position, size: size, leaf: leaf, path: path).leads(to: root)
        }
        #expect(leads(path))
        #expect(!leads(path.dropLast()) && !leads(path + [root]) && !leads(path.reversed()))
        #expect(!leads(position: 30, path) && !leads(position: 0, path))
        #expect(!leads(position: 78, path) && !leads(size: 64, path))
        for index in path.indices {
            var changed = path
            changed[index][0] ^= 1
            #expect(!leads(changed))
        }

        let old = Self.reference.root(size: 50)
        let consistent = try prover.consistency(from: 50, to: size)
        func agrees(
            from: Int64 = 50, _ path: [[UInt8]], _ old: [UInt8], _ new: [UInt8]
        ) -> Bool {
            ConsistencyProof(from: from, size: size, path: path).leads(from: old, to: new)
        }
        #expect(agrees(consistent, old, root))
        #expect(!agrees(consistent, root, root) && !agrees(consistent, old, old))
        #expect(!agrees(from: 49, consistent, old, root) && !agrees([], old, root))
        #expect(
            !agrees(from: 78, consistent, old, root) && !agrees(from: -1, consistent, old, root))
        #expect(!agrees(consistent + [root], old, root))
        #expect(!agrees(from: 77, [], old, root) && !agrees(from: 0, [], old, root))
        for index in consistent.indices {
            var changed = consistent
            changed[index][31] ^= 128
            #expect(!agrees(changed, old, root))
        }
    }
}
