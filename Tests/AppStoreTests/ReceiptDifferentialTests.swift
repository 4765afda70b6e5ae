import AppStore
import AppStoreModel
import JSON
import Testing

/// Apple's own `verifyReceipt` answered for the genuine receipt that we read.
@Suite(.enabled(if: Fixtures.areHere, "the fixtures' folder is absent: set QUITTANCE_FIXTURES"))
struct ReceiptDifferentialTests {
    private static func receipt() throws -> JSONValue {
        let bytes = try Fixtures.bytes("purchases-ios/base64encodedreceiptsample1.txt")
        return try #require(EvidenceReader().read(receipt: bytes).payload)
    }

    private static func answer() throws -> JSONValue {
        try JSONValue(parsing: try Fixtures.bytes("purchases-ios/verifyReceiptSample1.txt"))
    }

    /// A date of the answer is there three times, and the middle one is in milliseconds.
    private static func members(_ json: JSONValue) -> [String: String] {
        var members: [String: String] = [:]
        for member in json.members ?? [] {
            let others = ["_pst", "_date"]
            guard !others.contains(where: member.name.hasSuffix) else { continue }
            members[member.name] = member.value.identifier
        }
        return members
    }

    /// Our names for Apple's, and none for what the receipt cannot know: when it was asked.
    private static let names = [
        "receipt_type": "receiptType", "adam_id": "appAppleId", "app_item_id": "appAppleId",
        "bundle_id": "bundleId", "application_version": "applicationVersion",
        "download_id": "downloadId", "version_external_identifier": "versionExternalIdentifier",
        "receipt_creation_date_ms": "receiptCreationDate",
        "original_purchase_date_ms": "originalPurchaseDate",
        "original_application_version": "originalApplicationVersion",
    ]
    private static let purchaseNames = [
        "quantity": "quantity", "product_id": "productId", "transaction_id": "transactionId",
        "original_transaction_id": "originalTransactionId", "purchase_date_ms": "purchaseDate",
        "original_purchase_date_ms": "originalPurchaseDate", "expires_date_ms": "expiresDate",
        "web_order_line_item_id": "webOrderLineItemId", "is_trial_period": "isTrialPeriod",
        "is_in_intro_offer_period": "isInIntroOfferPeriod",
    ]

    private static func text(_ value: JSONValue?) -> String? {
        value?.identifier ?? value?.boolean.map { $0 ? "true" : "false" }
    }

    @Test("every field of the receipt equals Apple's answer")
    func fields() throws {
        let ours = try Self.receipt()
        let theirs = Self.members(try #require(try Self.answer()["receipt"]))
        for (name, value) in theirs where name != "request_date_ms" {
            let own = try #require(Self.names[name], "\(name) has no name here")
            #expect(ours[own]?.identifier == value, "\(name)")
        }
        #expect(theirs.count == Self.names.count + 1)
    }

    @Test("every field of every purchase equals Apple's answer")
    func purchases() throws {
        let ours = try #require(try Self.receipt()["inApp"]?.array)
        let theirs = try #require(try Self.answer().at("receipt", "in_app")?.array)
        #expect(ours.count == 9 && theirs.count == 9)
        for line in theirs {
            let fields = Self.members(line)
            let id = try #require(fields["transaction_id"])
            let own = try #require(ours.first { $0["transactionId"]?.string == id })
            for (name, value) in fields {
                let ownName = try #require(Self.purchaseNames[name], "\(name) has no name here")
                #expect(Self.text(own[ownName]) == value, "\(id) \(name)")
            }
            #expect(fields.count == Self.purchaseNames.count)
        }
    }

    @Test("through the typed models, too")
    func models() throws {
        let ours = ReceiptPayload(try Self.receipt())
        let answer = VerifyReceiptAnswer(try Self.answer())
        let theirs = try #require(answer.receipt)
        #expect(answer.status == .valid)
        #expect(ours.environment == answer.environment)
        #expect(ours.receiptCreationDate == theirs.receiptCreationDate)
        #expect(ours.unreadableMembers.isEmpty)
        for line in theirs.inApp {
            let own = try #require(ours.inApp.first { $0.transactionId == line.transactionId })
            #expect(own.originalTransactionId == line.originalTransactionId)
            #expect(own.purchaseDate == line.purchaseDate)
            #expect(own.expiresDate == line.expiresDate)
            #expect(own.isTrialPeriod == line.isTrialPeriod)
            #expect(own.webOrderLineItemId == line.webOrderLineItemId)
            #expect(own.type == .autoRenewable)
        }
    }

    @Test("the receipt is of its device, and of no other")
    func device() throws {
        let receipt = try Fixtures.bytes("TPInAppReceipt/receipt-sandbox-g5")
        let reader = EvidenceReader()
        for (guid, verdict) in [
            ("956328D9-CC6A-47F4-BE40-6953FB0AB6C7", "verified"),
            ("00000000-0000-0000-0000-000000000000", "device-hash-mismatch"),
        ] {
            let part = reader.read(receipt: receipt, device: DeviceIdentifier(guid))
            #expect(part.verdict == verdict)
        }
    }
}
