import Settlement
import Testing

private let token = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"

@Suite("Links, owners and candidates")
struct LinkTests {
    private func link(_ history: History, _ id: String = "1001") -> LinkAnswer? {
        Shell(history).transaction(id, at: 5000).charges.first?.link
    }

    @Test("a stronger link is better whatever came first: agent, signed, platform, device")
    func strengths() {
        var history = History()
        history.created("SIGNED", token: token)
        history.bought("DEVICE", Signed("1001").with { $0.token = token }, at: 1)
        #expect(link(history)?.strength == .signed)
        #expect(link(history)?.orderNumber == "SIGNED")
        history.named("1001", for: "PLATFORM", at: 0)
        #expect(link(history)?.strength == .signed)
        history.linked("1001", to: "AGENT", at: 3)
        #expect(link(history)?.strength == .agent)
        #expect(link(history)?.orderNumber == "AGENT")
        history.linked("1001", to: "AGENT", false, at: 4)
        #expect(link(history)?.strength == .signed)
    }

    @Test("the platform's word is better than an earlier device's")
    func platformBeforeDevice() {
        var history = History()
        history.bought("DEVICE", Signed("1001"), at: 1)
        #expect(link(history)?.orderNumber == "DEVICE")
        history.named("1001", for: "PLATFORM", at: 9)
        #expect(link(history)?.strength == .platform)
        #expect(link(history)?.orderNumber == "PLATFORM")
    }

    @Test("an unlinking that names no order takes back every link before it")
    func unlinkAll() {
        var history = History()
        history.notified(Signed("1001"), at: 1)
        history.linked("1001", to: "A1", at: 2)
        history.linked("1001", to: nil, false, at: 3)
        #expect(link(history) == nil)
        history.linked("1001", to: "A2", at: 4)
        #expect(link(history)?.orderNumber == "A2")
    }

    @Test("of two orders at the best strength the earlier counts, and the link is contested")
    func contested() {
        var history = History()
        history.bought("LATER", Signed("1001"), at: 9)
        history.bought("EARLIER", Signed("1001"), at: 1)
        #expect(link(history)?.orderNumber == "EARLIER")
        #expect(link(history)?.isContested == true)
        let answer = Shell(history).order("EARLIER", at: 500)
        #expect(answer.verdict.action.needsSecondAgent)
        #expect(answer.verdict.remarks.first { $0.code == .linkConflict }?.subjects.first == "1001")
    }

    @Test("a token that was registered names that order; another named with it is a mismatch")
    func tokenMismatch() {
        var history = History()
        history.created("A1", token: token.uppercased())
        history.bought("A2", Signed("1001").with { $0.token = token }, at: 1)
        let answer = Shell(history).order("A1", at: 500)
        #expect(answer.code == .paidNotDelivered)
        #expect(answer.remarks.contains(.tokenMismatch))
        #expect(!answer.remarks.contains(.linkConflict))
    }

    @Test("a UUID is compared in any case, anything else as it is")
    func folding() {
        var history = History()
        history.created(token.uppercased())
        history.created("abc")
        let shell = Shell(history)
        #expect(shell.order(token, at: 1).code == .unproven)
        #expect(shell.order("ABC", at: 1).code == .unknown)
        #expect(shell.order("abc", at: 1).code == .unproven)
    }

    @Test("canonically equivalent order numbers are two orders")
    func canonicalEquivalence() {
        var history = History()
        history.created("caf\u{E9}")
        let shell = Shell(history)
        #expect(shell.order("caf\u{E9}", at: 1).code == .unproven)
        #expect(shell.order("cafe\u{301}", at: 1).code == .unknown)
    }

    @Test("a token names an order only for the earliest charge; a later one can be named by itself")
    func tokenOfRenewal() {
        let period = { (id: String, at: Int) in
            Signed(id).with {
                $0.original = "2000"
                $0.type = "Auto-Renewable Subscription"
                $0.token = token
                $0.purchased = at
                $0.expires = at + 100
            }
        }
        var history = History()
        history.created(token)
        history.notified(period("2000", 0), at: 1)
        history.notified(period("2001", 100), at: 101)
        #expect(
            Shell(history).transaction("2001", at: 150).charges.first?.link?.strength == .inherited)
        history.bought("A2", period("2001", 100), at: 102)
        let link = Shell(history).transaction("2001", at: 150).charges.first?.link
        #expect(link?.strength == .device)
        #expect(link?.orderNumber == "A2")
        #expect(!Shell(history).transaction("2001", at: 150).remarks.contains(.tokenMismatch))
    }

    @Test("a delivery that names both links where nothing else does")
    func deliveryNamesBoth() {
        var history = History()
        history.notified(Signed("1001"), at: 1)
        history.delivery("succeeded", "D1", at: 2, order: "A1", transaction: "1001")
        #expect(Shell(history).order("A1", at: 100).code == .delivered)
        #expect(link(history)?.orderNumber == "A1")
        history.bought("A2", Signed("1001"), at: 3)
        #expect(link(history)?.orderNumber == "A2")
    }

    // MARK: Owners

    @Test("the order's account owns; then the token's, then who was served, then who sent it")
    func owners() {
        var history = History()
        history.account = "sender"
        history.bought(nil, Signed("1001").with { $0.token = token }, at: 1)
        history.settings(["tokensNameAccounts": true])
        let owner = { (history: History) in
            Shell(history).transaction("1001", at: 500).charges.first?.owner
        }
        #expect(owner(history)?.account == "sender")
        #expect(owner(history)?.basis == .sender)
        history.delivery("succeeded", "D1", at: 2, transaction: "1001", account: "served")
        #expect(owner(history)?.basis == .delivery)
        history.registered("registered", token: token, at: 3)
        #expect(owner(history)?.account == "registered")
        #expect(owner(history)?.basis == .token)
        history.created("A1", account: "orderer")
        history.named("1001", for: "A1", at: 4)
        #expect(owner(history)?.account == "orderer")
        #expect(owner(history)?.basis == .order)
        history.add(
            "payment.transferred", at: 5,
            json(["bundleId": History.bundle, "transactionId": "1001", "account": "heir"]))
        #expect(owner(history)?.account == "heir")
        #expect(owner(history)?.basis == .transfer)
    }

    @Test("a token registered for an account names no order")
    func accountToken() {
        var history = History()
        history.registered("anna", token: token)
        history.notified(Signed("1001").with { $0.token = token }, at: 1)
        let answer = Shell(history).account("anna", at: 100)
        #expect(answer.code == .paidNotDelivered)
        #expect(answer.charges.first?.owner?.basis == .token)
        #expect(answer.charges.first?.link == nil)
        #expect(Shell(history).ask(.token(History.bundle, token), at: 100).account == "anna")
    }

    // MARK: Candidates

    private func candidates(_ change: (inout Signed) -> Void) -> [Candidate] {
        var history = History()
        history.created("A1", at: 2000)
        history.notified(Signed("1001").with { $0.purchased = 2000 }.with(change), at: 2001)
        return Shell(history).order("A1", at: 5000).candidates
    }

    @Test("product, window and price make a candidate likely; without the price it is only listed")
    func threshold() {
        #expect(candidates { _ in }.map(\.isLikely) == [true])
        #expect(candidates { $0.price = 991 }.map(\.isLikely) == [false])
        #expect(candidates { $0.currency = "EUR" }.map(\.isLikely) == [false])
        #expect(candidates { $0.price = nil }.map(\.isLikely) == [false])
        #expect(candidates { $0.product = "gems.600" }.isEmpty)
    }

    @Test("the window is a day on either side, its ends included")
    func window() {
        #expect(candidates { $0.purchased = 2000 - 1440 }.count == 1)
        #expect(candidates { $0.purchased = 2000 - 1441 }.isEmpty)
        #expect(candidates { $0.purchased = 2000 + 1440 }.count == 1)
        #expect(candidates { $0.purchased = 2000 + 1441 }.isEmpty)
    }

    @Test("what cannot be this order's charge is no candidate")
    func noCandidates() {
        #expect(candidates { $0.ownership = "FAMILY_SHARED" }.isEmpty)
        #expect(candidates { $0.environment = "Sandbox" }.isEmpty)
        #expect(candidates { $0.token = token }.isEmpty)
        #expect(
            candidates {
                $0.type = "Non-Consumable"
                $0.original = "1000"
            }.isEmpty)
    }

    @Test("a charge that another account is registered for is ruled out")
    func ruledOut() {
        var history = History()
        history.created("A1")
        history.registered("bob", token: token)
        history.notified(Signed("1001").with { $0.token = token }, at: 1)
        #expect(Shell(history).order("A1", at: 100).candidates.isEmpty)
    }

    @Test("the account, the customer, the device and the storefront raise the score")
    func reasons() {
        var history = History()
        history.created("A1", price: nil)
        history.storeKit("purchasing", "A1", at: 1)
        history.bought("A0", Signed("900").with { $0.customer = "c" }, at: 1)
        history.bought(nil, Signed("1001").with { $0.customer = "c" }, at: 2)
        let answer = Shell(history).order("A1", at: 100)
        #expect(answer.code == .paymentUnlinked)
        #expect(
            answer.candidates.first?.reasons == [.product, .window, .account, .customer, .device])
        #expect(answer.candidates.first?.score == 32)
        #expect(!answer.verdict.action.needsSecondAgent)
    }

    @Test("several orders that fit one charge say so of each other")
    func rivals() {
        var history = History()
        history.created("A1")
        history.created("A2", account: "bob")
        history.notified(Signed("1001"), at: 1)
        let shell = Shell(history)
        #expect(shell.order("A1", at: 100).candidates.first?.rivals == ["A2"])
        #expect(shell.order("A2", at: 100).candidates.first?.rivals == ["A1"])
        let orphan = shell.transaction("1001", at: 100)
        #expect(orphan.candidates.map(\.orderNumber) == ["A1", "A2"])
        history.bought("A2", Signed("1002"), at: 2)
        #expect(Shell(history).order("A1", at: 100).candidates.first?.rivals == [])
    }

    @Test("an account with a delivered order still hears of the payment that got lost")
    func lostBesideDelivered() {
        var history = History()
        history.created("A1")
        history.bought("A1", Signed("1001"), at: 1)
        history.delivery("succeeded", "D1", at: 2, order: "A1")
        history.created("A2")
        history.notified(Signed("1002"), at: 3)
        let answer = Shell(history).account("anna", at: 100)
        #expect(answer.code == .delivered)
        #expect(answer.verdict.alsoTrue == [.paymentUnlinked])
    }
}
