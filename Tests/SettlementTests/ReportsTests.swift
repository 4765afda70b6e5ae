import Settlement
import Testing

/// Public bug reports as small histories; each test names its report.
@Suite("Public reports")
struct ReportsTests {
    @Test("flutter/flutter#129203: the user name is gone after a restart, the order is not")
    func nameGoneAfterRestart() {
        var history = History()
        history.bought("A1", Signed("1001"), at: 1)
        history.bought(nil, Signed("1001"), at: 500)
        let answer = Shell(history).order("A1", at: 600)
        #expect(answer.charges.map(\.transactionId) == ["1001"])
        #expect(answer.charges.first?.link?.isContested == false)
    }

    @Test("flutter/flutter#109672: a restore without a user name is linked by its original")
    func restoreWithoutName() {
        var history = History()
        history.bought("A1", Signed("4001").with { $0.type = "Non-Consumable" }, at: 1)
        history.storeKit("restored", nil, "4002", at: 500, original: "4001")
        let answer = Shell(history).transaction("4002", at: 600)
        #expect(answer.charges.map(\.transactionId) == ["4001"])
        #expect(answer.charges.first?.link?.orderNumber == "A1")
    }

    @Test(
        "RMStore#201, juejin 6869393918769758221: no user name at first is an orphan, no crash"
    )
    func orphan() {
        var history = History()
        history.bought(nil, Signed("1001"), at: 1)
        let answer = Shell(history).transaction("1001", at: 600)
        #expect(answer.code == .paidNotDelivered)
        #expect(answer.remarks.contains(.lostOrderNumber))
    }

    @Test("apple java#135: a resubscription without a token is linked by its original")
    func resubscription() {
        let period = { (id: String, token: String?, at: Int) in
            Signed(id).with {
                $0.original = "2000"
                $0.type = "Auto-Renewable Subscription"
                $0.token = token
                $0.purchased = at
                $0.expires = at + 1000
            }
        }
        var history = History()
        let token = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
        history.created(token)
        history.notified(period("2000", token, 0), at: 1)
        history.notified(period("2007", nil, 5000), at: 5001)
        let answer = Shell(history).order(token, at: 5100)
        #expect(answer.code == .delivered)
        #expect(answer.charges.map(\.transactionId) == ["2007"])
        #expect(answer.charges.first?.link?.strength == .inherited)
    }

    @Test("RevenueCat/docs#663, openiap PR#74: a number that is no UUID is accepted, graded weak")
    func plainNumber() {
        var history = History()
        history.bought("ORD-2024-001", Signed("1001"), at: 1)
        let answer = Shell(history).order("ORD-2024-001", at: 100)
        #expect(answer.charges.first?.link?.strength == .device)
    }

    @Test(
        "expo-iap#56, react-native-iap#1172, #1278, #1304, SwiftyStoreKit#34: told twice, got once"
    )
    func toldTwice() {
        var history = History()
        let signed = Signed("2000000129419713")
        history.bought("A1", signed, at: 1)
        history.bought("A1", signed.with { $0.signed = 1 }, at: 1)
        history.delivery("succeeded", "D1", at: 2, order: "A1")
        let answer = Shell(history).order("A1", at: 100)
        #expect(answer.code == .delivered)
        #expect(answer.charges.count == 1)
        #expect(!answer.remarks.contains(.deliveredTwice))
    }

    @Test(
        "SwiftyStoreKit#275, openradar 13477734: an unfinished consumable blocks buying, weakly"
    )
    func unfinishedBlocks() {
        var history = History()
        history.bought("A1", Signed("1001"), at: 1)
        history.storeKit("purchasing", "A2", at: 10)
        let remarks = { (history: History) in
            Shell(history).order("A2", at: 100).verdict.remarks
                .filter { $0.code == .unfinishedBlocksRepurchase }
        }
        #expect(remarks(history).map(\.subjects) == [["1001"]])
        #expect(remarks(history).map(\.isWeak) == [true])
        var finished = history
        finished.storeKit("finished", nil, "1001", at: 5)
        #expect(remarks(finished).isEmpty)
        var other = history
        other.storeKit("purchasing", "A3", at: 10, product: "gems.600")
        #expect(!Shell(other).order("A3", at: 100).remarks.contains(.unfinishedBlocksRepurchase))
    }

    @Test("SwiftyStoreKit#191: finished before verified, whatever the client claims")
    func finishedEarly() {
        let remarks = { (finish: Int, acknowledged: Bool?, proof: Int) in
            var history = History()
            history.storeKit("purchased", "A1", "1001", at: 1)
            history.storeKit("finished", "A1", "1001", at: finish, acknowledged: acknowledged)
            history.notified(Signed("1001"), at: proof)
            return Shell(history).order("A1", at: 100).remarks.contains(.finishedBeforeVerified)
        }
        #expect(remarks(2, true, 3))
        #expect(!remarks(4, true, 3))
        #expect(!remarks(4, nil, 3))
        #expect(remarks(4, false, 3))
    }

    @Test("readest PR#5993: only the notification came, no client event: paid and not delivered")
    func onlyNotification() {
        let token = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
        var history = History()
        history.notified(Signed("1001").with { $0.token = token }, at: 1)
        let answer = Shell(history).order(token, at: 100)
        #expect(answer.code == .paidNotDelivered)
        #expect(answer.charges.first?.link?.strength == .signed)
    }

    @Test("go-iap PR#274, apple java PR#77: a price beyond 32 bits is exact")
    func bigPrice() {
        var history = History()
        history.bought(
            "A1",
            Signed("1001").with {
                $0.price = 4_999_000_000
                $0.currency = "VND"
            }, at: 1)
        let answer = Shell(history).order("A1", at: 100)
        #expect(answer.charges.first?.price == 4_999_000_000)
        #expect(answer.verdict.sentence.contains("4999000 VND"))
    }

    @Test("go-iap#153, #160: an id as a number and as a string is one id")
    func numericId() {
        var history = History()
        history.add(
            "storekit.purchased", at: 1,
            json([
                "bundleId": History.bundle, "applicationUsername": "A1",
                "transactionId": 1_000_000_123_456_789,
            ]))
        history.notified(Signed("1000000123456789"), at: 2)
        let answer = Shell(history).order("A1", at: 100)
        #expect(answer.charges.map(\.transactionId) == ["1000000123456789"])
    }

    @Test("Apple forum 774755: a refund of an older period after a newer began keeps access")
    func refundOfOlderPeriod() {
        let period = { (id: String, at: Int) in
            Signed(id).with {
                $0.original = "2000"
                $0.type = "Auto-Renewable Subscription"
                $0.purchased = at
                $0.expires = at + 1000
            }
        }
        var history = History()
        history.bought("A1", period("2000", 0), at: 1)
        history.notified(period("2001", 1000), at: 1001)
        history.notified(
            period("2000", 0).with {
                $0.signed = 1500
                $0.revoked = 1499
            }, at: 1501)
        let answer = Shell(history).order("A1", at: 1600)
        #expect(answer.code == .delivered)
        #expect(answer.charges.map(\.transactionId) == ["2001"])
    }

    @Test(
        "purchases-ios#273, react-native-iap#1080, SwiftyStoreKit#663, #358: deferred, then bought"
    )
    func deferredThenBought() {
        var history = History()
        history.storeKit("deferred", "A1", at: 1)
        #expect(Shell(history).order("A1", at: 100).status.headline == .deferred)
        history.bought("A1", Signed("1001").with { $0.purchased = 1200 }, at: 1201)
        let answer = Shell(history).order("A1", at: 1300)
        #expect(answer.code == .paidNotDelivered)
        #expect(answer.status.headline == .paid)
        #expect(!answer.remarks.contains(.stuckDeferred))
    }

    @Test(
        "forums 756151, 765924, 779594, 778423: notifications missing, late, or told again",
        arguments: [[1], [1, 1, 1], [2, 1], [2], [1, 2, 2, 1]])
    func unreliableNotifications(roads: [Int]) {
        let token = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
        let signed = Signed("1001").with { $0.token = token }
        var history = History()
        history.created(token)
        for (index, road) in roads.enumerated() {
            switch road {
            case 1: history.notified(signed, at: 10 + index, as: "ONE_TIME_CHARGE")
            default: history.lookedUp("M1", [signed], at: 10 + index)
            }
        }
        let answer = Shell(history).order(token, at: 60)
        #expect(answer.code == .paidNotDelivered)
        #expect(answer.charges.map(\.transactionId) == ["1001"])
    }

    @Test(
        "forums 764348, 737592: a consumable that no notification told of is no finding by itself")
    func noNotification() {
        var history = History()
        history.created("A1")
        history.bought("A1", Signed("1001"), at: 1)
        history.delivery("succeeded", "D1", at: 2, order: "A1", transaction: "1001")
        history.storeKit("finished", "A1", "1001", at: 3, acknowledged: true)
        let answer = Shell(history).order("A1", at: 60)
        #expect(answer.code == .delivered && answer.verdict.remarks.isEmpty)
    }

    @Test("asobi PR#143, gumroad PR#5211, openiap#365: one proof sent by two users is reused")
    func reused() {
        var history = History()
        let signed = Signed("1001").with { $0.customer = "c" }
        history.bought("A1", signed, at: 1)
        #expect(!Shell(history).order("A1", at: 100).remarks.contains(.transactionReused))
        history.account = "bob"
        history.bought("B1", signed, at: 2)
        #expect(Shell(history).order("A1", at: 100).remarks.contains(.transactionReused))
        // Two accounts that bought other things as one customer of Apple's are one person.
        history.bought("B2", Signed("1002").with { $0.customer = "c" }, at: 3)
        history.account = "anna"
        history.bought("A2", Signed("1003").with { $0.customer = "c" }, at: 4)
        #expect(!Shell(history).order("A1", at: 100).remarks.contains(.transactionReused))
    }

    @Test("TPInAppReceipt#86, #91: a family's share is an entitlement and no payment")
    func familyShared() {
        var history = History()
        history.bought("A1", Signed("1001").with { $0.ownership = "FAMILY_SHARED" }, at: 1)
        let answer = Shell(history).order("A1", at: 100)
        #expect(answer.code == .shared)
        #expect(answer.charges.isEmpty)
    }

    @Test("apple-iap-tools PR#14: words of tomorrow are kept and reported, and stop nothing")
    func unknownWords() {
        var history = History()
        history.bought("A1", Signed("1001").with { $0.type = "FOO_BAR" }, at: 1)
        history.add("some.future-type", at: 2, json(["bundleId": History.bundle]))
        let answer = Shell(history).order("A1", at: 100)
        #expect(answer.code == .paidNotDelivered)
        let remark = answer.verdict.remarks.first { $0.code == .unknownVocabulary }
        #expect(remark?.subjects == ["type=FOO_BAR"])
    }

    @Test(
        "bizz84/SwiftyStoreKit#626: money taken, error returned: a notification brings a candidate"
    )
    func errorAfterPayment() {
        var history = History()
        history.created("A1")
        history.storeKit("failed", "A1", at: 1, error: ("SKErrorDomain", 0))
        history.notified(Signed("1001").with { $0.purchased = 1 }, at: 2)
        #expect(Shell(history).order("A1", at: 100).code == .paymentUnlinked)
    }
}
