import AppStore
import EventLog
import Intake
import JSON
import Projection
import Settlement
import Simulator
import Synchronization
import TestKit
import Testing

@Suite("Evidence that is judged anew", .fewAtOnce)
struct ReverifyTests {
    private let views: Views

    init() async throws { views = try await Views(now: TestApple.noon + 3_600_000) }

    private func purchased(
        _ id: String, receipt: Bool = false, account: String = "anna", order: String? = "A-1"
    ) -> EventText {
        EventText(
            "storekit.purchased", id: "p\(id)", source: "device",
            receivedAt: TestApple.noon,
            [
                "bundleId": TestApple.bundle, "productId": "gems.60", "account": account,
                "applicationUsername": order, "transactionId": id,
                "signedTransaction": receipt ? nil : TestApple.transaction(id).text,
                "receipt": receipt ? TestApple.receipt([id]).text : nil,
            ])
    }

    private func reverify(_ door: Door? = nil) async throws -> (ReverificationCounts, [String]) {
        let changes = Collected()
        let good = try TrustAnchors.none.adding(TestApple.chain.rootDER)
            .adding(TestApple.receipts.rootDER)
        let counts = try await Reverifier(
            log: views.log,
            door: door ?? Views.door(anchors: good, receivedAt: TestApple.noon + 60_000)
        ) { change in
            changes.add("\(change.position) \(change.path): \(change.before) \(change.now)")
        }.run()
        return (counts, changes.texts)
    }

    @Test("is verified after its root is trusted; the order is paid, and rebuilt the same")
    func mendedRoot() async throws {
        try await views.append(
            [purchased("7").bytes, purchased("8", receipt: true, order: "A-2").bytes],
            through: Views.door(anchors: TrustAnchors.none))
        try await views.projector.catchUp()
        #expect(try await views.storedVerdict(of: "A-1") == "forged")

        let (counts, changes) = try await reverify()
        #expect(counts.judged == 2 && counts.changed == 2 && counts.verified == 2)
        #expect(
            changes == [
                "1 data.signedTransaction: untrusted-chain verified",
                "2 data.receipt: untrusted-chain verified",
            ])
        try await views.projector.catchUp()
        #expect(try await views.storedVerdict(of: "A-1") == "paid-not-delivered")
        #expect(try await views.storedVerdict(of: "A-2") == "paid-not-delivered")
        let report = try await views.report(on: "A-1")
        #expect(report.orders.first?.answer.charges.first?.owner?.account == "anna")
        #expect(report.orders.first?.verdict.proof == [1, 3], "with the new judgement")

        let before = try await views.dump()
        try await views.projector.reset()
        try await views.projector.catchUp()
        expectSame(before, try await views.dump(), "made anew")
    }

    @Test("is judged once for each change, and nothing twice")
    func onlyOnce() async throws {
        try await views.append(
            [purchased("7").bytes], through: Views.door(anchors: TrustAnchors.none))
        #expect(try await reverify(Views.door(anchors: TrustAnchors.none)).0.changed == 0)
        let anchors = try TrustAnchors.none.adding(TestApple.chain.rootDER)
        let elsewhere = Views.door(anchors: anchors, bundles: ["com.example.other"])
        #expect(
            try await reverify(elsewhere).1 == [
                "1 data.signedTransaction: untrusted-chain wrong-bundle"
            ])
        #expect(try await reverify(elsewhere).0.changed == 0)
        #expect(try await reverify().0.verified == 1)
        let again = try await reverify().0
        #expect(again == ReverificationCounts())
        #expect(try await views.log.head().size == 3)
        let types = try await views.log.read(after: 0, limit: 10).map(\.type)
        #expect(types == ["storekit.purchased", "evidence.reverified", "evidence.reverified"])
    }

    @Test("of an answer is judged part by part, and Apple's look-up finds its transactions then")
    func lookUp() async throws {
        let answer = EventText(
            "appstore.answer", id: "q1", source: "operator", receivedAt: TestApple.noon,
            [
                "bundleId": TestApple.bundle, "endpoint": "lookup",
                "request": "/inApps/v1/lookup/MK5TTTVHXH",
                "answer": JSONValue(
                    .object([
                        JSONMember("status", 0.json),
                        JSONMember("signedTransactions", [TestApple.transaction("7").text].json),
                    ])),
            ])
        try await views.append([answer.bytes], through: Views.door(anchors: TrustAnchors.none))
        #expect(try await reverify().0.verified == 1)
        try await views.projector.catchUp()
        let matches = try await views.report(on: "MK5TTTVHXH").matches
        #expect(matches.map(\.kind) == ["appleOrderId"])
        #expect(matches.first?.verdict.verdict.code == .paymentUnlinked)
    }

    @Test("keeps personal values where they can be forgotten")
    func personal() async throws {
        try await views.append(
            [purchased("7").bytes], through: Views.door(anchors: TrustAnchors.none))
        _ = try await reverify()
        let event = try #require(try await views.log.read(after: 1, limit: 1).first)
        #expect(!event.body.text.contains("anna"))
        let body = try JSONValue(parsing: event.readableBody())
        #expect(body.at("data", "received", "data", "account")?.string == "anna")
        #expect(event.keys.transactionId == Array("7".utf8))
        #expect(event.evidence.count == 1 && event.personalValuesAreGenuine() == true)
    }

    @Test("whose bytes were erased is counted and left as it was")
    func erased() async throws {
        try await views.append(
            [purchased("7").bytes], through: Views.door(anchors: TrustAnchors.none))
        try await views.run("alter table evidence disable trigger all")
        try await views.run("update evidence set bytes = null")
        let counts = try await reverify().0
        #expect(counts.judged == 1 && counts.erased == 1 && counts.changed == 0)
    }
}

/// Texts that come from several places.
private final class Collected: Sendable {
    private let list = Mutex<[String]>([])

    var texts: [String] { list.withLock { $0 } }

    func add(_ text: String) { list.withLock { $0.append(text) } }
}
