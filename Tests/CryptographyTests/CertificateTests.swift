import Cryptography
import Simulator
import Testing

@Suite struct CertificateTests {
    let chain = MintedChain(seed: 1)

    func path(_ chain: MintedChain, at instant: Int64) throws -> CertificatePath {
        try CertificatePath(
            leaf: try #require(Certificate(der: chain.leafDER)),
            intermediate: try #require(Certificate(der: chain.intermediateDER)),
            anchors: [try #require(Certificate(der: chain.rootDER))], at: instant)
    }

    @Test("what a certificate says")
    func reading() throws {
        let root = try #require(Certificate(der: chain.rootDER))
        #expect(root.name == "Quittance Minted Root 1")
        #expect(root.isSelfIssued)
        #expect(root.notBefore == 1_577_836_800)
        #expect(root.notAfter == 2_366_841_600)
        #expect(root.fingerprint == SHA256.hash(chain.rootDER))
        let leaf = try #require(Certificate(der: chain.leafDER))
        #expect(!leaf.isSelfIssued)
        #expect(leaf.hasExtension("1.2.840.113635.100.6.11.1"))
        #expect(!leaf.hasExtension("1.2.840.113635.100.6.2.1"))
        #expect(leaf.p256Key != nil)
    }

    @Test("bytes cut off, or bytes behind, make no certificate")
    func length() {
        #expect(Certificate(der: chain.rootDER + [0]) == nil)
        for count in 0..<chain.rootDER.count {
            #expect(Certificate(der: Array(chain.rootDER.prefix(count))) == nil)
        }
    }

    @Test("a path, and the instants at which it holds")
    func good() throws {
        let found = try path(chain, at: 1_700_000_000)
        #expect(found.validity == 1_577_836_800...2_366_841_599)
        #expect(found.anchor.fingerprint == SHA256.hash(chain.rootDER))
        for instant in [1_577_836_800, 2_366_841_599] as [Int64] {
            _ = try path(chain, at: instant)
        }
        for instant in [.min, 0, 1_577_836_799, 2_366_841_600, .max] as [Int64] {
            #expect(throws: CertificatePath.Failure.expired) { try path(chain, at: instant) }
        }
    }

    @Test("a forged and expired chain is called untrusted, not expired")
    func forgedAndExpired() throws {
        let stranger = MintedChain(seed: 2)
        #expect(throws: CertificatePath.Failure.untrusted) {
            try CertificatePath(
                leaf: try #require(Certificate(der: stranger.leafDER)),
                intermediate: try #require(Certificate(der: stranger.intermediateDER)),
                anchors: [try #require(Certificate(der: chain.rootDER))], at: 0)
        }
    }

    @Test("a path that goes round the intermediate is no path")
    func shortcut() throws {
        let leaf = try #require(Certificate(der: chain.intermediateDER))
        let other = try #require(Certificate(der: MintedChain(seed: 2).intermediateDER))
        #expect(throws: CertificatePath.Failure.untrusted) {
            try CertificatePath(
                leaf: leaf, intermediate: other,
                anchors: [try #require(Certificate(der: chain.rootDER))], at: 1_700_000_000)
        }
    }

    @Test("no signature but the right one is taken")
    func signatures() throws {
        let key = P256.PrivateKey(derivedFrom: [1])
        let publicKey = try #require(P256.PublicKey(x963: key.x963))
        let digest = SHA256.hash([1, 2, 3])
        let signature = key.signature(digest: digest)
        #expect(publicKey.verifies(signature: signature, digest: digest))
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 1
            #expect(!publicKey.verifies(signature: changed, digest: digest))
        }
        #expect(!publicKey.verifies(signature: Array(signature.dropLast()), digest: digest))
        #expect(!publicKey.verifies(signature: signature + [0], digest: digest))
        #expect(!publicKey.verifies(signature: signature, digest: [1]))
        // r and s as the order of the curve, which is 0 again.
        let order = try #require(
            Hexadecimal.decode("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"))
        #expect(!publicKey.verifies(signature: order + signature.suffix(32), digest: digest))
        #expect(!publicKey.verifies(signature: signature.prefix(32) + order, digest: digest))
    }
}
