import Settlement
import Testing

private let token = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"

private func offered(
    _ history: inout History, _ entries: [Signed], created: Int, at minutes: Int,
    number: String? = "A1", status: String = "verified"
) {
    history.storeKit(
        "purchased", number, entries.first?.id, at: minutes,
        proof: [
            Receipt(entries: entries, created: created, status: status)
                .part(path: "data.receipt")
        ])
}

@Suite("What receipts and unsigned answers say")
struct ReceiptEvidenceTests {
    @Test("a verified receipt pays for what it lists; a refused one for nothing")
    func pays() throws {
        var history = History()
        offered(&history, [Signed("1001"), Signed("1002")], created: 5, at: 5)
        let answer = Shell(history).order("A1", at: 60)
        #expect(answer.code == .paidNotDelivered)
        #expect(answer.charges.map(\.transactionId) == ["1001"])
        let charge = try #require(answer.charges.first)
        #expect(charge.price == nil, "a receipt knows no price, which is unknown and not 0")
        #expect(charge.owner?.account == "anna")
        #expect(Shell(history).transaction("1002", at: 60).charges.count == 1)
        var refused = History()
        offered(&refused, [Signed("1001")], created: 5, at: 5, status: "refused")
        #expect(Shell(refused).order("A1", at: 60).charges.isEmpty)
    }

    @Test("a signed transaction speaks before a receipt; a receipt erases nothing it said")
    func jwsFirst() throws {
        var history = History()
        history.bought("A1", Signed("1001"), at: 1)
        let later = Signed("1001").with {
            $0.product = "gems.6000"
            $0.revoked = 50
        }
        offered(&history, [later], created: 90, at: 90)
        let charge = try #require(Shell(history).order("A1", at: 120).charges.first)
        #expect(charge.productId == "gems.60" && charge.price == 990 && charge.refund == .none)
    }

    @Test("of receipts the one made last speaks, whichever comes first")
    func newestReceipt() {
        let old = Signed("1001")
        let new = Signed("1001").with {
            $0.revoked = 50
            $0.revocationReason = 0
        }
        for isReversed in [false, true] {
            var history = History()
            offered(&history, [old], created: 10, at: isReversed ? 91 : 90)
            offered(&history, [new], created: 60, at: isReversed ? 90 : 91)
            #expect(Shell(history).order("A1", at: 120).code == .refunded)
        }
    }

    @Test("a finished consumable is in no later receipt, and stays paid all the same")
    func consumableGone() {
        var history = History()
        offered(&history, [Signed("1001")], created: 10, at: 10)
        offered(&history, [], created: 60, at: 60, number: nil)
        #expect(Shell(history).order("A1", at: 120).code == .paidNotDelivered)
    }

    @Test("without a product type, a purchase under another's id restores and pays nothing")
    func oldRestore() {
        var history = History()
        var restored = Signed("1002")
        restored.original = "1001"
        restored.type = "Non-Consumable"
        offered(&history, [restored], created: 10, at: 10)
        #expect(Shell(history).order("A1", at: 120).charges.isEmpty)
    }

    @Test("react-native-iap#2752: a token in latest_receipt_info only is found, and proves nothing")
    func tokenOnlyUnsigned() {
        var history = History()
        history.created(token)
        history.verified(
            receipt: [["transaction_id": "1001"]],
            latest: [["transaction_id": "1001", "app_account_token": token.uppercased()]], at: 5)
        let unproven = Shell(history).order(token, at: 60)
        #expect(unproven.charges.isEmpty && unproven.code == .unproven)
        offered(&history, [Signed("1001")], created: 6, at: 6, number: nil)
        let answer = Shell(history).order(token, at: 60)
        #expect(answer.charges.map(\.transactionId) == ["1001"])
        #expect(answer.charges.first?.link?.strength == .device, "nobody signed the token")
    }

    @Test("go-iap#153, #160: an id that is a number in an answer is the same id")
    func numericId() {
        var history = History()
        history.created(token)
        offered(&history, [Signed("1000000123456789")], created: 6, at: 6, number: nil)
        history.verified(
            latest: [["transaction_id": 1_000_000_123_456_789, "app_account_token": token]], at: 5)
        #expect(
            Shell(history).order(token, at: 60).charges.map(\.transactionId) == [
                "1000000123456789"
            ])
    }

    @Test("an unsigned line denies nothing: no refund, and no owner to what is proven")
    func unsignedDeniesNothing() {
        var history = History()
        history.bought("A1", Signed("1001"), at: 1)
        history.verified(
            latest: [
                [
                    "transaction_id": "1001", "cancellation_date_ms": "1767225660000",
                    "cancellation_reason": "1", "product_id": "gems.6000",
                ]
            ], at: 5)
        let answer = Shell(history).order("A1", at: 60)
        #expect(answer.code == .paidNotDelivered)
        #expect(answer.charges.map(\.productId) == ["gems.60"])
    }

    @Test(
        "what a device or a public door hands over unsigned is no hint at all",
        arguments: ["storekit.purchased", "appstore.notification"])
    func untrustedRoad(type: String) {
        var history = History()
        history.created(token)
        history.verified(
            latest: [["transaction_id": "1001", "app_account_token": token]], at: 5, type: type)
        offered(&history, [Signed("1001")], created: 6, at: 6, number: nil)
        #expect(Shell(history).order(token, at: 60).charges.isEmpty)
    }

    @Test("its bearer owns only what the client names with it")
    func bearer() {
        var history = History()
        history.account = "bob"
        offered(&history, [Signed("1002"), Signed("1001")], created: 5, at: 5, number: nil)
        #expect(Shell(history).transaction("1001", at: 60).charges.first?.owner == nil)
        #expect(Shell(history).transaction("1002", at: 60).charges.first?.owner?.account == "bob")
        history.account = "anna"
        history.bought(nil, Signed("1001"), at: 10)
        #expect(Shell(history).transaction("1001", at: 60).charges.first?.owner?.account == "anna")
    }

    @Test("an unsigned token takes a charge from nobody, and unsigned family sharing makes it none")
    func unsignedTakesNothing() throws {
        var history = History()
        history.registered("mallory", token: token)
        offered(&history, [Signed("1001")], created: 5, at: 5)
        history.verified(
            latest: [
                [
                    "transaction_id": "1001", "app_account_token": token,
                    "in_app_ownership_type": "FAMILY_SHARED", "original_transaction_id": "7",
                ]
            ], at: 1)
        let answer = Shell(history).order("A1", at: 60)
        #expect(answer.code == .paidNotDelivered)
        #expect(answer.charges.first?.owner?.account == "anna")
        #expect(answer.charges.first?.link?.orderNumber == "A1")
    }

    @Test("a look-up of refunds by a transaction is none of an e-mailed order id")
    func refundLookUp() {
        var history = History()
        history.add(
            "appstore.answer", at: 5,
            json([
                "bundleId": History.bundle, "endpoint": "refund-lookup",
                "request": "/inApps/v2/refund/lookup/1001",
            ]), parts: [Signed("1002").part(path: "data.answer.signedTransactions[0]")])
        let question = Question.appleOrder(History.bundle, "1001")
        #expect(Shell(history).ask(question, at: 60).code == .unknown)
    }

    @Test("an upgrade that only an unsigned line tells of is no refund")
    func unsignedUpgrade() {
        var history = History()
        let old = Signed("2000").with {
            $0.type = "Auto-Renewable Subscription"
            $0.expires = 5_000
            $0.revoked = 50
        }
        offered(&history, [old], created: 60, at: 60)
        #expect(Shell(history).order("A1", at: 120).charges.first?.refund == .refunded)
        history.verified(latest: [["transaction_id": "2000", "is_upgraded": "true"]], at: 70)
        #expect(Shell(history).order("A1", at: 120).charges.first?.refund == .upgraded)
    }
}
