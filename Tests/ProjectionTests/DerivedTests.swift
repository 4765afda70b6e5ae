import JSON
import Projection
import Settlement
import Simulator
import TestKit
import Testing

@Suite("Derived columns", .fewAtOnce)
struct DerivedTests {
    private let purchase = Purchase(order: "A-1", transaction: "7")

    @Test("pending becomes paid-not-delivered when the grace is over, and waits for nothing more")
    func grace() async throws {
        var views = try await Views(now: TestApple.noon)
        try await views.take(purchase.paid)
        #expect(try await views.storedVerdict(of: "A-1") == "pending")
        let due = try await views.rows("select review_at::text from orders")
        views.now += 15 * 60_000 - 1
        try await views.projector.catchUp()
        #expect(try await views.storedVerdict(of: "A-1") == "pending")
        #expect(try await views.rows("select review_at::text from orders") == due)
        views.now += 1
        try await views.projector.catchUp()
        #expect(try await views.storedVerdict(of: "A-1") == "paid-not-delivered")
    }

    @Test("more orders are due than one round takes")
    func manyDue() async throws {
        var views = try await Views(now: TestApple.noon)
        let texts = (0..<450).flatMap { number in
            let purchase = Purchase(order: "A-\(number)", transaction: "7")
            return [purchase.created, purchase.attempted]
        }
        try await views.take(texts)
        views.now += 366 * 86_400_000
        try await views.projector.catchUp()
        let statuses = try await views.rows("select distinct status from orders")
        #expect(statuses == ["abandoned"])
    }

    @Test("a charge that comes later makes an order payment-unlinked; another order takes it away")
    func candidate() async throws {
        let views = try await Views(now: TestApple.noon + 3_600_000)
        try await views.take([purchase.created, purchase.attempted])
        #expect(try await views.storedVerdict(of: "A-1") == "unproven")
        try await views.take([purchase.charged])
        #expect(try await views.storedVerdict(of: "A-1") == "payment-unlinked")
        var other = Purchase(order: "B-1", transaction: "7", account: "bert")
        other.receivedAt += 60_000
        try await views.take([other.created, other.named])
        #expect(try await views.storedVerdict(of: "A-1") == "unproven")
        #expect(try await views.storedVerdict(of: "B-1") == "paid-not-delivered")
        let report = try await views.report(on: "A-1")
        #expect(report.orders.first?.verdict.verdict.code.rawValue == "unproven")
    }

    @Test("a change of the rules reaches orders and charges that are there already")
    func rules() async throws {
        var views = try await Views(now: TestApple.noon + 3_600_000)
        let sandbox = EventText(
            "appstore.transaction", id: "x", receivedAt: TestApple.noon,
            [
                "signedTransaction": TestApple.transaction("7") {
                    $0.extra = [.init("environment", "Sandbox".json)]
                }.text
            ])
        try await views.take([purchase.created, purchase.attempted, sandbox, purchase.named])
        #expect(try await views.storedVerdict(of: "A-1") == "wrong-environment")
        #expect(try await views.rows("select is_charge::text from charges") == ["false"])
        try await views.take([
            EventText(
                "settings.changed", id: "s", source: "operator",
                ["bundleId": TestApple.bundle, "environments": ["Production", "Sandbox"]])
        ])
        #expect(try await views.storedVerdict(of: "A-1") == "paid-not-delivered")
        #expect(try await views.rows("select is_charge::text from charges") == ["true"])
        views.now += 1
        try await views.take([
            EventText("policy.changed", id: "p", source: "operator", ["deliveryGrace": 7_200_000])
        ])
        #expect(try await views.storedVerdict(of: "A-1") == "pending")
    }

    @Test("the row of an order is what is answered about it", arguments: 0..<3)
    func rowsAndAnswers(seed: Int) async throws {
        let history = RandomHistory(seed: UInt64(900 + seed), stories: 4)
        let views = try await Views(now: history.now)
        try await views.take(history.texts)
        let numbers = try await views.rows(
            "select convert_from(order_number, 'UTF8') from orders order by 1")
        #expect(!numbers.isEmpty)
        for number in numbers {
            let order = try #require(
                try await views.report(on: number).orders.first { $0.number == number })
            #expect(
                try await views.storedVerdict(of: number)
                    == order.answer.verdict.code.rawValue, "\(number)")
        }
    }
}
