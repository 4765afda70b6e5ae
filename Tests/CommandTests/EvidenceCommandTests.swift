import JSON
import PostgreSQL
import Simulator
import TestKit
import Testing

@Suite("evidence reverify", .fewAtOnce)
struct EvidenceCommandTests {
    @Test("believes what was refused before its root was configured, and says so")
    func mended() async throws {
        let desk = try await Desk()
        let chain = MintedChain(seed: 42)
        let jws = chain.sign(
            payload: TestApple.signer.transactionPayload(
                .init(transactionId: "7", productId: "gems.60", purchaseDate: TestApple.noon)))
        let file = try desk.file(
            "event.ndjson",
            [
                EventText(
                    "storekit.purchased", id: "1", source: "device", receivedAt: TestApple.noon,
                    [
                        "bundleId": TestApple.bundle, "applicationUsername": "A-1",
                        "productId": "gems.60", "account": "anna", "signedTransaction": jws.text,
                    ])
            ])
        #expect(try desk.quittance.run("ingest", file).status == 4)
        let before = try desk.quittance.run("order", "show", "A-1", "--json").json()
        #expect(before["orders"]?.array?.first?.at("verdict", "code")?.string == "forged")

        let unchanged = try desk.quittance.run("evidence", "reverify", "--json").json()
        #expect(unchanged["judged"]?.int64 == 1 && unchanged["changed"]?.int64 == 0)
        let root = try desk.folder.file("other-root.der", chain.rootDER)
        let mended = try desk.quittance.run("evidence", "reverify", "--trust", root)
        #expect(mended.status == 0)
        #expect(mended.text == "judged 1  changed 1  verified 1  erased 0\n")
        #expect(
            mended.errors.contains(
                "position 1, data.signedTransaction: untrusted-chain before, verified now"))

        let after = try desk.quittance.run("order", "show", "A-1", "--json").json()
        let order = try #require(after["orders"]?.array?.first)
        #expect(order.at("verdict", "code")?.string == "paid-not-delivered")
        #expect(order["entitlements"]?.array?.first?["state"]?.string == "active")
        #expect(order["disputes"]?.array == [])
        let asOf = try desk.quittance.run("order", "show", "A-1", "--as-of", "1", "--json").json()
        #expect(
            asOf["orders"]?.array?.first?.at("verdict", "code")?.string == "forged",
            "as it was known then")
    }
}
