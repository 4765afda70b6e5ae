import Cryptography
import Simulator
import Testing

@Suite struct MintedChainTests {
    @Test("the same seed gives the same bytes, here and anywhere")
    func deterministic() {
        let chain = MintedChain(seed: 42)
        #expect(chain.rootDER == MintedChain(seed: 42).rootDER)
        #expect(
            chain.sign(payload: bytes("{}")) == MintedChain(seed: 42).sign(payload: bytes("{}")))
        let digest = SHA256.hash(chain.sign(payload: bytes("{}")))
        #expect(
            Hexadecimal.encode(digest)
                == "a198df577a144b5f724f4a1c7ca5a0e4c1c595c6824877d3bdeaecd6fc86a7d1")
    }

    @Test("another seed gives other keys and certificates")
    func seeds() {
        let (one, two) = (MintedChain(seed: 1), MintedChain(seed: 2))
        #expect(one.rootDER != two.rootDER)
        #expect(one.intermediateDER != two.intermediateDER)
        #expect(one.leafDER != two.leafDER)
    }
}
