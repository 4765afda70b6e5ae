public import JSON

/// What a signed transaction says (`JWSTransactionDecodedPayload`). Instants are milliseconds since
/// 1970 UTC, money is milliunits of `currency`, ids are text of any length.
public struct TransactionPayload: PayloadView {
    /// The id of this charge or restore; a refund carries the id of its purchase.
    public let transactionId: String?
    /// The id of the first purchase; constant over the renewals of a subscription.
    public let originalTransactionId: String?
    /// The id of a renewal period, the same on every device; subscriptions only.
    public let webOrderLineItemId: String?
    /// One per Apple account and app (API 1.15).
    public let appTransactionId: String?
    /// A UUID that the app gave; compare without regard to case.
    public let appAccountToken: String?
    /// The app.
    public let bundleId: String?
    /// The product.
    public let productId: String?
    /// The group of the subscription.
    public let subscriptionGroupIdentifier: String?
    /// When it was bought, renewed or restored.
    public let purchaseDate: Int64?
    /// When the first purchase was made; can be later than `purchaseDate`.
    public let originalPurchaseDate: Int64?
    /// When the period ends.
    public let expiresDate: Int64?
    /// When Apple signed this copy: the greatest tells the newest state.
    public let signedDate: Int64?
    /// When it was refunded or revoked.
    public let revocationDate: Int64?
    /// Why it was refunded or revoked.
    public let revocationReason: RevocationReason?
    /// How it was refunded or revoked.
    public let revocationType: RevocationType?
    /// How much was refunded, in milliunits: 100 % is 100000.
    public let revocationPercentage: Int64?
    /// How many were bought, from 1.
    public let quantity: Int64?
    /// The whole price after quantity and offer. Absent is unknown, not 0.
    public let price: Int64?
    /// ISO 4217.
    public let currency: String?
    /// The kind of product.
    public let type: ProductType?
    /// Absent means purchased.
    public let inAppOwnershipType: OwnershipType?
    /// Whether the customer bought or the store renewed.
    public let transactionReason: TransactionReason?
    /// Where it was bought.
    public let environment: Environment?
    /// The kind of offer.
    public let offerType: OfferType?
    /// The name of the offer.
    public let offerIdentifier: String?
    /// How long the offer lasts (ISO 8601).
    public let offerPeriod: String?
    /// How the offer is paid.
    public let offerDiscountType: OfferDiscountType?
    /// Whether an upgrade replaced it.
    public let isUpgraded: Bool?
    /// ISO 3166-1 alpha-3.
    public let storefront: String?
    /// The storefront's decimal number.
    public let storefrontId: String?
    /// How a commitment is billed.
    public let billingPlanType: BillingPlanType?
    /// The commitment of a subscription.
    public let commitmentInfo: CommitmentInfo?
    /// What an Advanced Commerce purchase consists of.
    public let advancedCommerceInfo: AdvancedCommerceTransactionInfo?
    /// The subscription's id before a migration.
    public let previousOriginalTransactionId: String?

    /// See `PayloadView`.
    public let json: JSONValue
    /// See `PayloadView`.
    public let unknownMembers: [String]
    /// See `PayloadView`.
    public let unreadableMembers: [String]

    /// See `PayloadView`.
    public init(_ json: JSONValue) {
        self.json = json
        var reader = PayloadReader(json)
        transactionId = reader.identifier("transactionId")
        originalTransactionId = reader.identifier("originalTransactionId")
        webOrderLineItemId = reader.identifier("webOrderLineItemId")
        appTransactionId = reader.identifier("appTransactionId")
        appAccountToken = reader.text("appAccountToken")
        bundleId = reader.text("bundleId")
        productId = reader.text("productId")
        subscriptionGroupIdentifier = reader.identifier("subscriptionGroupIdentifier")
        purchaseDate = reader.instant("purchaseDate")
        originalPurchaseDate = reader.instant("originalPurchaseDate")
        expiresDate = reader.instant("expiresDate")
        signedDate = reader.instant("signedDate")
        revocationDate = reader.instant("revocationDate")
        revocationReason = reader.value("revocationReason")
        revocationType = reader.value("revocationType")
        revocationPercentage = reader.number("revocationPercentage")
        quantity = reader.number("quantity")
        price = reader.number("price")
        currency = reader.text("currency")
        type = reader.value("type")
        inAppOwnershipType = reader.value("inAppOwnershipType")
        transactionReason = reader.value("transactionReason")
        environment = reader.value("environment")
        offerType = reader.value("offerType")
        offerIdentifier = reader.text("offerIdentifier")
        offerPeriod = reader.text("offerPeriod")
        offerDiscountType = reader.value("offerDiscountType")
        isUpgraded = reader.flag("isUpgraded")
        storefront = reader.text("storefront")
        storefrontId = reader.identifier("storefrontId")
        billingPlanType = reader.value("billingPlanType")
        commitmentInfo = reader.view("commitmentInfo")
        advancedCommerceInfo = reader.view("advancedCommerceInfo")
        previousOriginalTransactionId = reader.identifier("previousOriginalTransactionId")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}
