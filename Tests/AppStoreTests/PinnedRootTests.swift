import Cryptography
import Simulator
import Testing

@testable import AppStore

@Suite struct PinnedRootTests {
    let chain = World.chain

    func reader(pinning der: [UInt8]) -> EvidenceReader {
        let anchors = TrustAnchors(pinned: [SHA256.hash(der)], configured: [])
        return EvidenceReader(anchors: anchors, now: { noon2026 })
    }

    @Test("a root that comes with the evidence is an anchor where its fingerprint is pinned")
    func pinned() {
        #expect(reader(pinning: chain.rootDER).read(jws: World.signed()).verdict == "verified")
    }

    @Test("without the root itself a fingerprint proves nothing")
    func absent() {
        let other = World.signed(
            SigningOptions {
                $0.certificates = [chain.leafDER, chain.intermediateDER, chain.intermediateDER]
            })
        #expect(reader(pinning: chain.rootDER).read(jws: other).verdict == "untrusted-chain")
    }

    @Test("a root that is not pinned is no anchor, and a pinned stranger vouches for nobody")
    func notPinned() {
        let stranger = MintedChain(seed: 2)
        #expect(
            reader(pinning: stranger.rootDER).read(jws: World.signed()).verdict
                == "untrusted-chain")
        let mixed = World.signed(
            SigningOptions {
                $0.certificates = [chain.leafDER, chain.intermediateDER, stranger.rootDER]
            })
        #expect(reader(pinning: stranger.rootDER).read(jws: mixed).verdict == "untrusted-chain")
    }

    @Test("a pinned intermediate is no root")
    func pinnedIntermediate() {
        let jws = World.signed(
            SigningOptions {
                $0.certificates = [chain.leafDER, chain.intermediateDER, chain.intermediateDER]
            })
        #expect(reader(pinning: chain.intermediateDER).read(jws: jws).verdict == "untrusted-chain")
    }

    @Test("Apple's three roots are pinned")
    func apple() {
        #expect(TrustAnchors.apple.pinned.count == 3)
        #expect(TrustAnchors.apple.pinned.allSatisfy { $0.count == 32 })
        #expect(TrustAnchors.apple.configured.isEmpty)
    }
}
