import Settlement
import Testing

@Suite("Remarks")
struct RemarkTests {
    private func mismatches(
        _ change: (inout Signed) -> Void, quantity: Int? = nil
    ) -> Set<RemarkCode> {
        var history = History()
        history.created("A1", quantity: quantity)
        history.bought("A1", Signed("1001").with(change), at: 1)
        return Shell(history).order("A1", at: 100).remarks
    }

    @Test("the order is compared with what was signed; an offer explains a lower price")
    func mismatches() {
        #expect(mismatches { _ in } == [])
        #expect(mismatches { $0.price = 980 } == [.priceMismatch])
        #expect(mismatches { $0.price = nil } == [])
        #expect(
            mismatches {
                $0.price = 0
                $0.offerType = 1
            } == [])
        #expect(
            mismatches {
                $0.price = 1000
                $0.offerType = 1
            } == [.priceMismatch])
        #expect(mismatches { $0.currency = "EUR" } == [.currencyMismatch])
        #expect(mismatches { $0.quantity = 2 } == [])
        #expect(mismatches({ $0.quantity = 2 }, quantity: 1) == [.quantityMismatch])
        #expect(mismatches({ $0.quantity = nil }, quantity: 1) == [])
    }

    @Test("an attempt without an outcome is stuck after an hour")
    func stuckPurchasing() {
        var history = History()
        history.storeKit("purchasing", "A1", at: 1)
        let shell = Shell(history)
        #expect(shell.order("A1", at: 60).remarks == [])
        #expect(shell.order("A1", at: 60).reviewAt == History.instant(61))
        #expect(shell.order("A1", at: 61).remarks == [.stuckPurchasing])
        history.storeKit("failed", "A1", at: 2, error: ("SKErrorDomain", 0))
        #expect(Shell(history).order("A1", at: 100).remarks == [])
    }

    @Test("the device's own counter orders its attempts, whatever arrived last")
    func sequenceOrders() {
        var history = History()
        history.storeKit("failed", "A1", at: 1, sequence: 9, error: ("SKErrorDomain", 0))
        history.storeKit("purchasing", "A1", at: 50, sequence: 8)
        let answer = Shell(history).order("A1", at: 5000)
        #expect(answer.status.attempt == .failed)
        #expect(answer.remarks == [])
    }

    @Test("a purchase that was never finished is a remark after a day")
    func finishUnacknowledged() {
        var history = History()
        history.bought("A1", Signed("1001"), at: 1)
        let shell = Shell(history)
        #expect(!shell.order("A1", at: 1440).remarks.contains(.finishUnacknowledged))
        #expect(shell.order("A1", at: 1441).remarks.contains(.finishUnacknowledged))
        history.storeKit("finished", "A1", "1001", at: 2)
        #expect(!Shell(history).order("A1", at: 1441).remarks.contains(.finishUnacknowledged))
    }

    @Test("one id in two environments is a conflict, and the production one speaks")
    func environmentConflict() {
        var history = History()
        history.bought("A1", Signed("1001"), at: 1)
        history.bought(
            "A1",
            Signed("1001").with {
                $0.environment = "Sandbox"
                $0.signed = 900
            }, at: 901)
        let answer = Shell(history).order("A1", at: 1000)
        #expect(answer.code == .paidNotDelivered)
        #expect(answer.charges.first?.environment == "Production")
        #expect(answer.remarks.contains(.environmentConflict))
    }

    @Test("ten callbacks of one product within an hour are a flood; spread out they are none")
    func flood() {
        let floods = { (count: Int, every: Int) in
            var history = History()
            for index in 0..<count {
                history.storeKit("purchased", "A1", "1001", at: index * every)
            }
            return Shell(history).order("A1", at: 1000).verdict.remarks
                .filter { $0.code == .replayFlood }
        }
        #expect(floods(9, 0).isEmpty)
        #expect(floods(10, 0).map(\.subjects) == [["1001"]])
        #expect(floods(10, 0).map(\.events.count) == [10])
        #expect(floods(10, 6).count == 1)
        #expect(floods(10, 7).isEmpty)
    }

    @Test("a restore may be finished at once: it is no payment")
    func finishedRestore() {
        var history = History()
        history.storeKit("restored", "A1", "4002", at: 1, original: "4001")
        history.storeKit("finished", "A1", "4002", at: 2)
        #expect(!Shell(history).order("A1", at: 10).remarks.contains(.finishedBeforeVerified))
    }

    @Test("more than was signed stands delivered: delivered twice")
    func deliveredTwice() {
        var history = History()
        history.created("A1")
        history.bought("A1", Signed("1001"), at: 1)
        history.delivery("succeeded", "D1", at: 2, order: "A1")
        #expect(!Shell(history).order("A1", at: 100).remarks.contains(.deliveredTwice))
        history.delivery("succeeded", "D2", at: 3, order: "A1")
        let answer = Shell(history).order("A1", at: 100)
        #expect(answer.code == .delivered)
        #expect(answer.remarks.contains(.deliveredTwice))
        history.delivery("reversed", "D2", at: 4, order: "A1")
        #expect(!Shell(history).order("A1", at: 100).remarks.contains(.deliveredTwice))
    }

    @Test("a part taken back leaves the rest standing")
    func partReversed() {
        var history = History()
        history.bought("A1", Signed("1001").with { $0.quantity = 5 }, at: 1)
        history.delivery("succeeded", "D1", at: 2, transaction: "1001", quantity: 5)
        history.delivery("reversed", "D1", at: 3, transaction: "1001", quantity: 2)
        let charge = Shell(history).order("A1", at: 100).charges.first
        #expect(charge?.delivered == 3)
        #expect(charge?.missing == 2)
    }

    @Test("a remark carries the keys of the events that show it")
    func events() {
        var history = History()
        history.storeKit("purchased", "A1", "1001", at: 1)
        history.storeKit("finished", "A1", "1001", at: 2)
        let remark = Shell(history).order("A1", at: 10).verdict.remarks.first
        #expect(remark?.code == .finishedBeforeVerified)
        #expect(remark?.events == [history.events[1].key])
    }

    @Test("every remark says in words what it means")
    func words() {
        for code in RemarkCode.allCases { #expect(code.text.hasSuffix("."), "\(code)") }
    }
}
