import JSON
import Simulator
import Testing

/// A small world told by hand: anna paid for A1 (T1, delivered), A2 (T2, not delivered), A3 (T3,
/// refunded); bob owns nothing and sent a forgery for B1.
private struct SmallWorld {
    var truths = WorldTruths()

    init() throws {
        try order("A1", "anna", charges: ["T1"], delivered: "anna")
        try order("A2", "anna", charges: ["T2"])
        try order("A3", "anna", charges: ["T3"])
        try order("A4", "anna", charges: [])
        try order("B1", "bob", charges: [])
        try transaction("T1", "anna", delivered: "anna")
        try transaction("T2", "anna")
        try transaction("T3", "anna", refunded: "full")
        try transaction("S1", "anna", type: "Auto-Renewable Subscription")
        try claim("C1", "anna", order: "A1", transaction: "T1")
        try claim("C2", "anna", order: "A2", transaction: "T2")
        try claim("C3", "bob", transaction: "T1")
        try take(
            #"{"kind":"fault","bundleId":"app","fault":"evidence-forged","orderNumber":"B1"}"#)
    }

    private mutating func take(_ line: String) throws {
        truths.take(world: try JSONValue(parsing: Array(line.utf8)))
    }

    private mutating func order(
        _ number: String, _ account: String, charges: [String], delivered: String? = nil
    ) throws {
        let ids = charges.map { "\"\($0)\"" }.joined(separator: ",")
        try take(
            #"{"kind":"order","bundleId":"app","orderNumber":"\#(number)","account":"\#(account)","#
                + #""charges":[\#(ids)],"delivered":[\#(goods(delivered))]}"#)
    }

    mutating func transaction(
        _ id: String, _ owner: String, delivered: String? = nil, refunded: String = "no",
        type: String = "Consumable"
    ) throws {
        try take(
            #"{"kind":"transaction","bundleId":"app","transactionId":"\#(id)","charged":true,"#
                + #""type":"\#(type)","quantity":1,"refunded":"\#(refunded)","owner":"\#(owner)","#
                + #""delivered":[\#(goods(delivered))]}"#)
    }

    private mutating func claim(
        _ id: String, _ account: String, order: String? = nil, transaction: String? = nil
    ) throws {
        let order = order.map { #","orderNumber":"\#($0)""# } ?? ""
        let transaction = transaction.map { #","transactionId":"\#($0)""# } ?? ""
        try take(
            #"{"kind":"claim","bundleId":"app","claimId":"\#(id)","account":"\#(account)","#
                + #""story":"not-delivered"\#(order)\#(transaction)}"#)
    }

    private func goods(_ account: String?) -> String {
        account.map { #"{"account":"\#($0)","quantity":1}"# } ?? ""
    }

    mutating func untold(_ id: String, _ fact: String) throws {
        let line =
            #"{"kind":"untold","bundleId":"app","transactionId":"\#(id)","facts":["\#(fact)"]}"#
        truths.take(expected: try JSONValue(parsing: Array(line.utf8)))
    }

    /// What is false in an answer.
    func lies(
        _ subject: Simulator.Expectation.Subject, _ verdict: String,
        _ charges: [(id: String, verdict: String, owner: String?, missing: Int64)] = []
    ) -> [FalseThing.Kind] {
        truths.falseThings(
            in: GivenAnswer(
                subject: subject, bundle: "app", verdict: verdict, status: "paid",
                charges: charges.map {
                    GivenAnswer.Charge(
                        transactionId: $0.id, verdict: $0.verdict, owner: $0.owner,
                        missing: $0.missing)
                }, askedAt: 0)
        ).map(\.kind)
    }
}

@Suite("False things")
struct ScoreFalseThingTests {
    @Test(
        "to deny a charge to one who was charged is false", arguments: ["not-charged", "disproved"])
    func denied(verdict: String) throws {
        let world = try SmallWorld()
        #expect(world.lies(.order("A2"), verdict) == [.deniedCharge])
        #expect(world.lies(.claim("C2"), verdict) == [.deniedCharge])
        #expect(world.lies(.order("A4"), verdict) == [])
        #expect(world.lies(.claim("C3"), verdict) == [], "bob was not charged")
    }

    @Test("to call genuine material forged is false")
    func forged() throws {
        let world = try SmallWorld()
        #expect(world.lies(.order("A4"), "forged") == [.genuineCalledForged])
        #expect(world.lies(.claim("C2"), "forged") == [.genuineCalledForged])
        #expect(world.lies(.order("B1"), "forged") == [])
        #expect(world.lies(.claim("C3"), "forged") == [], "bob did forge")
    }

    @Test("delivered to one who got nothing is false")
    func delivered() throws {
        var world = try SmallWorld()
        #expect(
            world.lies(.order("A2"), "delivered", [("T2", "delivered", "anna", 0)])
                == [.deliveredNothing])
        #expect(world.lies(.order("A4"), "delivered") == [.deliveredNothing])
        #expect(world.lies(.claim("C3"), "delivered") == [.deliveredNothing])
        #expect(world.lies(.order("A1"), "delivered", [("T1", "delivered", "anna", 0)]) == [])
        #expect(world.lies(.order("A1"), "delivered") == [])
        #expect(
            world.lies(.claim("C1"), "delivered", [("S1", "delivered", "anna", 0)]) == [],
            "a subscription that runs is served")
        #expect(
            world.lies(.claim("C1"), "delivered", [("X", "delivered", "anna", 0)])
                == [.deliveredNothing], "no such charge")
        try world.transaction("T4", "anna", delivered: "bob")
        #expect(
            world.lies(.claim("C3"), "delivered", [("T4", "delivered", "bob", 0)]) == [],
            "bob got what was anna's")
        try world.untold("T2", "taken-back")
        #expect(
            world.lies(.order("A2"), "delivered", [("T2", "delivered", "anna", 0)]) == [],
            "nobody told that it was taken back")
    }

    @Test("charged twice for one charge is false")
    func chargedTwice() throws {
        let world = try SmallWorld()
        let one = [
            (id: "T1", verdict: "delivered", owner: "anna" as String?, missing: Int64(0)),
            (id: "X", verdict: "delivered", owner: "anna", missing: 0),
        ]
        #expect(world.lies(.order("A1"), "charged-twice", one) == [.chargedOnce])
        let two = [one[0], (id: "T2", verdict: "paid-not-delivered", owner: "anna", missing: 1)]
        #expect(world.lies(.order("A1"), "charged-twice", two) == [])
    }

    @Test(
        "goods advised to another than the owner are false",
        arguments: ["paid-not-delivered", "delivered-to-other"])
    func goods(verdict: String) throws {
        let world = try SmallWorld()
        #expect(
            world.lies(.claim("C3"), verdict, [("T2", verdict, "bob", 1)]) == [.goodsToNonOwner])
        #expect(world.lies(.order("A2"), verdict, [("T2", verdict, "anna", 1)]) == [])
        #expect(
            world.lies(.order("A2"), verdict, [("T2", verdict, nil, 1)]) == [],
            "who owns it is to be found out first")
        #expect(
            world.lies(.order("B1"), verdict, [("X", verdict, "bob", 1)]) == [.goodsToNonOwner],
            "nobody paid for it")
        var untold = world
        try untold.untold("T2", "owner")
        #expect(
            untold.lies(.claim("C3"), verdict, [("T2", verdict, "bob", 1)]) == [],
            "nothing tied it to its owner")
    }

    @Test("a grant of what was given already is false")
    func grantedTwice() throws {
        var world = try SmallWorld()
        let again = [
            (id: "T1", verdict: "paid-not-delivered", owner: "anna" as String?, missing: Int64(1))
        ]
        #expect(world.lies(.order("A1"), "paid-not-delivered", again) == [.grantedTwice])
        try world.untold("T1", "delivery")
        #expect(world.lies(.order("A1"), "paid-not-delivered", again) == [], "nobody told of it")
    }

    @Test("a grant of what was refunded in full is false")
    func grantedAfterRefund() throws {
        var world = try SmallWorld()
        let again = [
            (id: "T3", verdict: "paid-not-delivered", owner: "anna" as String?, missing: Int64(1))
        ]
        #expect(world.lies(.order("A3"), "paid-not-delivered", again) == [.grantedAfterRefund])
        try world.untold("T3", "refund")
        #expect(world.lies(.order("A3"), "paid-not-delivered", again) == [], "nobody told of it")
    }
}
