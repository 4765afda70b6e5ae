internal import JSON

/// What one signed transaction says, as far as the rules ask (app-store.md, 1.2). Instants are
/// milliseconds since 1970 UTC, money is milliunits of `currency`, percentages are milliunits.
struct TransactionSnapshot: Fact {
    var originalTransactionId: String?
    var webOrderLineItemId: String?
    var appTransactionId: String?
    /// In lower case when it is a UUID.
    var appAccountToken: String?
    var productId: String?
    var quantity: Int64?
    /// The total, after quantity and offer; absent means unknown, not 0.
    var price: Int64?
    var currency: String?
    var type: String?
    var ownership: String?
    var transactionReason: String?
    var environment: String?
    var storefront: String?
    var purchaseDate: Int64?
    var expiresDate: Int64?
    var signedDate: Int64?
    var revocationDate: Int64?
    var revocationReason: Int64?
    var revocationType: String?
    var revocationPercentage: Int64?
    var isUpgraded: Bool?
    var offerType: Int64?
    var offerDiscountType: String?

    init() {}

    init(_ payload: JSONValue) {
        func text(_ name: String) -> String? { payload[name]?.name }
        originalTransactionId = text("originalTransactionId")
        webOrderLineItemId = text("webOrderLineItemId")
        appTransactionId = text("appTransactionId")
        appAccountToken = OrderNumber.read(text("appAccountToken"))
        productId = text("productId")
        quantity = payload["quantity"]?.int64
        price = payload["price"]?.int64
        currency = text("currency")
        type = text("type")
        ownership = text("inAppOwnershipType")
        transactionReason = text("transactionReason")
        environment = text("environment")
        storefront = text("storefront")
        purchaseDate = payload["purchaseDate"]?.int64
        expiresDate = payload["expiresDate"]?.int64
        signedDate = payload["signedDate"]?.int64
        revocationDate = payload["revocationDate"]?.int64
        revocationReason = payload["revocationReason"]?.int64
        revocationType = text("revocationType")
        revocationPercentage = payload["revocationPercentage"]?.int64
        isUpgraded = payload["isUpgraded"]?.boolean
        offerType = payload["offerType"]?.int64
        offerDiscountType = text("offerDiscountType")
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&originalTransactionId)
        try coder.field(&webOrderLineItemId)
        try coder.field(&appTransactionId)
        try coder.field(&appAccountToken)
        try coder.field(&productId)
        try coder.field(&quantity)
        try coder.field(&price)
        try coder.field(&currency)
        try coder.field(&type)
        try coder.field(&ownership)
        try coder.field(&transactionReason)
        try coder.field(&environment)
        try coder.field(&storefront)
        try coder.field(&purchaseDate)
        try coder.field(&expiresDate)
        try coder.field(&signedDate)
        try coder.field(&revocationDate)
        try coder.field(&revocationReason)
        try coder.field(&revocationType)
        try coder.field(&revocationPercentage)
        try coder.field(&isUpgraded)
        try coder.field(&offerType)
        try coder.field(&offerDiscountType)
    }
}

extension TransactionSnapshot {
    static let autoRenewable = "Auto-Renewable Subscription"

    var isAutoRenewable: Bool { type == Self.autoRenewable }
    /// An absent ownership means PURCHASED.
    var isPurchased: Bool { ownership == nil || ownership == "PURCHASED" }
    var isShared: Bool { ownership == "FAMILY_SHARED" }

    /// Whether the transaction only restores its original: it never pays.
    func isRestore(of id: String) -> Bool {
        guard let original = originalTransactionId, !sameBytes(original, id) else { return false }
        switch type {
        case "Non-Consumable", "Non-Renewing Subscription": return true
        default: return false
        }
    }

    /// The values of closed vocabularies that these rules do not know, as `field=value`.
    var unknownWords: [String] {
        let vocabularies: [(String, String?, [String])] = [
            (
                "type", type,
                [Self.autoRenewable, "Non-Consumable", "Consumable", "Non-Renewing Subscription"]
            ),
            ("inAppOwnershipType", ownership, ["PURCHASED", "FAMILY_SHARED"]),
            ("transactionReason", transactionReason, ["PURCHASE", "RENEWAL"]),
            ("environment", environment, ["Production", "Sandbox"]),
            (
                "revocationType", revocationType,
                ["REFUND_FULL", "REFUND_PRORATED", "FAMILY_REVOKE"]
            ),
            (
                "offerDiscountType", offerDiscountType,
                ["FREE_TRIAL", "PAY_AS_YOU_GO", "PAY_UP_FRONT", "ONE_TIME"]
            ),
        ]
        return vocabularies.compactMap { name, value, known in
            guard let value, !known.contains(value) else { return nil }
            return "\(name)=\(value)"
        }
    }
}
