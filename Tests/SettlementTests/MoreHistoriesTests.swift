import Settlement
import Testing

@Suite("Histories, continued")
struct MoreHistoriesTests {
    @Test("19: asked to buy, cancelled by the platform, bought after 20 hours: owed")
    func askToBuyAnswered() {
        var history = History()
        history.created("A1")
        history.storeKit("deferred", "A1", at: 1)
        history.cancelled("A1", at: 600)
        history.bought("A1", Signed("1001").with { $0.purchased = 1200 }, at: 1201)
        let answer = Shell(history).order("A1", at: 1300)
        #expect(answer.code == .paidNotDelivered)
        #expect(answer.remarks.contains(.orderCancelled))
    }

    @Test("20: asked to buy and never answered: pending, then unproven and stuck")
    func askToBuyUnanswered() {
        var history = History()
        history.created("A1")
        history.storeKit("deferred", "A1", at: 1)
        let shell = Shell(history)
        let waiting = shell.order("A1", at: 60)
        #expect(waiting.code == .pending)
        #expect(waiting.reviewAt == History.instant(1 + 72 * 60))
        #expect(waiting.verdict.action.waitUntil == History.instant(1 + 72 * 60))
        let stuck = shell.order("A1", at: 1 + 72 * 60)
        #expect(stuck.code == .unproven)
        #expect(stuck.remarks.contains(.stuckDeferred))
    }

    @Test("21: in the account convention five purchases and five deliveries are all delivered")
    func accountConvention() {
        var history = History()
        history.settings(["convention": "account"])
        for index in 0..<5 {
            history.bought("anna", Signed("\(1000 + index)").with { $0.purchased = index }, at: 5)
            history.delivery("succeeded", "D\(index)", at: 6, transaction: "\(1000 + index)")
        }
        let shell = Shell(history)
        for answer in [shell.order("anna", at: 100), shell.account("anna", at: 100)] {
            #expect(answer.code == .delivered)
            #expect(answer.charges.map(\.verdict) == Array(repeating: .delivered, count: 5))
            #expect(!answer.remarks.contains(.lostOrderNumber))
        }
    }

    @Test("22: one consumable three times under one number, all delivered: delivered")
    func threeTimes() {
        var history = History()
        history.created("A1")
        for index in 0..<3 {
            history.bought("A1", Signed("\(1000 + index)").with { $0.purchased = index }, at: 5)
            history.delivery("succeeded", "D\(index)", at: 6, order: "A1")
        }
        #expect(Shell(history).order("A1", at: 100).code == .delivered)
    }

    @Test("23: five signed and two delivered: three are missing")
    func quantity() {
        var history = History()
        history.created("A1", quantity: 5)
        history.bought("A1", Signed("1001").with { $0.quantity = 5 }, at: 1)
        history.delivery("succeeded", "D1", at: 2, order: "A1", quantity: 2)
        let answer = Shell(history).order("A1", at: 100)
        #expect(answer.code == .paidNotDelivered)
        #expect(answer.charges.first?.missing == 3)
        #expect(answer.status.delivery == .part)
    }

    @Test("24: an offer code redeemed, claimed by account: unlinked", arguments: [false, true])
    func offerCode(isSentByDevice: Bool) {
        var history = History()
        let signed = Signed("1001").with {
            $0.purchased = 10
            $0.price = 0
            $0.offerType = 3
        }
        history.notified(signed, at: 11)
        if isSentByDevice { history.bought(nil, signed, at: 12) }
        history.claim(
            "C1", at: 300, account: "anna", product: "gems.60", amount: 0, currency: "USD",
            claimedAt: 20)
        #expect(Shell(history).claim("C1", at: 301)?.code == .paymentUnlinked)
    }

    @Test("25: a sandbox and a real purchase in one order: by the real one")
    func sandboxBeside() {
        var history = History()
        history.created("A1")
        history.bought("A1", Signed("9001").with { $0.environment = "Sandbox" }, at: 1)
        history.bought("A1", Signed("1001"), at: 2)
        history.delivery("succeeded", "D1", at: 3, transaction: "1001")
        let answer = Shell(history).order("A1", at: 100)
        #expect(answer.code == .delivered)
        #expect(answer.charges.map(\.transactionId) == ["1001"])
        #expect(answer.remarks.contains(.sandboxInProduction))
    }

    @Test("26: somebody replays another's proof: not the claimant's")
    func replay() {
        var history = History()
        history.created("A1")
        let signed = Signed("1001").with { $0.purchased = 1 }
        history.bought("A1", signed, at: 2)
        history.delivery("succeeded", "D1", at: 3, order: "A1")
        history.created("B1", at: 50, account: "bob")
        history.account = "bob"
        history.device = "other"
        history.bought("B1", signed, at: 52)
        let shell = Shell(history)
        let thief = shell.order("B1", at: 500)
        #expect(thief.code == .notClaimants)
        #expect(!thief.verdict.sentence.contains("anna"))
        #expect(thief.remarks.contains(.transactionReused))
        #expect(shell.order("A1", at: 500).code == .delivered)
        #expect(shell.order("A1", at: 500, claimant: "bob").code == .notClaimants)
        #expect(shell.account("bob", at: 500).code == .notClaimants)
    }

    @Test("27: the server delivered one customer's goods to another: redeliver to the owner")
    func deliveredToAnother() {
        var history = History()
        history.created("A1")
        history.bought("A1", Signed("1001"), at: 1)
        history.delivery("succeeded", "D1", at: 2, order: "A1", account: "yves")
        let answer = Shell(history).order("A1", at: 100)
        #expect(answer.code == .deliveredToOther)
        #expect(answer.verdict.action.code == .redeliverAndReverse)
        #expect(!answer.verdict.sentence.contains("yves"))
    }

    @Test("28: only the order id of Apple's e-mail: look it up; then unlinked, second agent")
    func appleOrderId() {
        var history = History()
        history.claim("C1", at: 0, apple: "MM9LDJZXXZ")
        let before = Shell(history).claim("C1", at: 1)
        #expect(before?.code == .unknown)
        #expect(before?.verdict.action.code == .lookUpAppleOrder)
        history.lookedUp("MM9LDJZXXZ", [Signed("1001")], at: 10)
        let after = Shell(history).claim("C1", at: 100)
        #expect(after?.code == .paymentUnlinked)
        #expect(after?.verdict.action.needsSecondAgent == true)
    }

    @Test("29: an invented order id is unknown, and disproved once Apple denies it")
    func inventedOrderId() {
        let question = Question.appleOrder(History.bundle, "MFAKE")
        let shell = Shell(History())
        #expect(shell.ask(question, at: 1).code == .unknown)
        let denied = shell.ask(question, at: 1, coverage: Coverage(denied: ["MFAKE"]))
        #expect(denied.code == .disproved)
    }

    @Test("30: a truncated receipt of an honest device accuses nobody: ask for a new upload")
    func truncatedReceipt() {
        var history = History()
        history.created("A1")
        history.storeKit(
            "purchased", "A1", at: 1,
            proof: [unreadable("cut", kind: "unknown", reason: "malformed")])
        let answer = Shell(history).order("A1", at: 100)
        #expect(answer.code == .unproven)
        #expect(answer.verdict.action.code == .askForNewUpload)
    }

    @Test("31: cancelled on the device, then charged in the App Store app: unproven, then unlinked")
    func cancelledThenCharged() {
        var history = History()
        history.created("A1")
        history.storeKit("purchasing", "A1", at: 1)
        history.storeKit("failed", "A1", at: 2, error: ("SKErrorDomain", 2))
        let before = Shell(history).order("A1", at: 10)
        #expect(before.code == .unproven)
        #expect(before.status.headline == .cancelled)
        history.notified(Signed("1001").with { $0.purchased = 3 }, at: 4)
        #expect(Shell(history).order("A1", at: 10).code == .paymentUnlinked)
    }

    @Test("32: proof of the small pack with the big order's token: the small one is owed")
    func smallPackBigOrder() {
        let token = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
        var history = History()
        history.created("BIG", product: "gems.6000", price: 99_990, token: token)
        history.bought(nil, Signed("1001").with { $0.token = token }, at: 1)
        let answer = Shell(history).order("BIG", at: 100)
        #expect(answer.code == .paidNotDelivered)
        #expect(answer.charges.first?.productId == "gems.60")
        #expect(answer.charges.first?.link?.strength == .signed)
        #expect(answer.remarks.contains(.productMismatch))
    }

    @Test("33: a goodwill grant with nothing paid is delivered, and no finding")
    func goodwill() {
        var history = History()
        history.created("A1")
        history.delivery("succeeded", "G1", at: 10, order: "A1", grant: "goodwill")
        let answer = Shell(history).order("A1", at: 100)
        #expect(answer.code == .delivered)
        #expect(answer.verdict.remarks.isEmpty)
    }

    @Test("33: without goodwill the same is delivered and not paid")
    func unpaid() {
        var history = History()
        history.created("A1")
        history.delivery("succeeded", "D1", at: 10, order: "A1")
        let answer = Shell(history).order("A1", at: 100)
        #expect(answer.code == .delivered)
        #expect(answer.remarks == [.deliveredNotPaid])
    }

    @Test("34: a redelivery sent a minute ago is pending for an hour")
    func redeliverySent() {
        var history = History()
        history.created("A1")
        history.bought("A1", Signed("1001"), at: 1)
        history.delivery("requested", "R1", at: 500, transaction: "1001")
        let shell = Shell(history)
        let answer = shell.order("A1", at: 501)
        #expect(answer.code == .pending)
        #expect(answer.reviewAt == History.instant(560))
        #expect(shell.order("A1", at: 560).code == .paidNotDelivered)
    }

    @Test("35: evidence of a bundle that is not configured yet is unproven until judged anew")
    func bundleNotConfigured() {
        var history = History()
        history.created("A1")
        let refused = Signed("1001").with {
            $0.status = "refused"
            $0.refusal = "wrong-bundle"
        }
        history.bought("A1", refused, at: 1)
        let before = Shell(history).order("A1", at: 100)
        #expect(before.code == .unproven)
        #expect(before.remarks.contains(.evidenceRefused))
        history.add(
            "evidence.reverified", at: 200, json(["bundleId": History.bundle]),
            parts: [refused.with { $0.status = "verified" }.part(path: "")])
        #expect(Shell(history).order("A1", at: 300).code == .paidNotDelivered)
    }
}
