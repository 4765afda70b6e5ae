import AppStore
import Cryptography
import JSON
import Simulator
import Testing

@Suite struct VerificationTests {
    @Test("what a trusted chain signed is verified, at the date it was signed")
    func verified() throws {
        let part = try World.reader().read(jws: World.signed())
        #expect(part.verdict == "verified")
        #expect(part.kind == .transaction)
        #expect(part.verification.verifiedForMilliseconds == noon2026 - 60_000)
        #expect(part.verification.instantSource == .signedDate)
        #expect(
            part.verification.anchor
                == Hexadecimal.encode(SHA256.hash(World.chain.rootDER)))
        #expect(part.verification.signer == "Quittance Minted Leaf 1")
        #expect(part.payload?["transactionId"]?.string == "2000000000000001")
        #expect(part.digest == SHA256.hash(World.signed()))
    }

    @Test(
        "a second signature under the same certificates says the same with the chain from the cache"
    )
    func cached() throws {
        let reader = try World.reader()
        let first = reader.read(jws: World.signed())
        let second = reader.read(jws: World.signed())
        #expect(first.verification == second.verification)
        #expect(first.digest == second.digest)
    }

    @Test(
        "a chain with one thing wrong is refused for that",
        arguments: [
            (ChainFlaw.intermediateWithoutMarker, RefusalReason.wrongCertificatePurpose),
            (.intermediateWithWrongMarker, .wrongCertificatePurpose),
            (.leafWithoutMarker, .wrongCertificatePurpose),
            (.leafWithWrongMarker, .wrongCertificatePurpose),
            (.intermediateIsNoAuthority, .untrustedChain),
            (.leafAsIntermediate, .untrustedChain),
            (.leafIssuedByLeaf, .untrustedChain),
            (.leafWithUnknownCriticalExtension, .untrustedChain),
            (.intermediateWithUnknownCriticalExtension, .untrustedChain),
            (.leafWithEd25519Key, .badCertificate),
            (.leafExpired, .chainExpired),
            (.intermediateExpired, .chainExpired),
        ])
    func flawedChains(flaw: ChainFlaw, reason: RefusalReason) throws {
        let chain = MintedChain(seed: 1, flaw: flaw)
        let part = try World.reader(trusting: chain).read(jws: World.signed(by: chain))
        #expect(part.verification.reason == reason)
        #expect(part.verification.anchor == nil)
    }

    @Test("every flaw of a chain that can be minted is refused", arguments: ChainFlaw.allCases)
    func everyFlaw(flaw: ChainFlaw) throws {
        let chain = MintedChain(seed: 1, flaw: flaw)
        let part = try World.reader(trusting: chain).read(jws: World.signed(by: chain))
        #expect(part.verification.status == .refused)
    }

    @Test("a chain that expired later is good at its signing date, and expired now")
    func expiredChain() throws {
        let chain = MintedChain(seed: 1, flaw: .leafExpired)
        let june2020: Int64 = 1_590_969_600_000
        let jws = AppleSigner(chain: chain).transaction(World.purchase(signedDate: june2020))
        #expect(try World.reader(trusting: chain).read(jws: jws).verdict == "verified")
        let now = try World.reader(trusting: chain, at: .now).read(jws: jws)
        #expect(now.verdict == "chain-expired")
        #expect(now.verification.instantSource == .now)
    }

    @Test(
        "a signature with one thing wrong is refused for that",
        arguments: [
            (SignatureFlaw.zeroR, RefusalReason.badSignature),
            (.zeroS, .badSignature),
            (.ofAnotherPayload, .badSignature),
            (.empty, .malformed),
            (.short, .malformed),
            (.long, .malformed),
            (.der, .malformed),
            (.padded, .malformed),
        ])
    func flawedSignatures(flaw: SignatureFlaw, reason: RefusalReason) throws {
        let jws = World.signed(SigningOptions { $0.signatureFlaw = flaw })
        let reader = try World.reader()
        #expect(reader.read(jws: jws).verification.reason == reason)
        #expect(reader.read(jws: World.signed()).verdict == "verified")
        #expect(reader.read(jws: jws).verification.reason == reason, "with the chain cached")
    }

    @Test(
        "an algorithm other than ES256 is refused", arguments: ["none", "HS256", "ES384", "es256"])
    func algorithms(algorithm: String) throws {
        for flaw in [nil, SignatureFlaw.empty] {
            let jws = World.signed(
                SigningOptions {
                    $0.algorithm = algorithm
                    $0.signatureFlaw = flaw
                })
            #expect(try World.reader().read(jws: jws).verdict == "bad-algorithm")
        }
    }

    @Test("a header without algorithm or without certificates is malformed")
    func missingHeaders() throws {
        let noAlgorithm = World.signed(SigningOptions { $0.algorithm = nil })
        let noCertificates = World.signed(SigningOptions { $0.certificatesMember = "x5cwrong" })
        #expect(try World.reader().read(jws: noAlgorithm).verdict == "malformed")
        #expect(try World.reader().read(jws: noCertificates).verdict == "malformed")
    }

    @Test("a chain of 0, 1, 2 or 4 certificates is malformed", arguments: [0, 1, 2, 4])
    func chainLengths(count: Int) throws {
        let chain = World.chain
        let four = [chain.leafDER, chain.intermediateDER, chain.rootDER, chain.rootDER]
        let jws = World.signed(SigningOptions { $0.certificates = Array(four.prefix(count)) })
        #expect(try World.reader().read(jws: jws).verdict == "malformed")
    }

    @Test("the third certificate is counted, but neither compared nor trusted")
    func thirdCertificate() throws {
        let chain = World.chain
        let stranger = MintedChain(seed: 2)
        let other = World.signed(
            SigningOptions {
                $0.certificates = [chain.leafDER, chain.intermediateDER, stranger.rootDER]
            })
        #expect(try World.reader().read(jws: other).verdict == "verified")
        let garbage = World.signed(
            SigningOptions { $0.certificates = [chain.leafDER, chain.intermediateDER, [1, 2]] })
        #expect(try World.reader().read(jws: garbage).verdict == "verified")
        let own = World.signed(by: stranger)
        #expect(try World.reader().read(jws: own).verdict == "untrusted-chain")
    }

    @Test("certificates that cannot be read are bad, in base64 or in DER")
    func badCertificates() throws {
        let chain = World.chain
        let der = World.signed(
            SigningOptions { $0.certificates = [[1, 2, 3], chain.intermediateDER, chain.rootDER] })
        #expect(try World.reader().read(jws: der).verdict == "bad-certificate")
        let trailing = World.signed(
            SigningOptions {
                $0.certificates = [chain.leafDER, chain.intermediateDER + [0], chain.rootDER]
            })
        #expect(try World.reader().read(jws: trailing).verdict == "bad-certificate")
        let header = bytes(#"{"alg":"ES256","x5c":["*","*","*"]}"#)
        let base64 = World.signed(SigningOptions { $0.header = header })
        #expect(try World.reader().read(jws: base64).verdict == "bad-certificate")
    }

    @Test("with no root configured, or another's, nothing minted is trusted")
    func foreignRoot() throws {
        let none = EvidenceReader(anchors: .none, now: { noon2026 })
        #expect(none.read(jws: World.signed()).verdict == "untrusted-chain")
        let apple = EvidenceReader(now: { noon2026 })
        #expect(apple.read(jws: World.signed()).verdict == "untrusted-chain")
        let other = try World.reader(trusting: MintedChain(seed: 2))
        #expect(other.read(jws: World.signed()).verdict == "untrusted-chain")
    }

    @Test("a root with the right name but another key is not trusted")
    func sameNames() throws {
        // Same names, other keys: seed 1 under another derivation cannot be minted, so the leaf of
        // one chain is put under the intermediate of another.
        let stranger = MintedChain(seed: 2)
        let mixed = World.signed(
            SigningOptions {
                $0.certificates = [
                    World.chain.leafDER, stranger.intermediateDER, stranger.rootDER,
                ]
            })
        #expect(try World.reader().read(jws: mixed).verdict == "untrusted-chain")
        #expect(try World.reader(trusting: stranger).read(jws: mixed).verdict == "untrusted-chain")
    }

    @Test("more than 5 minutes ahead of our clock is refused, and 5 minutes are not")
    func future() throws {
        let reader = try World.reader()
        let limit = World.signer.transaction(World.purchase(signedDate: noon2026 + 300_000))
        #expect(reader.read(jws: limit).verdict == "verified")
        let beyond = World.signer.transaction(World.purchase(signedDate: noon2026 + 300_001))
        #expect(reader.read(jws: beyond).verdict == "signed-in-future")
        #expect(try World.reader(at: .now).read(jws: beyond).verdict == "signed-in-future")
    }

    @Test("without a signed date the chain is checked for now, and the result says so")
    func noSignedDate() throws {
        let jws = World.chain.sign(payload: bytes(#"{"bundleId":"com.example.game"}"#))
        let part = try World.reader().read(jws: jws)
        #expect(part.verdict == "verified")
        #expect(part.kind == .unknown)
        #expect(part.verification.instantSource == .now)
        #expect(part.verification.verifiedForMilliseconds == noon2026)
    }

    @Test("an app transaction is checked at its receiptCreationDate")
    func appTransaction() throws {
        let payload = #"{"receiptType":"Sandbox","receiptCreationDate":1700000000000.5}"#
        let part = try World.reader().read(jws: World.chain.sign(payload: bytes(payload)))
        #expect(part.kind == .appTransaction)
        #expect(part.verification.instantSource == .receiptCreationDate)
        #expect(part.verification.verifiedForMilliseconds == 1_700_000_000_000)
    }

    @Test("what Xcode signed is called that, whoever is trusted")
    func xcode() throws {
        let reader = try World.reader()
        let payload = World.signer.transactionPayload(World.purchase())
        let alone = World.chain.signAsXcode(payload: payload)
        #expect(reader.read(jws: alone).verdict == "xcode-signed")
        for environment in ["Xcode", "LocalTesting"] {
            let signer = AppleSigner(chain: World.chain, environment: environment)
            let whole = signer.transaction(World.purchase())
            #expect(reader.read(jws: whole).verdict == "xcode-signed")
            let single = signer.transaction(
                World.purchase(),
                options: SigningOptions { $0.certificates = [World.chain.leafDER] })
            #expect(reader.read(jws: single).verdict == "xcode-signed")
            let stranger = AppleSigner(chain: MintedChain(seed: 2), environment: environment)
            let forged = stranger.transaction(World.purchase())
            #expect(reader.read(jws: forged).verdict == "untrusted-chain")
        }
    }

    @Test("instants no calendar has are expired, not fatal", arguments: [Int64.min, -1, Int64.max])
    func extremeInstants(instant: Int64) throws {
        let reader = try World.reader(at: .given(instant))
        #expect(reader.read(jws: World.signed()).verdict == "chain-expired")
        let jws = World.signer.transaction(World.purchase(signedDate: instant))
        #expect(try World.reader().read(jws: jws).verdict == "chain-expired")
    }
}
