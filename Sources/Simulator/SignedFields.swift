public import JSON

/// What a transaction to be signed says. Instants are milliseconds since 1970 UTC, money
/// milliunits.
public struct TransactionFields: Sendable {
    /// The id of this charge, or of this restore.
    public var transactionId: String
    /// `nil` for the transaction's own id.
    public var originalTransactionId: String?
    /// The product's identifier.
    public var productId: String
    /// When it was bought.
    public var purchaseDate: Int64
    /// `nil` for the purchase date.
    public var originalPurchaseDate: Int64?
    /// `nil` for the purchase date.
    public var signedDate: Int64?
    /// When the period ends; subscriptions only.
    public var expiresDate: Int64?
    /// Apple's word for the kind of product.
    public var type = "Consumable"
    /// How many were bought, from 1.
    public var quantity: Int64 = 1
    /// The whole price in milliunits of `currency`.
    public var price: Int64? = 990
    /// ISO 4217.
    public var currency: String? = "USD"
    /// A UUID that the app gave.
    public var appAccountToken: String?
    /// One per Apple account and app.
    public var appTransactionId: String?
    /// The id of the renewal period.
    public var webOrderLineItemId: String?
    /// The group of the subscription.
    public var subscriptionGroupIdentifier: String?
    /// `PURCHASED` or `FAMILY_SHARED`.
    public var inAppOwnershipType = "PURCHASED"
    /// `PURCHASE` or `RENEWAL`.
    public var transactionReason = "PURCHASE"
    /// When it was refunded or revoked.
    public var revocationDate: Int64?
    /// 0 or 1, as Apple counts.
    public var revocationReason: Int64?
    /// `REFUND_FULL`, `REFUND_PRORATED` or `FAMILY_REVOKE`.
    public var revocationType: String?
    /// Milliunits: 100 % is 100000.
    public var revocationPercentage: Int64?
    /// Whether an upgrade replaced it.
    public var isUpgraded: Bool?
    /// ISO 3166-1 alpha-3.
    public var storefront = "USA"
    /// A decimal number.
    public var storefrontId = "143441"
    /// Further members; one of a name above replaces it, and `null` leaves it out.
    public var extra: [JSONMember] = []

    /// A purchase of one consumable.
    public init(
        transactionId: String, productId: String, purchaseDate: Int64,
        _ change: (inout TransactionFields) -> Void = { _ in }
    ) {
        self.transactionId = transactionId
        self.productId = productId
        self.purchaseDate = purchaseDate
        change(&self)
    }
}

/// What a renewal to be signed says. Instants are milliseconds since 1970 UTC.
public struct RenewalFields: Sendable {
    /// The id of the subscription.
    public var originalTransactionId: String
    /// The product's identifier.
    public var productId: String
    /// When it was signed.
    public var signedDate: Int64
    /// `nil` for the product itself.
    public var autoRenewProductId: String?
    /// 1 if it will renew, 0 if not.
    public var autoRenewStatus: Int64 = 1
    /// Why it expired, from 1 to 5.
    public var expirationIntent: Int64?
    /// Whether Apple still tries to charge.
    public var isInBillingRetryPeriod: Bool?
    /// When the grace period ends.
    public var gracePeriodExpiresDate: Int64?
    /// When it renews.
    public var renewalDate: Int64?
    /// A UUID that the app gave.
    public var appAccountToken: String?
    /// One per Apple account and app.
    public var appTransactionId: String?
    /// Further members; one of a name above replaces it, and `null` leaves it out.
    public var extra: [JSONMember] = []

    /// A subscription that will renew.
    public init(
        originalTransactionId: String, productId: String, signedDate: Int64,
        _ change: (inout RenewalFields) -> Void = { _ in }
    ) {
        self.originalTransactionId = originalTransactionId
        self.productId = productId
        self.signedDate = signedDate
        change(&self)
    }
}

/// What a notification V2 to be signed says. Instants are milliseconds since 1970 UTC.
public struct NotificationFields: Sendable {
    /// What happened.
    public var notificationType: String
    /// What happened, more precisely.
    public var subtype: String?
    /// The same for every retry.
    public var notificationUUID: String
    /// When it was signed.
    public var signedDate: Int64
    /// A JWS: see `AppleSigner.transaction`.
    public var signedTransactionInfo: [UInt8]?
    /// A JWS: see `AppleSigner.renewal`.
    public var signedRenewalInfo: [UInt8]?
    /// The state of the subscription, from 1 to 5.
    public var status: Int64?
    /// What the customer said to Apple.
    public var consumptionRequestReason: String?
    /// Whether the member `data` is there at all; without it, `extra` gives `summary` and the like.
    public var hasData = true
    /// Further members of `data`; one of a name above replaces it, and `null` leaves it out.
    public var dataExtra: [JSONMember] = []
    /// Further members; one of a name above replaces it, and `null` leaves it out.
    public var extra: [JSONMember] = []

    /// A notification.
    public init(
        _ notificationType: String, subtype: String? = nil, notificationUUID: String,
        signedDate: Int64, signedTransactionInfo: [UInt8]? = nil,
        _ change: (inout NotificationFields) -> Void = { _ in }
    ) {
        self.notificationType = notificationType
        self.subtype = subtype
        self.notificationUUID = notificationUUID
        self.signedDate = signedDate
        self.signedTransactionInfo = signedTransactionInfo
        change(&self)
    }
}
