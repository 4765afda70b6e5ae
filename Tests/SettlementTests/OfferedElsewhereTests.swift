import Settlement
import Testing

/// What a world of made-up customers found: names under which another's goods or proofs stand.
@Suite("Goods and proofs that stand under another name too")
struct OfferedElsewhereTests {
    @Test("goods delivered for one order do not make another delivered that named the payment too")
    func goodsOfAnotherOrder() {
        var history = History()
        history.created("A1")
        let signed = Signed("1001").with { $0.purchased = 1 }
        history.bought("A1", signed, at: 2)
        history.delivery("succeeded", "D1", at: 3, order: "A1", transaction: "1001")
        history.created("A2", at: 50)
        history.bought("A2", signed, at: 52)
        let shell = Shell(history)
        #expect(shell.order("A1", at: 500).code == .delivered)
        let second = shell.order("A2", at: 500)
        #expect(second.code == .unproven)
        #expect(second.status.headline == .reported)
    }

    @Test("a claimant who names a transaction is told that the proof they sent of it is forged")
    func forgedTransaction() {
        var history = History()
        history.bought(nil, forged("9001"), at: 2)
        history.claim("C1", at: 60, account: "anna", transaction: "9001")
        history.claim("C2", at: 60, account: "bob", transaction: "9001")
        let shell = Shell(history)
        #expect(shell.claim("C1", at: 100)?.code == .forged)
        #expect(shell.claim("C2", at: 100)?.code == .unproven, "bob sent no proof")
    }

    @Test("so it is in the account convention, where proof is offered under a user name")
    func forgedUnderUsername() {
        var history = History()
        history.settings(["convention": "account"])
        history.bought("anna", forged("9001"), at: 2)
        history.claim("C1", at: 60, account: "anna", transaction: "9001")
        #expect(Shell(history).claim("C1", at: 100)?.code == .forged)
    }

    @Test("a purchase without an order inherits none from the upgrade that followed it")
    func linkedUpgrade() {
        var history = History()
        history.created("A1", product: "club")
        history.created("A2", at: 5, product: "gold")
        let first = Signed("1001").with {
            $0.product = "club"
            $0.type = "Auto-Renewable Subscription"
            $0.purchased = 1
            $0.expires = 50_000
        }
        let upgrade = first.with {
            $0.id = "1002"
            $0.original = "1001"
            $0.product = "gold"
            $0.purchased = 10
        }
        history.notified(first, at: 2)
        history.bought("A2", upgrade, at: 11)
        let shell = Shell(history)
        #expect(shell.order("A1", at: 100).code == .paymentUnlinked)
        #expect(shell.order("A2", at: 100).code == .delivered)
        #expect(shell.transaction("1001", at: 100).orders == ["A2"])
    }

    @Test("a renewal is its order's though the first period was only named, never proven")
    func renewalOfUnproven() {
        var history = History()
        history.created("A1", product: "club")
        history.named("1001", for: "A1", at: 2)
        // A week later, where the order looks for no candidates.
        let renewal = Signed("1002").with {
            $0.original = "1001"
            $0.product = "club"
            $0.type = "Auto-Renewable Subscription"
            $0.purchased = 10_080
            $0.expires = 20_160
        }
        history.notified(renewal, at: 10_081)
        let answer = Shell(history).order("A1", at: 50_000)
        #expect(answer.code == .lapsed)
        #expect(answer.charges.map(\.transactionId) == ["1002"])
    }

    @Test("an upload that could not be read may have been the proof: nobody is called a forger")
    func forgedBesideUnreadable() {
        var history = History()
        history.bought(nil, forged("9001"), at: 2)
        history.storeKit(
            "purchased", nil, at: 3,
            proof: [unreadable("cut", kind: "unknown", reason: "malformed")])
        history.claim("C1", at: 60, account: "anna", transaction: "9001")
        #expect(Shell(history).claim("C1", at: 100)?.code == .unproven)
    }

    @Test("so it is where the upload named another of the claimant's orders")
    func forgedBesideUnreadableOfAnotherOrder() {
        var history = History()
        history.created("A1")
        history.created("A2")
        history.bought("A1", forged("9001"), at: 2)
        history.claim("C1", at: 60, account: "anna", transaction: "9001")
        #expect(Shell(history).claim("C1", at: 100)?.code == .forged)
        history.storeKit(
            "purchased", "A2", at: 3,
            proof: [unreadable("cut", kind: "unknown", reason: "malformed")])
        #expect(Shell(history).claim("C1", at: 100)?.code == .unproven)
    }

    @Test("proof that is sent again after its goods were delivered for another order wins nothing")
    func replayedAfterDelivery() {
        var history = History()
        history.created("A1")
        history.storeKit("purchased", nil, "1001", at: 2)
        history.delivery("requested", "D1", at: 3, order: "A1", transaction: "1001")
        history.delivery("succeeded", "D1", at: 4, order: "A1", transaction: "1001")
        history.created("B1", at: 50, account: "bob")
        history.bought("B1", Signed("1001").with { $0.purchased = 1 }, at: 52)
        history.claim("C1", at: 60, account: "bob", order: "B1")
        let shell = Shell(history)
        #expect(shell.order("A1", at: 500).code == .delivered)
        #expect(shell.claim("C1", at: 500)?.code == .notClaimants)
        #expect(shell.order("B1", at: 500).charges.isEmpty)
    }

    private func forged(_ id: String) -> Signed {
        Signed(id).with {
            $0.status = "refused"
            $0.refusal = "bad-signature"
        }
    }
}
