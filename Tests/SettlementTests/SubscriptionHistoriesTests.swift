import Settlement
import Testing

private let token = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
private let month = 43_200

/// A period of a monthly subscription.
private func period(_ index: Int, product: String = "club.monthly") -> Signed {
    Signed("\(2000 + index)").with {
        $0.original = "2000"
        $0.product = product
        $0.type = "Auto-Renewable Subscription"
        $0.token = token
        $0.reason = index == 0 ? "PURCHASE" : "RENEWAL"
        $0.purchased = index * month
        $0.expires = (index + 1) * month
    }
}

@Suite("Histories of subscriptions")
struct SubscriptionHistoriesTests {
    @Test("13: a monthly subscriber with three renewals is served")
    func renewals() {
        var history = History()
        history.created(token, product: "club.monthly")
        for index in 0...3 { history.notified(period(index), at: index * month + 1) }
        let answer = Shell(history).order(token.uppercased(), at: 3 * month + 100)
        #expect(answer.code == .delivered)
        #expect(answer.charges.map(\.transactionId) == ["2003"])
        #expect(answer.charges.first?.link?.strength == .inherited)
        #expect(answer.reviewAt == History.instant(4 * month))
        #expect(!answer.remarks.contains(.lostOrderNumber))
    }

    @Test("14: after an upgrade the upgrade is the current period, whatever ends later")
    func upgrade() {
        var history = History()
        history.created(token, product: "club.monthly")
        history.notified(period(0).with { $0.expires = 12 * month }, at: 1)
        history.notified(
            Signed("2050").with {
                $0.original = "2000"
                $0.product = "club.gold"
                $0.type = "Auto-Renewable Subscription"
                $0.token = token
                $0.purchased = 100
                $0.expires = month
            }, at: 101)
        let answer = Shell(history).order(token, at: 1000)
        #expect(answer.code == .delivered)
        #expect(answer.charges.map(\.productId) == ["club.gold"])
        let later = Shell(history).order(token, at: 2 * month)
        #expect(later.code == .lapsed)
    }

    @Test("15: a refund of last year's period leaves this year's subscription active")
    func refundOfOldPeriod() {
        var history = History()
        history.created(token, product: "club.monthly")
        for index in 0...12 { history.notified(period(index), at: index * month + 1) }
        history.notified(
            period(0).with {
                $0.signed = 12 * month + 50
                $0.revoked = 12 * month + 49
            }, at: 12 * month + 60)
        let answer = Shell(history).order(token, at: 12 * month + 100)
        #expect(answer.code == .delivered)
        #expect(answer.charges.map(\.transactionId) == ["2012"])
    }

    @Test("16: expired after billing retry is lapsed, with the date")
    func lapsed() {
        var history = History()
        history.created(token, product: "club.monthly")
        history.notified(period(0), at: 1)
        history.notified(
            nil, renewal: Renewal(original: "2000", signed: month + 1, isRetrying: true),
            at: month + 2)
        let answer = Shell(history).order(token, at: month + 5000)
        #expect(answer.code == .lapsed)
        #expect(answer.verdict.sentence.contains("2026-01-31"))
    }

    @Test("a subscription in its grace period is pending, and lapses when that ends")
    func grace() {
        var history = History()
        history.created(token, product: "club.monthly")
        history.notified(period(0), at: 1)
        history.notified(
            period(0).with { $0.signed = month + 1 },
            renewal: Renewal(
                original: "2000", signed: month + 1, isRetrying: true, graceEnds: month + 10_000),
            at: month + 2)
        let shell = Shell(history)
        let inGrace = shell.order(token, at: month + 5000)
        #expect(inGrace.code == .pending)
        #expect(inGrace.reviewAt == History.instant(month + 10_000))
        #expect(shell.order(token, at: month + 10_000).code == .lapsed)
    }

    @Test("the last period refunded and the one before over: refunded")
    func lastRefunded() {
        var history = History()
        history.created(token, product: "club.monthly")
        history.notified(period(0), at: 1)
        history.notified(
            period(1).with {
                $0.signed = month + 100
                $0.revoked = month + 99
            }, at: month + 101)
        #expect(Shell(history).order(token, at: month + 200).code == .refunded)
    }

    @Test("17: a family member after the family's sharing ended: shared")
    func familyMember() {
        var history = History()
        let shared = Signed("3001").with {
            $0.type = "Auto-Renewable Subscription"
            $0.product = "club.monthly"
            $0.ownership = "FAMILY_SHARED"
            $0.expires = month
        }
        history.storeKit("purchasing", "A1", at: 0, product: "club.monthly")
        history.bought("A1", shared, at: 1)
        history.notified(
            shared.with {
                $0.signed = 100
                $0.revoked = 99
                $0.revocationType = "FAMILY_REVOKE"
            }, at: 101)
        let answer = Shell(history).order("A1", at: 200)
        #expect(answer.code == .shared)
        #expect(answer.charges.isEmpty)
        #expect(answer.verdict.action.text.contains("2026-01-01"))
    }

    @Test("18: a non-consumable restored on a new phone is delivered")
    func restore() {
        var history = History()
        history.created("A1", product: "no-ads")
        let bought = Signed("4001").with {
            $0.product = "no-ads"
            $0.type = "Non-Consumable"
        }
        history.bought("A1", bought, at: 1)
        history.delivery("succeeded", "D1", at: 2, transaction: "4001", product: "no-ads")
        history.device = "new phone"
        let restored = bought.with {
            $0.id = "4002"
            $0.original = "4001"
            $0.purchased = 900
        }
        history.storeKit(
            "restored", nil, "4002", at: 901, product: "no-ads", original: "4001",
            proof: [restored.part(path: "data.signedTransaction")])
        history.storeKit(
            "restored", "A2", "4002", at: 902, product: "no-ads", original: "4001",
            proof: [restored.part(path: "data.signedTransaction")])
        let shell = Shell(history)
        for answer in [
            shell.order("A1", at: 1000), shell.order("A2", at: 1000),
            shell.transaction("4002", at: 1000), shell.account("anna", at: 1000),
        ] {
            #expect(answer.code == .delivered)
            #expect(answer.charges.map(\.transactionId) == ["4001"])
        }
    }
}
