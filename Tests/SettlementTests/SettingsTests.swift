import Testing

@testable import Settlement

@Suite("Settings and policy")
struct SettingsTests {
    @Test("the documented defaults")
    func defaults() {
        let policy = Policy()
        let minutes = [
            policy.deliveryGrace, policy.deliveryRequestOpen, policy.purchasingStuck,
            policy.deferredStuck, policy.finishUnacknowledged, policy.abandoned,
            policy.floodWindow, policy.candidateWindow, policy.coverageMargin,
        ].map { $0 / 60_000 }
        #expect(minutes == [15, 60, 60, 4320, 1440, 1440, 60, 1440, 1440])
        #expect(policy.floodCallbacks == 10)
        #expect(policy.secondAgentFrom == 50_000)
        #expect(!Settings().isConfigured)
        #expect(Settings().accepts(bundle: "any.bundle"))
        #expect(Settings()["any.bundle"].environments == ["Production"])
        #expect(Settings()["any.bundle"].convention == .order)
    }

    @Test("the table of policy members names every member")
    func tableIsComplete() {
        #expect(Policy.members.count == Mirror(reflecting: Policy()).children.count)
        let names = Mirror(reflecting: Policy()).children.compactMap(\.label)
        #expect(Policy.members.map(\.name) == names)
    }

    @Test("a policy event changes what it names and nothing else; the last in the log holds")
    func policy() {
        var history = History()
        history.policy(["deliveryGrace": 1, "somethingNew": 5, "abandoned": "nonsense"])
        history.policy(["deliveryGrace": 2, "floodCallbacks": 1, "candidateScore": -1])
        var expected = Policy()
        expected.deliveryGrace = 2
        #expect(Shell(history).settings.policy == expected)
    }

    @Test("an overlong duration is refused, so that no instant overflows")
    func overlong() {
        var history = History()
        history.policy(["deliveryGrace": Int64.max, "candidateWindow": Policy.greatest])
        #expect(Shell(history).settings.policy.deliveryGrace == Policy().deliveryGrace)
        #expect(Shell(history).settings.policy.candidateWindow == Policy.greatest)
        history.created("A1")
        history.notified(Signed("1001"), at: 1)
        #expect(Shell(history).order("A1", at: 100).code == .paymentUnlinked)
    }

    @Test("settings are kept by bundle; null goes back to the default")
    func bundles() {
        var history = History()
        history.settings([
            "convention": "account", "environments": ["Sandbox"], "appAppleId": 1234,
            "tokensNameAccounts": true, "somethingNew": [1],
        ])
        var shell = Shell(history)
        #expect(shell.settings[History.bundle].convention == .account)
        #expect(shell.settings[History.bundle].environments == ["Sandbox"])
        #expect(shell.settings[History.bundle].appAppleId == 1234)
        #expect(shell.settings["other"].convention == .order)
        #expect(shell.settings.accepts(bundle: History.bundle))
        #expect(!shell.settings.accepts(bundle: "other"))
        history.settings([
            "convention": json(null), "environments": json(null), "appAppleId": json(null),
            "tokensNameAccounts": json(null),
        ])
        shell = Shell(history)
        #expect(shell.settings[History.bundle] == BundleSettings())
        #expect(shell.settings.isConfigured)
    }

    @Test("a convention of tomorrow changes nothing")
    func unknownConvention() {
        var history = History()
        history.settings(["convention": "account"])
        history.settings(["convention": "something-else"])
        #expect(Shell(history).settings[History.bundle].convention == .account)
    }

    @Test("in the account convention two accounts that name one transaction are one sender each")
    func accountConventionReuse() {
        var history = History()
        history.account = nil
        history.settings(["convention": "account"])
        history.bought("anna", Signed("1001"), at: 1)
        history.bought("bob", Signed("1001"), at: 2)
        let answer = Shell(history).account("anna", at: 100)
        #expect(answer.code == .paidNotDelivered)
        #expect(answer.remarks.contains(.transactionReused))
        #expect(Shell(history).account("bob", at: 100).charges.isEmpty)
    }

    @Test("in the account convention an order that the platform made is still found by its number")
    func orderInAccountConvention() {
        var history = History()
        history.settings(["convention": "account"])
        history.created("A1")
        history.bought("anna", Signed("1001"), at: 1)
        history.bought("anna", Signed("1002"), at: 1)
        history.named("1001", for: "A1", at: 2)
        let shell = Shell(history)
        let order = shell.order("A1", at: 100)
        #expect(order.code == .paidNotDelivered)
        #expect(order.charges.map(\.transactionId) == ["1001"])
        #expect(order.account == "anna")
        #expect(shell.order("anna", at: 100).charges.map(\.transactionId) == ["1001", "1002"])
    }

    @Test("where subscription deliveries are reported, an active period without one is owed")
    func subscriptionDeliveries() {
        var history = History()
        history.bought(
            "A1",
            Signed("2000").with {
                $0.type = "Auto-Renewable Subscription"
                $0.expires = 50_000
            }, at: 1)
        #expect(Shell(history).order("A1", at: 100).code == .delivered)
        history.settings(["subscriptionDeliveriesReported": true])
        #expect(Shell(history).order("A1", at: 100).code == .paidNotDelivered)
        history.delivery("succeeded", "D1", at: 2, transaction: "2000")
        #expect(Shell(history).order("A1", at: 100).code == .delivered)
    }
}
