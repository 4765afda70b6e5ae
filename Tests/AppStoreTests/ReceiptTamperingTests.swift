import AppStore
import Cryptography
import JSON
import Simulator
import Testing

@Suite("A receipt that was tampered with")
struct ReceiptTamperingTests {
    @Test(
        "is refused for its own reason",
        arguments: [
            (ReceiptFlaw.emptySignature, "malformed"), (.flippedSignature, "bad-signature"),
            (.emptyContent, "bad-signature"), (.flippedContent, "bad-signature"),
            (.cutContent, "bad-signature"), (.trailingByte, "malformed"), (.cut, "malformed"),
            (.noSigner, "malformed"), (.twoSigners, "malformed"), (.digestIsMD5, "bad-algorithm"),
        ])
    func flaws(flaw: ReceiptFlaw, verdict: String) throws {
        #expect(try Receipts.verdict(Receipts.signed { $0.flaw = flaw }) == verdict)
    }

    @Test("every flaw is told from genuine")
    func allFlaws() throws {
        for flaw in ReceiptFlaw.allCases {
            #expect(
                try Receipts.verdict(Receipts.signed { $0.flaw = flaw }) != "verified", "\(flaw)")
        }
    }

    /// node#95, python#47: the tampered receipt can be parsed, and still names its transaction.
    @Test("is refused although it can be read")
    func readable() throws {
        let part = try Receipts.reader().read(
            receipt: Receipts.signed { $0.flaw = .flippedSignature })
        #expect(part.verdict == "bad-signature")
        #expect(
            part.payload?["inApp"]?.array?.first?["transactionId"]?.string == "2000000000000001")
        #expect(part.verification.anchor == nil)
    }

    @Test("certificates that lead nowhere, or to somebody else, prove nothing")
    func certificates() throws {
        let (ours, other) = (Receipts.signer, Receipts.other)
        let cases: [([[UInt8]], String)] = [
            ([], "malformed"), ([ours.leafDER], "untrusted-chain"),
            ([ours.intermediateDER, ours.rootDER], "bad-certificate"),
            ([ours.leafDER, other.intermediateDER, other.rootDER], "untrusted-chain"),
            ([ours.leafDER, ours.leafDER, ours.rootDER], "untrusted-chain"),
        ]
        for (certificates, verdict) in cases {
            #expect(
                try Receipts.verdict(Receipts.signed { $0.certificates = certificates }) == verdict)
        }
        #expect(try Receipts.verdict(Receipts.signed(by: other)) == "untrusted-chain")
        let many = Array(repeating: ours.leafDER, count: 33)
        #expect(try Receipts.verdict(Receipts.signed { $0.certificates = many }) == "too-large")
    }

    /// libcrypto would read the content by as many filters as the message names digests.
    @Test("more digest algorithms than anybody needs are refused before anything is computed")
    func digestAlgorithms() throws {
        let plain = try #require(Base64.decode(Receipts.signed()))
        #expect(try SignedMessage(repeatingDigests(of: plain, 4)).isSignatureGood())
        #expect(throws: SignedMessage.Failure.malformed) {
            try SignedMessage(repeatingDigests(of: plain, 5))
        }
        #expect(throws: SignedMessage.Failure.malformed) {
            try SignedMessage(repeatingDigests(of: plain, 100_000))
        }
    }

    /// The message with its digest algorithm so many times.
    private func repeatingDigests(of message: [UInt8], _ count: Int) throws -> [UInt8] {
        var outer = BasicReader(message)
        var info = try outer.inside(outer.only())
        let type = try #require(try info.next())
        var explicit = try info.inside(info.only())
        var data = try explicit.inside(explicit.only())
        let version = try #require(try data.next())
        let digests = try #require(try data.next())
        let rest = message[digests.whole.upperBound...]
        let many = Array(repeatElement(message[digests.content], count: count).joined())
        let fields = message[version.whole] + encoded(0x31, many) + rest
        let content = encoded(0xA0, encoded(0x30, fields))
        return encoded(0x30, message[type.whole] + content)
    }

    private func encoded(_ identifier: UInt8, _ content: some Collection<UInt8>) -> [UInt8] {
        let length = withUnsafeBytes(of: UInt32(content.count).bigEndian) { Array($0) }
        return [identifier, 0x84] + length + content
    }

    @Test("a certificate that was read before is not read again")
    func certificateCache() throws {
        let cache = CertificateCache()
        let plain = try #require(Base64.decode(Receipts.signed()))
        let (first, second) = (
            try SignedMessage(plain, cache: cache), try SignedMessage(plain, cache: cache)
        )
        #expect(first.certificates.count == 3)
        #expect(zip(first.certificates, second.certificates).allSatisfy { $0 === $1 })
        #expect(second.isSignatureGood() && first.isSignatureGood())
        let apart = try SignedMessage(plain)
        #expect(apart.signer !== first.signer)
        #expect(apart.signer.fingerprint == first.signer.fingerprint)
    }

    @Test(
        "a chain that is not Apple's kind is refused for that",
        arguments: [
            (ChainFlaw.intermediateWithoutMarker, "wrong-certificate-purpose"),
            (.intermediateWithWrongMarker, "wrong-certificate-purpose"),
            (.leafWithoutMarker, "wrong-certificate-purpose"),
            (.leafWithWrongMarker, "wrong-certificate-purpose"),
            (.intermediateIsNoAuthority, "untrusted-chain"),
            (.leafAsIntermediate, "untrusted-chain"),
            (.leafWithUnknownCriticalExtension, "untrusted-chain"), (.leafExpired, "chain-expired"),
            (.intermediateExpired, "chain-expired"),
        ])
    func chains(flaw: ChainFlaw, verdict: String) throws {
        let signer = ReceiptSigner(seed: 1, flaw: flaw)
        let reader = try Receipts.reader(trusting: signer)
        #expect(reader.read(receipt: Receipts.signed(by: signer)).verdict == verdict)
    }

    @Test("a byte flipped anywhere never verifies, unless nobody signed or reads it")
    func everyByte() throws {
        let plain = try #require(Base64.decode(Receipts.signed()))
        let reader = try Receipts.reader()
        var accepted = 0
        for index in plain.indices {
            var changed = plain
            changed[index] ^= 0x01
            let part = reader.read(receipt: changed)
            guard part.verification.status == .verified else { continue }
            accepted += 1
            // Versions, the outer list of digests and the root, which is configured here.
            #expect(part.payload?["inApp"]?.array?.count == 1)
            #expect(part.verification.signer == "Quittance Minted Receipt Leaf 1")
        }
        let root = Receipts.signer.rootDER.count
        #expect(accepted < root + 64)
    }

    @Test("cut anywhere it is malformed, and accuses nobody")
    func truncation() throws {
        let text = Receipts.signed()
        let reader = try Receipts.reader()
        for length in stride(from: 0, to: text.count, by: 61) {
            let part = reader.read(receipt: Array(text.prefix(length)))
            #expect(part.verdict == "malformed", "\(length)")
        }
    }

    @Test("is malformed without what every receipt has", arguments: [2, 3, 4, 5, 12] as [Int64])
    func missing(attribute: Int64) throws {
        let fields = Receipts.fields { $0.omitted = [attribute] }
        #expect(try Receipts.verdict(Receipts.signed(fields)) == "malformed")
    }

    @Test(
        "is malformed without what every purchase has",
        arguments: [1701, 1702, 1703, 1704] as [Int64])
    func missingInPurchase(attribute: Int64) throws {
        let fields = Receipts.fields { $0.purchases[0].omitted = [attribute] }
        #expect(try Receipts.verdict(Receipts.signed(fields)) == "malformed")
    }

    @Test(
        "is verified without what some lack",
        arguments: [0, 1, 8, 18, 19, 1705, 1706, 1707, 1711] as [Int64])
    func optional(attribute: Int64) throws {
        let fields = Receipts.fields {
            $0.omitted = [attribute]
            $0.purchases[0].omitted = [attribute]
        }
        #expect(try Receipts.verdict(Receipts.signed(fields)) == "verified")
    }

    @Test("an ASN.1 length beyond the bytes is malformed, whoever signed it")
    func lengths() throws {
        let content = Receipts.fields().content
        for broken in [
            [0x31, 0x84, 0x7F, 0xFF, 0xFF, 0xFF], [0x31, 0x82, 0xFF], [0x31], [],
            content.dropLast(), content + [0], [0x31, 0x80] + content, [0x30] + content.dropFirst(),
        ] as [[UInt8]] {
            let receipt = Receipts.signer.sign(content: broken)
            #expect(try Receipts.verdict(receipt) == "malformed")
        }
    }

    /// emindeniz99/app-store-receipt: a reader that follows the missing content crashes.
    @Test("SignedData without content is malformed")
    func withoutContent() throws {
        let crash = try #require(Hexadecimal.decode("300B06092A864886F70D010702"))
        #expect(try Receipts.verdict(crash) == "malformed")
        for content in ["A000", "A0023000", "A0020500", "A08030800000"] {
            let body = try #require(Hexadecimal.decode("06092A864886F70D010702" + content))
            #expect(try Receipts.verdict([0x30, UInt8(body.count)] + body) == "malformed")
        }
    }

    @Test("nesting has a bound")
    func nesting() throws {
        func opened(_ tag: UInt8, _ depth: Int) -> [UInt8] {
            Array(repeating: [tag, 0x80], count: depth).flatMap { $0 }
        }
        for depth in [30, 63, 64, 65, 1_000, 100_000] {
            let sets = opened(0x31, depth)
            #expect(try Receipts.verdict(Receipts.signer.sign(content: sets)) == "malformed")
            #expect(try Receipts.verdict([0x30, 0x80] + sets) == "malformed")
            let strings = opened(0x24, depth) + [UInt8](repeating: 0, count: 2 * depth)
            #expect(try Receipts.verdict(Receipts.signer.sign(content: strings)) == "malformed")
        }
    }

    @Test("size and purchases have a bound")
    func bounds() throws {
        let long = [UInt8](repeating: UInt8(ascii: "M"), count: EvidenceReader.receiptBytesMax + 1)
        #expect(try Receipts.verdict(long) == "too-large")
        #expect(try Receipts.verdict(Array(long.dropLast(5))) == "malformed")
        let purchase = Receipts.fields().purchases[0]
        let most = Receipts.fields { $0.purchases = Array(repeating: purchase, count: 20_000) }
        #expect(try Receipts.verdict(Receipts.signed(most)) == "verified")
        let more = Receipts.fields { $0.purchases = Array(repeating: purchase, count: 20_001) }
        #expect(try Receipts.verdict(Receipts.signed(more)) == "too-large")
    }

    @Test("of tomorrow is signed in the future; five minutes are forgiven")
    func future() throws {
        let skewed = Receipts.fields { $0.creationDate = noon2026 + 300_000 }
        #expect(try Receipts.verdict(Receipts.signed(skewed)) == "verified")
        let ahead = Receipts.fields { $0.creationDate = noon2026 + 301_000 }
        #expect(try Receipts.verdict(Receipts.signed(ahead)) == "signed-in-future")
    }
}
