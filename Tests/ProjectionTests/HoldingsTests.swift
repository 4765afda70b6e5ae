import EventLog
import JSON
import Projection
import Settlement
import Simulator
import TestKit
import Testing

private let day: Int64 = 86_400_000

@Suite("The views of entitlements and disputes", .fewAtOnce)
struct HoldingsTests {
    private func notification(
        _ type: String, _ id: String, uuid: String, at instant: Int64 = TestApple.noon,
        _ change: @escaping (inout TransactionFields) -> Void = { _ in }
    ) -> EventText {
        let transaction = TestApple.transaction(id) {
            $0.signedDate = instant
            change(&$0)
        }
        return EventText(
            "appstore.notification", id: uuid, receivedAt: instant,
            [
                "signedPayload": TestApple.notification(
                    type, uuid: uuid, signedDate: instant, transaction: transaction
                ).text
            ])
    }

    private func monthly(_ fields: inout TransactionFields) {
        fields.type = "Auto-Renewable Subscription"
        fields.expiresDate = TestApple.noon + 30 * day
    }

    @Test("a subscription's row is active until its end, and over when that has passed")
    func timePasses() async throws {
        var views = try await Views(now: TestApple.noon + day)
        try await views.take([notification("SUBSCRIBED", "5000", uuid: "u1", monthly)])
        let state = "select state || ' ' || kind || ' ' || basis from entitlements"
        #expect(try await views.rows(state) == ["active auto-renewable purchased"])
        views.now = TestApple.noon + 31 * day
        try await views.projector.catchUp()
        #expect(try await views.rows(state) == ["expired auto-renewable purchased"])
        let review = "select coalesce(review_at::text, '') from entitlements"
        #expect(try await views.rows(review) == [""])
    }

    @Test("a request for consumption is due in 12 hours, and overdue when they have passed")
    func overdue() async throws {
        var views = try await Views(now: TestApple.noon + 1)
        try await views.take([notification("CONSUMPTION_REQUEST", "7", uuid: "u1")])
        let row = """
            select state || ' ' || is_overdue || ' '
                || extract(epoch from due_at - requested_at)::bigint from disputes
            """
        #expect(try await views.rows(row) == ["consumption-requested false 43200"])
        views.now = TestApple.noon + 12 * 3_600_000
        try await views.projector.catchUp()
        #expect(try await views.rows(row) == ["consumption-requested true 43200"])
        try await views.take([
            EventText(
                "appstore.answer", id: "a1", receivedAt: TestApple.noon + 2,
                [
                    "bundleId": TestApple.bundle, "endpoint": "consumption", "httpStatus": 202,
                    "request": "/inApps/v2/transactions/consumption/7",
                ])
        ])
        #expect(try await views.rows("select state from disputes") == ["answered"])
        #expect(try await views.rows("select coalesce(due_at::text, '') from disputes") == [""])
    }

    @Test("another environment accepted, and taken back, makes and removes rows")
    func settings() async throws {
        let views = try await Views(now: TestApple.noon + day)
        try await views.take([
            notification("ONE_TIME_CHARGE", "7", uuid: "u1") {
                $0.extra = [JSONMember("environment", "Sandbox".json)]
            }
        ])
        let count = "select count(*)::text from entitlements"
        #expect(try await views.rows(count) == ["0"])
        func accept(_ id: String, _ environments: [String]) -> EventText {
            EventText(
                "settings.changed", id: id, receivedAt: TestApple.noon,
                ["bundleId": TestApple.bundle, "environments": environments])
        }
        try await views.take([accept("s1", ["Production", "Sandbox"])])
        #expect(try await views.rows(count) == ["1"])
        try await views.take([accept("s2", ["Production"])])
        #expect(try await views.rows(count) == ["0"])
    }

    @Test("a restore that comes before its original, and after it, is one row")
    func restore() async throws {
        for isReversed in [false, true] {
            let views = try await Views(now: TestApple.noon + day)
            let original = notification("ONE_TIME_CHARGE", "8", uuid: "u1") {
                $0.type = "Non-Consumable"
            }
            let restored = notification("ONE_TIME_CHARGE", "9", uuid: "u2") {
                $0.type = "Non-Consumable"
                $0.originalTransactionId = "8"
            }
            let texts = isReversed ? [restored, original] : [original, restored]
            for text in texts { try await views.take([text]) }
            let rows = "select convert_from(entitlement_id, 'UTF8') from entitlements"
            #expect(try await views.rows(rows) == ["8"])
        }
    }

    @Test("a report shows entitlements, disputes and claims, also as of an earlier position")
    func report() async throws {
        let views = try await Views(now: TestApple.noon + day)
        try await views.take([
            notification("ONE_TIME_CHARGE", "7", uuid: "u1"),
            EventText(
                "order.payment-linked", id: "l", receivedAt: TestApple.noon,
                [
                    "bundleId": TestApple.bundle, "orderNumber": "A-1", "transactionId": "7",
                    "account": "anna",
                ]),
            notification("CONSUMPTION_REQUEST", "7", uuid: "u2"),
            EventText(
                "claim.opened", id: "c", receivedAt: TestApple.noon,
                [
                    "bundleId": TestApple.bundle, "claimId": "C-1", "applicationUsername": "A-1",
                    "account": "anna",
                ]),
            notification("REFUND", "7", uuid: "u3", at: TestApple.noon + 1_000) {
                $0.revocationDate = TestApple.noon + 1_000
            },
        ])
        let now = try #require(try await views.report(on: "A-1").orders.first?.holdings)
        #expect(now.entitlements.map(\.state) == [.refunded])
        #expect(now.disputes.map(\.state) == [.refundGranted])
        #expect(now.claims.map(\.claimId) == ["C-1"])
        let before = try #require(
            try await views.report(on: "A-1", .position(4)).orders.first?.holdings)
        #expect(before.entitlements.map(\.state) == [.active])
        #expect(before.disputes.map(\.state) == [.consumptionRequested])
    }
}
