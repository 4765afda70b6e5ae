import Settlement
import Testing

@Suite("Verdicts")
struct VerdictTests {
    @Test("a name that nobody used is unknown")
    func unknown() {
        let answer = Shell(History()).order("A1", at: 1)
        #expect(answer.code == .unknown)
        #expect(answer.verdict.proof.isEmpty)
        #expect(answer.status.headline == .none)
        #expect(answer.verdict.action.code == .searchByOtherKeys)
        #expect(answer.reviewAt == nil)
    }

    @Test(
        "proof refused for what only a forgery has is forged",
        arguments: [
            "bad-signature", "untrusted-chain", "wrong-certificate-purpose", "bad-algorithm",
        ])
    func forged(reason: String) {
        let answer = offering([("refused", reason)])
        #expect(answer.code == .forged)
        #expect(answer.remarks == [.evidenceRefused])
    }

    @Test(
        "proof refused for any other reason accuses nobody",
        arguments: [
            "malformed", "unknown-kind", "too-large", "unsigned", "bad-certificate",
            "chain-expired", "signed-in-future", "wrong-app-id", "device-hash-mismatch",
            "some-reason-of-tomorrow",
        ])
    func refusedWithoutForgery(reason: String) {
        #expect(offering([("refused", reason)]).code == .unproven)
        #expect(offering([("refused", reason), ("refused", "bad-signature")]).code == .unproven)
    }

    @Test("a forgery beside a genuine proof is not called forged")
    func forgeryBesideGenuine() {
        #expect(
            offering([("refused", "bad-signature"), ("verified", nil)]).code == .paidNotDelivered)
    }

    @Test("a forgery beside a receipt that nobody judged is not called forged")
    func forgeryBesideReceipt() {
        var history = History()
        history.storeKit("purchased", "A1", at: 1, proof: [unreadable("receipt")])
        history.bought("A1", forgery("1"), at: 2)
        #expect(Shell(history).order("A1", at: 100).code == .unproven)
    }

    @Test("more forgeries than are kept are not called forged: some were not looked at")
    func manyForgeries() {
        var history = History()
        for index in 0..<64 { history.bought("A1", forgery("\(index)"), at: 2) }
        #expect(Shell(history).order("A1", at: 100).code == .forged)
        history.bought("A1", forgery("64"), at: 3)
        #expect(Shell(history).order("A1", at: 100).code == .unproven)
    }

    @Test("only sandbox purchases: wrong environment, unless the settings accept them")
    func sandbox() {
        var history = History()
        history.created("A1")
        history.bought("A1", Signed("9001").with { $0.environment = "Sandbox" }, at: 1)
        #expect(Shell(history).order("A1", at: 100).code == .wrongEnvironment)
        var all = history
        all.settings(["environments": ["Production", "Sandbox"]])
        #expect(Shell(all).order("A1", at: 100).code == .paidNotDelivered)
        var reviewer = history
        reviewer.settings(["sandboxAccounts": ["anna"]])
        #expect(Shell(reviewer).order("A1", at: 100).code == .paidNotDelivered)
        var another = history
        another.settings(["sandboxAccounts": ["bob"]])
        #expect(Shell(another).order("A1", at: 100).code == .wrongEnvironment)
    }

    @Test(
        "what Xcode or another environment signed is of another place",
        arguments: ["xcode-signed", "wrong-environment"])
    func elsewhere(reason: String) {
        #expect(offering([("refused", reason)]).code == .wrongEnvironment)
    }

    @Test(
        "what Xcode signed never pays, whatever the door said",
        arguments: ["Xcode", "LocalTesting"])
    func xcode(environment: String) {
        var history = History()
        history.settings(["environments": ["Production", "Xcode", "LocalTesting"]])
        history.bought("A1", Signed("1").with { $0.environment = environment }, at: 1)
        #expect(Shell(history).order("A1", at: 100).code == .unproven)
    }

    @Test("proof of another bundle of ours is of another place; of a stranger's it is unproven")
    func otherBundle() {
        var history = History()
        history.settings([:])
        history.bought("A1", Signed("1").with { $0.bundle = "com.example.other" }, at: 1)
        #expect(Shell(history).order("A1", at: 100).code == .unproven)
        history.add("settings.changed", at: 0, json(["bundleId": "com.example.other"]))
        #expect(Shell(history).order("A1", at: 100).code == .wrongEnvironment)
    }

    @Test("a payment is denied only when Apple's history is complete beyond the last attempt")
    func notCharged() {
        var history = History()
        history.created("A1")
        history.storeKit("purchasing", "A1", at: 1)
        history.storeKit("failed", "A1", at: 2, error: ("SKErrorDomain", 0))
        let question = Question.order(History.bundle, "A1")
        let edge = History.instant(2 + 1440)
        let ask = { (history: History, until: Int64?) in
            Shell(history).ask(question, at: 3000, coverage: Coverage(appleUntil: until)).code
        }
        #expect(ask(history, nil) == .unproven)
        #expect(ask(history, edge - 1) == .unproven)
        #expect(ask(history, edge) == .notCharged)
        var reported = history
        reported.storeKit("purchased", "A1", at: 3)
        #expect(ask(reported, .max) == .unproven)
        var unlinked = history
        unlinked.notified(Signed("1").with { $0.price = 1 }, at: 3)
        #expect(ask(unlinked, .max) == .unproven)
        var created = History()
        created.created("A1")
        #expect(ask(created, .max) == .unproven)
    }

    @Test("within a quarter of an hour of proof a delivery is only pending")
    func deliveryGrace() {
        var history = History()
        history.created("A1")
        history.bought("A1", Signed("1").with { $0.purchased = 10 }, at: 11)
        let shell = Shell(history)
        #expect(shell.order("A1", at: 25).code == .pending)
        #expect(shell.order("A1", at: 25).reviewAt == History.instant(26))
        #expect(shell.order("A1", at: 26).code == .paidNotDelivered)
    }

    @Test("a request that failed is no longer waited for")
    func failedRequest() {
        var history = History()
        history.bought("A1", Signed("1"), at: 1)
        history.delivery("requested", "R", at: 100, transaction: "1")
        history.delivery("failed", "R", at: 101, transaction: "1")
        #expect(Shell(history).order("A1", at: 102).code == .paidNotDelivered)
        history.delivery("requested", "R", at: 103, transaction: "1")
        #expect(Shell(history).order("A1", at: 104).code == .pending)
    }

    @Test("the price decides whether a second agent is asked; an unknown price asks for one")
    func secondAgent() {
        let asks = { (price: Int64?) in
            var history = History()
            history.bought("A1", Signed("1").with { $0.price = price }, at: 1)
            return Shell(history).order("A1", at: 100).verdict.action.needsSecondAgent
        }
        #expect(!asks(49_990))
        #expect(asks(50_000))
        #expect(asks(nil))
        #expect(!asks(0))
    }

    @Test("a price of 0 is a charge of 0")
    func free() {
        var history = History()
        history.bought("A1", Signed("1").with { $0.price = 0 }, at: 1)
        let answer = Shell(history).order("A1", at: 100)
        #expect(answer.code == .paidNotDelivered)
        #expect(answer.charges.first?.price == 0)
    }

    @Test("the answer is for the claimant: another's order is not theirs, and names nobody")
    func notClaimants() {
        var history = History()
        history.created("A1")
        history.bought("A1", Signed("1"), at: 1)
        let shell = Shell(history)
        #expect(shell.order("A1", at: 100, claimant: "anna").code == .paidNotDelivered)
        let other = shell.order("A1", at: 100, claimant: "bob")
        #expect(other.code == .notClaimants)
        #expect(!other.verdict.sentence.contains("anna"))
        #expect(other.verdict.action.code == .askForAppleEmail)
    }

    @Test("goods that stand with the owner and with another too are delivered, twice")
    func deliveredToBoth() {
        var history = History()
        history.created("A1")
        history.bought("A1", Signed("1"), at: 1)
        history.delivery("succeeded", "D1", at: 2, transaction: "1", account: "yves")
        history.delivery("succeeded", "D2", at: 3, transaction: "1")
        let answer = Shell(history).order("A1", at: 100)
        #expect(answer.code == .delivered)
        #expect(answer.remarks.contains(.deliveredTwice))
    }

    private func forgery(_ copy: String) -> Signed {
        Signed("1").with {
            $0.copy = copy
            $0.status = "refused"
            $0.refusal = "bad-signature"
        }
    }

    private func offering(_ judgements: [(String, String?)]) -> Answer {
        var history = History()
        for (index, judgement) in judgements.enumerated() {
            history.bought(
                "A1",
                Signed("1").with {
                    $0.copy = "\(index)"
                    $0.status = judgement.0
                    $0.refusal = judgement.1
                }, at: 1 + index)
        }
        return Shell(history).order("A1", at: 100)
    }
}
