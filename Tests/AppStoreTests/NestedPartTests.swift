import AppStore
import Simulator
import Testing

@Suite struct NestedPartTests {
    func notification(transaction: [UInt8], renewal: [UInt8]? = nil) -> [UInt8] {
        World.signer.notification(
            NotificationFields(
                "DID_RENEW", notificationUUID: "u", signedDate: noon2026,
                signedTransactionInfo: transaction
            ) { $0.signedRenewalInfo = renewal })
    }

    @Test("the parts inside a notification are verified by themselves")
    func verified() throws {
        let renewal = World.signer.renewal(
            RenewalFields(originalTransactionId: "1", productId: "p", signedDate: noon2026))
        let jws = notification(transaction: World.signed(), renewal: renewal)
        let part = try World.reader().read(jws: jws)
        #expect(part.kind == .notification)
        #expect(part.path.isEmpty)
        #expect(
            part.nested.map(\.path) == ["data.signedTransactionInfo", "data.signedRenewalInfo"])
        #expect(part.nested.map(\.kind) == [.transaction, .renewal])
        #expect(part.nested.map(\.verdict) == ["verified", "verified"])
        #expect(part.nested[0].bytes == World.signed())
    }

    @Test("a forged part inside a genuine notification is refused, and only that")
    func forgedInside() throws {
        let jws = notification(transaction: World.signed(by: MintedChain(seed: 2)))
        let part = try World.reader().read(jws: jws)
        #expect(part.verdict == "verified")
        #expect(part.nested.map(\.verdict) == ["untrusted-chain"])
    }

    @Test("a genuine part inside a forged notification is still genuine")
    func genuineInside() throws {
        let stranger = AppleSigner(chain: MintedChain(seed: 2))
        let jws = stranger.notification(
            NotificationFields(
                "ONE_TIME_CHARGE", notificationUUID: "u", signedDate: noon2026,
                signedTransactionInfo: World.signed()))
        let part = try World.reader().read(jws: jws)
        #expect(part.verdict == "untrusted-chain")
        #expect(part.nested.map(\.verdict) == ["verified"])
    }

    @Test("a test notification has nothing inside")
    func test() throws {
        let jws = World.signer.notification(
            NotificationFields("TEST", notificationUUID: "u", signedDate: noon2026))
        #expect(try World.reader().read(jws: jws).nested.isEmpty)
    }

    @Test("where a payload does not tell its kind, the member it came in does")
    func kindByPath() throws {
        let jws = World.chain.sign(payload: bytes(#"{"environment":"Sandbox"}"#))
        let reader = try World.reader()
        #expect(reader.read(jws: jws, path: "data.signedTransactionInfo").kind == .transaction)
        #expect(reader.read(jws: jws, path: "data.signedRenewalInfo").kind == .renewal)
        #expect(reader.read(jws: jws, path: "").kind == .unknown)
        let renewal = World.signer.renewal(
            RenewalFields(originalTransactionId: "1", productId: "p", signedDate: noon2026))
        #expect(reader.read(jws: renewal, path: "data.signedTransaction").kind == .renewal)
    }
}
