import Settlement
import Testing

private let month = 43_200

private func period(_ index: Int, expires: Int? = nil) -> Signed {
    Signed("\(2000 + index)").with {
        $0.original = "2000"
        $0.product = "club.monthly"
        $0.type = "Auto-Renewable Subscription"
        $0.purchased = index * month
        $0.expires = expires ?? (index + 1) * month
    }
}

private func song(_ id: String = "4001") -> Signed {
    Signed(id).with {
        $0.type = "Non-Consumable"
        $0.product = "song"
    }
}

private func states(_ history: History, _ id: String, at minutes: Int) -> [Entitlement.State] {
    Shell(history).hold(transaction: id, at: minutes).entitlements.map(\.state)
}

@Suite("Entitlements")
struct EntitlementTests {
    @Test("a consumable is granted once per charge; its refund leaves what stands as a debt")
    func consumable() throws {
        var history = History()
        let signed = Signed("1001").with { $0.quantity = 3 }
        history.bought("A1", signed, at: 1)
        history.bought("A1", signed, at: 2)
        let held = try #require(Shell(history).hold(order: "A1", at: 3).entitlements.first)
        #expect(Shell(history).hold(order: "A1", at: 3).entitlements.count == 1)
        #expect(held.kind == .consumable && held.state == .active && held.quantity == 3)
        #expect(held.basis == .purchased && held.account == "anna" && held.debt == 0)

        history.delivery("succeeded", "D1", at: 4, transaction: "1001", quantity: 3)
        let refunded = signed.with {
            $0.signed = 60
            $0.revoked = 60
        }
        history.notified(refunded, at: 61, as: "REFUND")
        let owed = try #require(Shell(history).hold(order: "A1", at: 70).entitlements.first)
        #expect(owed.state == .refunded && owed.debt == 3)
        #expect(owed.until == History.instant(60) && !owed.state.grantsAccess)
    }

    @Test("a receipt with a restored copy gives nothing back that a signed transaction ended")
    func refundBeforeReceipt() {
        var history = History()
        history.notified(
            song().with {
                $0.signed = 10
                $0.revoked = 10
            }, at: 10, as: "REFUND")
        let copy = song("4002").with { $0.original = "4001" }
        history.storeKit(
            "restored", nil, "4002", at: 20,
            proof: [Receipt(entries: [copy], created: 20).part(path: "data.receipt")])
        #expect(states(history, "4001", at: 30) == [.refunded])
    }

    @Test("a refund in part takes nothing away; a reversed refund gives it back")
    func partAndReversal() {
        var history = History()
        history.notified(
            song().with {
                $0.signed = 10
                $0.revoked = 10
                $0.revocationPercentage = 30_000
            }, at: 10, as: "REFUND")
        #expect(states(history, "4001", at: 11) == [.active])
        history.notified(
            song().with {
                $0.signed = 20
                $0.revoked = 20
            }, at: 20, as: "REFUND")
        #expect(states(history, "4001", at: 21) == [.refunded])
        history.notified(song().with { $0.signed = 30 }, at: 30, as: "REFUND_REVERSED")
        #expect(states(history, "4001", at: 31) == [.active])
    }

    @Test("a restore is the same entitlement, and the copy signed last speaks for both")
    func restore() throws {
        var history = History()
        history.bought("A1", song(), at: 1)
        let restored = song("4002").with {
            $0.original = "4001"
            $0.purchased = 50
            $0.signed = 50
        }
        history.storeKit(
            "restored", nil, "4002", at: 50, original: "4001",
            proof: [restored.part(path: "data.signedTransaction")])
        let held = Shell(history).hold(order: "A1", at: 60).entitlements
        #expect(held.map(\.id) == ["4001"] && held.map(\.state) == [.active])
        history.notified(
            song().with {
                $0.signed = 70
                $0.revoked = 70
            }, at: 70, as: "REFUND")
        #expect(Shell(history).hold(order: "A1", at: 71).entitlements.map(\.state) == [.refunded])
    }

    @Test("a subscription is active, then in grace, then in billing retry, then over")
    func subscription() {
        var history = History()
        history.notified(period(0), at: 1)
        #expect(states(history, "2000", at: 2) == [.active])
        history.notified(
            period(0),
            renewal: Renewal(
                original: "2000", signed: month, isRetrying: true, graceEnds: month + 100),
            at: month + 1, as: "DID_FAIL_TO_RENEW")
        #expect(states(history, "2000", at: month + 2) == [.grace])
        #expect(states(history, "2000", at: month + 101) == [.billingRetry])
        history.notified(
            period(0), renewal: Renewal(original: "2000", signed: month + 200, isRetrying: false),
            at: month + 200, as: "EXPIRED")
        #expect(states(history, "2000", at: month + 201) == [.expired])
        // A later renewal recovers it, and a period bought for later is not yet one.
        history.notified(period(2), at: month + 300, as: "DID_RENEW")
        #expect(states(history, "2000", at: month + 301) == [.expired])
        #expect(states(history, "2000", at: 2 * month + 1) == [.active])
    }

    @Test("an earlier period never comes back because a later one ended or was refunded")
    func noReturn() throws {
        var history = History()
        history.notified(period(0, expires: 12 * month), at: 1)
        history.notified(
            period(1).with {
                $0.product = "club.gold"
                $0.purchased = 100
                $0.expires = 200
            }, at: 101, as: "DID_CHANGE_RENEWAL_PREF")
        let held = try #require(
            Shell(history).hold(transaction: "2000", at: 300).entitlements.first)
        #expect(held.state == .expired && held.transactionId == "2001")
        #expect(held.productId == "club.gold")
    }

    @Test("Apple forum 774755: a refund of an older period keeps the access of the newer")
    func refundOfOlder() {
        var history = History()
        history.notified(period(0), at: 1)
        history.notified(period(1), at: month + 1)
        history.notified(
            period(0).with {
                $0.signed = month + 50
                $0.revoked = month + 50
            }, at: month + 51, as: "REFUND")
        #expect(states(history, "2000", at: month + 60) == [.active])
        history.notified(
            period(1).with {
                $0.signed = month + 70
                $0.revoked = month + 70
            }, at: month + 71, as: "REFUND")
        #expect(states(history, "2000", at: month + 80) == [.refunded])
    }

    @Test("a downgrade changes only the next renewal, and a cancellation only whether there is one")
    func renewalInfo() throws {
        var history = History()
        history.notified(
            period(0),
            renewal: Renewal(
                original: "2000", signed: 5, willRenew: 1, nextProduct: "club.small"), at: 5,
            as: "DID_CHANGE_RENEWAL_PREF")
        let held = try #require(Shell(history).hold(transaction: "2000", at: 6).entitlements.first)
        #expect(held.state == .active && held.productId == "club.monthly")
        #expect(held.nextProductId == "club.small" && held.willRenew == true)
        history.notified(
            period(0),
            renewal: Renewal(
                original: "2000", signed: 7, willRenew: 0, nextProduct: "club.monthly"), at: 7,
            as: "DID_CHANGE_RENEWAL_STATUS")
        let ending = try #require(
            Shell(history).hold(transaction: "2000", at: 8).entitlements.first)
        #expect(ending.state == .active && ending.willRenew == false)
        #expect(ending.nextProductId == nil)
    }

    @Test("what is shared in a family is an entitlement that nobody paid for, until it is revoked")
    func family() throws {
        var history = History()
        let shared = song().with { $0.ownership = "FAMILY_SHARED" }
        history.bought("A1", shared, at: 1)
        let held = try #require(Shell(history).hold(order: "A1", at: 2).entitlements.first)
        #expect(held.basis == .shared && held.state == .active)
        #expect(Shell(history).order("A1", at: 2).charges.isEmpty)
        history.notified(
            shared.with {
                $0.signed = 10
                $0.revoked = 10
                $0.revocationType = "FAMILY_REVOKE"
            }, at: 10, as: "REVOKE")
        let holdings = Shell(history).hold(order: "A1", at: 11)
        #expect(holdings.entitlements.map(\.state) == [.revoked] && holdings.disputes.isEmpty)
    }

    @Test(
        "a withdrawal ends it and is called no refund; an upgrade supersedes",
        arguments: [(2, nil, Entitlement.State.withdrawn), (0, true, .superseded)])
    func withdrawn(reason: Int, isUpgraded: Bool?, state: Entitlement.State) {
        var history = History()
        history.notified(
            period(0).with {
                $0.signed = 10
                $0.revoked = 10
                $0.revocationReason = reason
                $0.isUpgraded = isUpgraded
            }, at: 11)
        let holdings = Shell(history).hold(transaction: "2000", at: 12)
        #expect(holdings.entitlements.map(\.state) == [state] && holdings.disputes.isEmpty)
    }

    @Test("an extended renewal moves the end; a sandbox purchase entitles to nothing")
    func others() throws {
        var history = History()
        history.notified(period(0), at: 1)
        history.notified(
            period(0, expires: 2 * month).with { $0.signed = 50 }, at: 50, as: "RENEWAL_EXTENDED")
        let held = try #require(
            Shell(history).hold(transaction: "2000", at: month + 1).entitlements.first)
        #expect(held.state == .active && held.until == History.instant(2 * month))
        var sandbox = History()
        sandbox.bought("A1", song().with { $0.environment = "Sandbox" }, at: 1)
        #expect(Shell(sandbox).hold(order: "A1", at: 2).entitlements.isEmpty)
    }
}
