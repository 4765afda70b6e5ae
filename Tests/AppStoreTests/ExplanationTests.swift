import AppStore
import AppStoreModel
import JSON
import Simulator
import Testing

@Suite("What it means for the customer, in plain words")
struct ExplanationTests {
    private func explained(
        _ change: (inout TransactionFields) -> Void = { _ in },
        in environment: String = "Production"
    ) throws -> [String] {
        var signer = World.signer
        signer.environment = environment
        return inspect(signer.transaction(World.purchase(change)), reader: try World.reader())
            .explanation
    }

    @Test("a purchase is told with its price, and what it does not tell")
    func purchase() throws {
        #expect(
            try explained() == [
                "Apple confirms transaction 2000000000000001: com.example.game.gems was bought at "
                    + "2025-12-31T23:59:00Z for 0.99 USD.",
                "It names no order and no account: what it is for must be found otherwise.",
                "This is the state of 2025-12-31T23:59:00Z; a later refund does not show in it.",
            ])
    }

    @Test("what takes away from a purchase is told")
    func less() throws {
        let refund = { (fields: inout TransactionFields) in
            fields.revocationDate = noon2026
            fields.revocationReason = 0
        }
        #expect(
            try explained(refund).contains(
                "Apple gave the money back at 2026-01-01T00:00:00Z: nothing is owed for it."))
        let part = try explained {
            refund(&$0)
            $0.revocationPercentage = 50_000
        }
        #expect(part.contains("Apple gave a part of the money back at 2026-01-01T00:00:00Z."))
        let family = try explained {
            refund(&$0)
            $0.revocationType = "FAMILY_REVOKE"
        }
        #expect(family.contains("The family's access to it ended at 2026-01-01T00:00:00Z."))
        let other = try explained {
            refund(&$0)
            $0.revocationReason = 7
        }
        #expect(other.contains("It was withdrawn at 2026-01-01T00:00:00Z for reason 7."))
        #expect(
            try explained(in: "Sandbox").contains(
                "It was bought in the sandbox: no money was paid."))
        let restored = try explained {
            $0.originalTransactionId = "1"
            $0.type = "Non-Consumable"
        }
        #expect(restored[0].hasSuffix("was restored at 2025-12-31T23:59:00Z, not paid again."))
    }

    @Test("a renewal info proves no payment")
    func renewal() throws {
        let jws = World.signer.renewal(
            RenewalFields(originalTransactionId: "7", productId: "p", signedDate: noon2026) {
                $0.autoRenewStatus = 0
                $0.expirationIntent = 2
                $0.isInBillingRetryPeriod = true
                $0.gracePeriodExpiresDate = noon2026
            })
        #expect(
            inspect(jws, reader: try World.reader()).explanation == [
                "The subscription 7 will not renew.", "It ended because Apple could not charge.",
                "Apple could not charge, and tries again: the customer has not paid yet.",
                "The customer keeps access in a grace period until 2026-01-01T00:00:00Z.",
                "It tells what will be, and proves no payment.",
            ])
    }

    @Test("every type of notification that Apple names has its words")
    func notifications() throws {
        for type in NotificationType.known {
            let jws = World.signer.notification(
                NotificationFields(type.rawValue, notificationUUID: "u", signedDate: noon2026))
            let words = inspect(jws, reader: try World.reader()).explanation
            #expect(words.count == 1 && words[0].hasSuffix(" (\(type.rawValue))."))
            #expect(!words[0].contains("not known here"))
        }
    }

    @Test("a receipt tells that what is missing may have been paid all the same")
    func receipt() throws {
        let fields = Receipts.fields {
            $0.receiptType = "ProductionSandbox"
            $0.purchases[0].cancellationDate = noon2026
        }
        let report = inspect(Receipts.signed(fields), reader: try Receipts.reader())
        #expect(
            report.explanation == [
                "Apple confirms a receipt of 2026-01-01T00:00:00Z that lists 1 purchase.",
                "It is of the sandbox: no money was paid.",
                "For 1 of them Apple gave the money back.",
                "It names no order and no account. A consumable leaves the receipt once it is "
                    + "finished, so what is missing may have been paid all the same.",
            ])
    }

    @Test("every reason has its words, and only a forgery says that nothing is to be delivered")
    func reasons() {
        for reason in RefusalReason.allCases {
            #expect(!reason.meaning.isEmpty && reason.meaning.hasSuffix("."))
            #expect(reason.meaning.contains("deliver nothing") == reason.speaksOfForgery)
        }
    }

    @Test("parts inside are told by their place, in both forms, and not without end")
    func nested() throws {
        let jws = String(decoding: World.signed(), as: UTF8.self)
        let list = Array(repeating: "\"\(jws)\"", count: 21).joined(separator: ",")
        let report = inspect(
            bytes(#"{"signedTransactions":[\#(list)],"status":0}"#), reader: try World.reader())
        let words = report.explanation
        #expect(words[1] == "Apple knows the order id that was asked for.")
        #expect(words.contains { $0.hasPrefix("signedTransactions[19]: Apple confirms ") })
        #expect(!words.contains { $0.hasPrefix("signedTransactions[20]") })
        #expect(words.last == "… and 1 further signed parts.")
        #expect(report.text(explained: true).contains("\nmeans\n  An answer of Apple's server"))
        #expect(!report.text.contains("\nmeans\n"))
        let json = try JSONValue(parsing: report.json(explained: true))
        #expect(json["explanation"]?.array?.count == words.count)
        #expect(try JSONValue(parsing: report.json)["explanation"] == nil)
    }

    @Test(
        "an amount of money",
        arguments: [
            (Int64(990), "0.99 USD"), (10_990, "10.99 USD"), (0, "0 USD"), (5, "0.005 USD"),
            (4_999_000_000, "4999000 USD"), (-1_500, "-1.50 USD"),
            (Int64.min, "-9223372036854775.808 USD"),
        ])
    func money(milliunits: Int64, text: String) throws {
        let words = try explained { $0.price = milliunits }
        #expect(words[0].hasSuffix(" for \(text)."))
    }
}
