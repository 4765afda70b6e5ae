import Settlement
import Testing

private let refunded = Signed("1001").with {
    $0.signed = 900
    $0.revoked = 900
}

private func dispute(_ history: History, at minutes: Int) -> Dispute? {
    Shell(history).hold(transaction: "1001", at: minutes).disputes.first
}

@Suite("Disputes")
struct DisputeTests {
    @Test("Apple asks for consumption and wants an answer within 12 hours")
    func request() throws {
        var history = History()
        history.bought("A1", Signed("1001"), at: 1)
        #expect(dispute(history, at: 2) == nil)
        history.notified(
            Signed("1001"), at: 60, as: "CONSUMPTION_REQUEST", reason: "FULFILLMENT_ISSUE")
        let asked = try #require(dispute(history, at: 61))
        #expect(asked.state == .consumptionRequested && asked.reason == "FULFILLMENT_ISSUE")
        #expect(asked.requestedAt == History.instant(60))
        #expect(asked.dueAt == History.instant(60 + 720) && !asked.isOverdue)
        #expect(dispute(history, at: 60 + 720)?.isOverdue == true)
        #expect(Shell(history).order("A1", at: 61).code != .refunded)
    }

    @Test("the answer ends the wait; an error of Apple's does not")
    func answered() throws {
        var history = History()
        history.notified(Signed("1001"), at: 60, as: "CONSUMPTION_REQUEST")
        history.answered("1001", at: 70, status: 401)
        #expect(dispute(history, at: 71)?.state == .consumptionRequested)
        history.answered("1001", at: 80)
        let answered = try #require(dispute(history, at: 5_000))
        #expect(answered.state == .answered && answered.dueAt == nil && !answered.isOverdue)
        #expect(answered.answeredAt == History.instant(80))
        history.notified(Signed("1001"), at: 90, as: "CONSUMPTION_REQUEST")
        #expect(dispute(history, at: 91)?.state == .consumptionRequested)
    }

    @Test("whether anything may be answered is the customer's word, the last one")
    func consent() {
        var history = History()
        history.bought("A1", Signed("1001"), at: 1)
        history.notified(Signed("1001"), at: 60, as: "CONSUMPTION_REQUEST")
        #expect(dispute(history, at: 61)?.hasConsent == nil)
        history.consented("anna", true, at: 62)
        #expect(dispute(history, at: 63)?.hasConsent == true)
        history.consented("anna", false, at: 64)
        #expect(dispute(history, at: 65)?.hasConsent == false)
    }

    @Test("is no word about a purchase: who only consented is not known")
    func consentAlone() {
        var history = History()
        history.consented("anna", true, at: 1)
        let question = Question.account(History.bundle, "anna")
        #expect(Shell(history).ask(question, at: 2).code == .unknown)
    }

    @Test("granted, declined, reversed: the newest word of Apple's holds")
    func decisions() {
        var history = History()
        history.notified(Signed("1001"), at: 60, as: "CONSUMPTION_REQUEST")
        history.notified(Signed("1001").with { $0.signed = 100 }, at: 100, as: "REFUND_DECLINED")
        #expect(dispute(history, at: 101)?.state == .refundDeclined)
        history.notified(refunded, at: 900, as: "REFUND")
        #expect(dispute(history, at: 901)?.state == .refundGranted)
        #expect(dispute(history, at: 901)?.grantedAt == History.instant(900))
        history.notified(
            Signed("1001").with { $0.signed = 1_000 }, at: 1_000, as: "REFUND_REVERSED")
        #expect(dispute(history, at: 1_001)?.state == .refundReversed)
    }

    @Test("what Apple withdrew and later copies still say is withdrawn was not reversed")
    func withdrawn() {
        var history = History()
        let withdrawn = refunded.with { $0.revocationReason = 7 }
        history.notified(withdrawn, at: 900, as: "REFUND")
        history.lookedUp("M1", [withdrawn.with { $0.signed = 950 }], at: 950)
        #expect(dispute(history, at: 951)?.state == .refundGranted)
    }

    @Test("about an earlier period goes on when the next has begun")
    func earlierPeriod() {
        func period(_ id: String, from start: Int) -> Signed {
            Signed(id).with {
                $0.original = "1001"
                $0.type = "Auto-Renewable Subscription"
                $0.purchased = start
                $0.expires = start + 1_000
            }
        }
        var history = History()
        history.bought("A1", period("1001", from: 0), at: 1)
        history.notified(period("1001", from: 0), at: 900, as: "CONSUMPTION_REQUEST")
        history.notified(period("1002", from: 1_000), at: 1_000, as: "DID_RENEW")
        let disputes = Shell(history).hold(order: "A1", at: 1_100).disputes
        #expect(disputes.map(\.transactionId) == ["1001"])
    }

    @Test("the consent of an owner is known, whatever makes him the owner")
    func consentOfSender() {
        var history = History()
        history.bought(nil, Signed("1001"), at: 1)
        history.consented("anna", true, at: 2)
        history.notified(Signed("1001"), at: 60, as: "CONSUMPTION_REQUEST")
        #expect(dispute(history, at: 61)?.hasConsent == true)
    }

    @Test("a history page that brings a refund is as good as its notification")
    func withoutNotification() {
        var history = History()
        history.lookedUp("M1", [refunded], at: 950)
        #expect(dispute(history, at: 951)?.state == .refundGranted)
        history.lookedUp("M1", [Signed("1001").with { $0.signed = 960 }], at: 961)
        #expect(dispute(history, at: 962) == nil, "nothing tells that there ever was one")
        history.notified(refunded, at: 970, as: "REFUND")
        #expect(dispute(history, at: 971)?.state == .refundGranted, "signed after the look-up")
    }

    @Test("python#110, forum 681797: a request for a transaction nobody knew makes a dispute")
    func unknownTransaction() {
        var history = History()
        history.notified(Signed("1001"), at: 60, as: "CONSUMPTION_REQUEST")
        let holdings = Shell(history).hold(transaction: "1001", at: 61)
        #expect(holdings.disputes.map(\.state) == [.consumptionRequested])
        #expect(holdings.entitlements.map(\.state) == [.active])
    }

    @Test("a claim is opened, settled and reopened, whatever comes first")
    func claims() {
        var history = History()
        history.claim("C1", at: 1, order: "A1")
        #expect(Shell(history).side(of: "C1")?.state == .opened)
        history.settled("C1", "explained", at: 2)
        #expect(Shell(history).side(of: "C1")?.state == .settled)
        #expect(Shell(history).side(of: "C1")?.outcome == "explained")
        history.reopened("C1", at: 3)
        #expect(Shell(history).side(of: "C1")?.state == .reopened)
        history.settled("C1", "linked", at: 4)
        #expect(Shell(history.events.reversed()).side(of: "C1")?.outcome == "linked")
        #expect(Shell(history.events.reversed()).side(of: "C1")?.state == .settled)
    }

    @Test("naming an order in a claim makes nothing known of it")
    func claimKnowsNothing() {
        var history = History()
        history.claim("C1", at: 1, order: "A1")
        #expect(Shell(history).order("A1", at: 2).code == .unknown)
    }

    @Test(
        "the other types of notification, and those of tomorrow, dispute nothing",
        arguments: [
            "SUBSCRIBED", "DID_RENEW", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS",
            "OFFER_REDEEMED", "EXPIRED", "DID_FAIL_TO_RENEW", "GRACE_PERIOD_EXPIRED",
            "PRICE_INCREASE", "PRICE_CHANGE", "METADATA_UPDATE", "MIGRATION", "REVOKE",
            "ONE_TIME_CHARGE", "RENEWAL_EXTENDED", "RENEWAL_EXTENSION",
            "EXTERNAL_PURCHASE_TOKEN", "RESCIND_CONSENT", "TEST", "FOO_BAR",
        ])
    func otherTypes(type: String) {
        var history = History()
        history.notified(Signed("1001"), at: 60, as: type)
        #expect(dispute(history, at: 61) == nil)
        #expect(Shell(history).transaction("1001", at: 61).charges.count == 1)
    }
}
