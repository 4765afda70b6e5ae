import Settlement
import Testing

/// Histories walked by hand through the rules, and their right answers; the numbers are those of
/// the list of histories. One hour is 60 minutes, one day 1,440.
@Suite("Histories")
struct HistoriesTests {
    @Test("1: bought and finished without proof is unproven, and finished before it was verified")
    func finishedWithoutProof() {
        var history = History()
        history.created("A1")
        history.storeKit("purchased", "A1", "1001", at: 5)
        history.storeKit("finished", "A1", "1001", at: 6, acknowledged: true)
        let answer = Shell(history).order("A1", at: 200)
        #expect(answer.code == .unproven)
        #expect(answer.remarks.contains(.finishedBeforeVerified))
        #expect(answer.verdict.action.code == .fetchFromApple)
        #expect(answer.status.headline == .reported)
    }

    @Test("2: when Apple's history then brings the transaction, it is paid and not delivered")
    func finishedThenProven() {
        var history = History()
        history.created("A1")
        history.storeKit("purchased", "A1", "1001", at: 5)
        history.storeKit("finished", "A1", "1001", at: 6)
        history.notified(Signed("1001").with { $0.purchased = 5 }, at: 300)
        let answer = Shell(history).order("A1", at: 400)
        #expect(answer.code == .paidNotDelivered)
        #expect(answer.remarks.contains(.finishedBeforeVerified))
        #expect(answer.charges.map(\.transactionId) == ["1001"])
        #expect(answer.charges.first?.link?.strength == .device)
        #expect(answer.verdict.action.code == .redeliver)
    }

    @Test("3: without an observer an order is unproven until the notification makes a candidate")
    func noObserver() {
        var history = History()
        history.created("A1")
        #expect(Shell(history).order("A1", at: 100).code == .unproven)
        history.notified(Signed("1001").with { $0.purchased = 5 }, at: 6)
        let answer = Shell(history).order("A1", at: 100)
        #expect(answer.code == .paymentUnlinked)
        #expect(answer.candidates.map(\.transactionId) == ["1001"])
        #expect(answer.candidates.first?.reasons == [.product, .window, .price])
    }

    @Test("4: a hundred payments under one number of which 40 were delivered are charged twice")
    func hundredUnderOneNumber() {
        var history = History()
        history.created("A1")
        for index in 0..<100 {
            history.bought("A1", Signed("\(1000 + index)").with { $0.purchased = 1 }, at: 5)
            if index < 40 {
                history.delivery("succeeded", "D\(index)", at: 6, transaction: "\(1000 + index)")
            }
        }
        let answer = Shell(history).order("A1", at: 100)
        #expect(answer.code == .chargedTwice)
        #expect(answer.charges.count == 100)
        let undelivered = answer.charges.filter { $0.verdict == .paidNotDelivered }
        #expect(undelivered.map(\.transactionId) == (1040..<1100).map(String.init))
        #expect(answer.remarks.contains(.replayFlood))
    }

    @Test("4: with a number each, the 60 undelivered payments are paid and not delivered")
    func hundredNumbers() {
        var history = History()
        for index in 0..<100 {
            history.created("A\(index)")
            history.bought("A\(index)", Signed("\(1000 + index)").with { $0.purchased = 1 }, at: 5)
            if index < 40 { history.delivery("succeeded", "D\(index)", at: 6, order: "A\(index)") }
        }
        let shell = Shell(history)
        let codes = (0..<100).map { shell.order("A\($0)", at: 100).code }
        #expect(codes.prefix(40).allSatisfy { $0 == .delivered })
        #expect(codes.suffix(60).allSatisfy { $0 == .paidNotDelivered })
    }

    @Test("5: killed while buying; the charge without a token is a candidate")
    func lostOrderNumber() {
        var history = History()
        history.created("A1")
        history.storeKit("purchasing", "A1", at: 1)
        history.notified(Signed("1001").with { $0.purchased = 2 }, at: 3)
        let shell = Shell(history)
        #expect(shell.order("A1", at: 100).code == .paymentUnlinked)
        let orphan = shell.transaction("1001", at: 100)
        #expect(orphan.code == .paidNotDelivered)
        #expect(orphan.remarks.contains(.lostOrderNumber))
        #expect(orphan.candidates.map(\.orderNumber) == ["A1"])
    }

    @Test("6: redelivered on another phone and served there: unlinked, then delivered to other")
    func servedElsewhere() {
        var history = History()
        history.created("A1")
        history.storeKit("purchasing", "A1", at: 1)
        history.account = "bob"
        history.device = "tablet"
        history.bought(nil, Signed("1001").with { $0.purchased = 2 }, at: 10)
        history.delivery("succeeded", "D1", at: 11, transaction: "1001", account: "bob")
        let before = Shell(history).order("A1", at: 100)
        #expect(before.code == .paymentUnlinked)
        #expect(before.candidates.first?.doubts == [.sentByAnother, .deliveredToAnother])
        #expect(before.verdict.action.needsSecondAgent)
        history.linked("1001", to: "A1", at: 110)
        let after = Shell(history).order("A1", at: 200)
        #expect(after.code == .deliveredToOther)
        #expect(after.charges.first?.owner?.account == "anna")
        #expect(after.charges.first?.owner?.basis == .order)
        #expect(after.verdict.action.needsSecondAgent)
    }

    @Test("7: an unfinished purchase blocks the next: unproven, and the remark names it")
    func blockedByUnfinished() {
        var history = History()
        history.created("A1")
        history.bought("A1", Signed("1001").with { $0.purchased = 1 }, at: 2, sequence: 1)
        history.delivery("succeeded", "D1", at: 3, order: "A1")
        history.created("A2", at: 50)
        history.storeKit("purchasing", "A2", at: 51, sequence: 2)
        history.storeKit("failed", "A2", at: 52, sequence: 3, error: ("SKErrorDomain", 0))
        let answer = Shell(history).order("A2", at: 500)
        #expect(answer.code == .unproven)
        let remark = answer.verdict.remarks.first { $0.code == .unfinishedBlocksRepurchase }
        #expect(remark?.subjects == ["1001"])
        #expect(remark?.isWeak == false)
    }

    @Test("8: a blind cure names the first payment for the second order: the first order keeps it")
    func blindCure() {
        var history = History()
        history.created("A1")
        let signed = Signed("1001").with { $0.purchased = 1 }
        history.bought("A1", signed, at: 2)
        history.created("A2", at: 50)
        history.storeKit("finished", nil, "1001", at: 51)
        history.bought("A2", signed, at: 52)
        let shell = Shell(history)
        let first = shell.order("A1", at: 500)
        #expect(first.code == .paidNotDelivered)
        #expect(first.charges.first?.link?.isContested == true)
        #expect(first.remarks.contains(.linkConflict))
        let second = shell.order("A2", at: 500)
        #expect(second.code == .unproven)
        #expect(second.charges.isEmpty)
        #expect(second.remarks.contains(.linkConflict))
    }

    @Test("9: a refund that arrives before the purchase is a refund")
    func refundFirst() {
        var history = History()
        history.created("A1")
        let bought = Signed("1001").with { $0.purchased = 2 }
        let refunded = bought.with {
            $0.signed = 1000
            $0.revoked = 999
            $0.revocationReason = 0
        }
        history.notified(refunded, at: 1001)
        history.notified(bought, at: 1002)
        history.named("1001", for: "A1", at: 1003)
        #expect(Shell(history).order("A1", at: 2000).code == .refunded)
    }

    @Test("10: a refund that was reversed after a claw-back is owed again, as the second grant")
    func refundReversed() {
        var history = History()
        history.created("A1")
        let bought = Signed("1001").with { $0.purchased = 2 }
        history.bought("A1", bought, at: 3)
        history.delivery("succeeded", "D1", at: 4, transaction: "1001")
        let refunded = bought.with {
            $0.signed = 1000
            $0.revoked = 999
        }
        history.notified(refunded, at: 1001)
        let standing = Shell(history).order("A1", at: 1002)
        #expect(standing.code == .refunded)
        #expect(standing.remarks.contains(.refundNotRevoked))
        history.delivery("reversed", "D1", at: 1003, transaction: "1001")
        #expect(!Shell(history).order("A1", at: 1004).remarks.contains(.refundNotRevoked))
        history.notified(bought.with { $0.signed = 2000 }, at: 2001)
        let answer = Shell(history).order("A1", at: 3000)
        #expect(answer.code == .paidNotDelivered)
        #expect(answer.charges.first?.grant == 2)
    }

    @Test("11: a partial refund of what was never delivered is owed, and needs a look")
    func partialRefund() {
        var history = History()
        history.created("A1")
        let refunded = Signed("1001").with {
            $0.purchased = 2
            $0.signed = 1000
            $0.revoked = 999
            $0.revocationType = "REFUND_PRORATED"
            $0.revocationPercentage = 30_000
        }
        history.bought("A1", refunded, at: 1001)
        let answer = Shell(history).order("A1", at: 2000)
        #expect(answer.code == .paidNotDelivered)
        #expect(answer.remarks.contains(.refundedInPart))
        #expect(answer.charges.first?.refund == .refundedInPart)
    }

    @Test("12: of two charges one refunded and one undelivered, the undelivered is owed")
    func oneOfTwoRefunded() {
        var history = History()
        history.created("A1")
        let first = Signed("1001").with { $0.purchased = 2 }
        history.bought("A1", first, at: 3)
        history.bought("A1", Signed("1002").with { $0.purchased = 4 }, at: 5)
        history.notified(
            first.with {
                $0.signed = 100
                $0.revoked = 99
            }, at: 101)
        let answer = Shell(history).order("A1", at: 2000)
        #expect(answer.code == .paidNotDelivered)
        #expect(answer.verdict.alsoTrue == [.refunded])
        #expect(answer.status.payment == .refundedInPart)
    }
}
