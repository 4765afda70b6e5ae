import Simulator
import Testing

@testable import AppStore

@Suite struct ChainCacheTests {
    @Test("a cached chain is still checked for the instant of each signature")
    func instantOfEach() throws {
        let chain = MintedChain(seed: 1, flaw: .leafExpired)
        let signer = AppleSigner(chain: chain)
        let reader = try World.reader(trusting: chain)
        let june2020: Int64 = 1_590_969_600_000
        let then = signer.transaction(World.purchase(signedDate: june2020))
        #expect(reader.read(jws: then).verdict == "verified")
        #expect(reader.cachedChainCount == 1)
        let later = signer.transaction(World.purchase(signedDate: noon2026))
        #expect(reader.read(jws: later).verdict == "chain-expired")
        #expect(reader.read(jws: then).verdict == "verified")
    }

    @Test("the first and the last second of a chain count as valid")
    func bounds() throws {
        let new2020: Int64 = 1_577_836_800_000
        let new2045: Int64 = 2_366_841_600_000
        let reader = try World.reader(now: new2045)
        for (instant, verdict) in [
            (new2020 - 1, "chain-expired"), (new2020, "verified"), (new2020, "verified"),
            (new2045 - 1, "verified"), (new2045, "chain-expired"),
            (new2020 - 1, "chain-expired"),
        ] {
            let jws = World.signer.transaction(World.purchase(signedDate: instant))
            #expect(reader.read(jws: jws).verdict == verdict)
        }
    }

    @Test("no more than 32 chains are kept, and those in use stay")
    func bounded() throws {
        let reader = try World.reader()
        for number in 0..<40 {
            #expect(reader.read(jws: World.signed()).verdict == "verified")
            let other = World.signed(SigningOptions { $0.keyId = "key \(number)" })
            #expect(reader.read(jws: other).verdict == "verified")
        }
        #expect(reader.cachedChainCount == 32)
    }

    @Test("a header nobody signed with does not enter the cache")
    func badSignatureIsNotCached() throws {
        let reader = try World.reader()
        let jws = World.signed(SigningOptions { $0.signatureFlaw = .ofAnotherPayload })
        #expect(reader.read(jws: jws).verdict == "bad-signature")
        #expect(reader.cachedChainCount == 0)
    }

    @Test("many tasks can read with one reader")
    func concurrently() async throws {
        let reader = try World.reader()
        let genuine = World.signed()
        let forged = World.signed(SigningOptions { $0.signatureFlaw = .ofAnotherPayload })
        let verdicts = await withTaskGroup(of: (Bool, String).self) { group in
            for index in 0..<200 {
                let isGenuine = index.isMultiple(of: 2)
                group.addTask {
                    (isGenuine, reader.read(jws: isGenuine ? genuine : forged).verdict)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(verdicts.count == 200)
        #expect(verdicts.allSatisfy { $0.1 == ($0.0 ? "verified" : "bad-signature") })
    }
}
