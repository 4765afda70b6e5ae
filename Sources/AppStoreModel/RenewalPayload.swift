public import JSON

/// What a signed renewal says (`JWSRenewalInfoDecodedPayload`). Instants are milliseconds since
/// 1970 UTC, money is milliunits of `currency`.
public struct RenewalPayload: PayloadView {
    /// The subscription.
    public let originalTransactionId: String?
    /// The product of the current period.
    public let productId: String?
    /// The product of the next period.
    public let autoRenewProductId: String?
    /// Whether it renews.
    public let autoRenewStatus: AutoRenewStatus?
    /// Why it expired.
    public let expirationIntent: ExpirationIntent?
    /// Whether Apple still tries to charge.
    public let isInBillingRetryPeriod: Bool?
    /// When the grace period ends.
    public let gracePeriodExpiresDate: Int64?
    /// What the customer said to a higher price.
    public let priceIncreaseStatus: PriceIncreaseStatus?
    /// When it renews.
    public let renewalDate: Int64?
    /// When the latest unbroken run of periods began.
    public let recentSubscriptionStartDate: Int64?
    /// The price of the next period; absent where it does not renew.
    public let renewalPrice: Int64?
    /// ISO 4217.
    public let currency: String?
    /// The kind of the next period's offer.
    public let offerType: OfferType?
    /// The name of the offer.
    public let offerIdentifier: String?
    /// How long the offer lasts (ISO 8601).
    public let offerPeriod: String?
    /// How the offer is paid.
    public let offerDiscountType: OfferDiscountType?
    /// The win-back offers the customer may have, the best first.
    public let eligibleWinBackOfferIds: [String]
    /// A UUID that the app gave; compare without regard to case.
    public let appAccountToken: String?
    /// One per Apple account and app (API 1.15).
    public let appTransactionId: String?
    /// Where it was bought.
    public let environment: Environment?
    /// When Apple signed this copy: the greatest tells the newest state.
    public let signedDate: Int64?
    /// What the next period of an Advanced Commerce subscription consists of.
    public let advancedCommerceInfo: AdvancedCommerceRenewalInfo?
    /// The next commitment.
    public let commitmentInfo: RenewalCommitmentInfo?
    /// How the next commitment is billed.
    public let renewalBillingPlanType: BillingPlanType?

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
        originalTransactionId = reader.identifier("originalTransactionId")
        productId = reader.text("productId")
        autoRenewProductId = reader.text("autoRenewProductId")
        autoRenewStatus = reader.value("autoRenewStatus")
        expirationIntent = reader.value("expirationIntent")
        isInBillingRetryPeriod = reader.flag("isInBillingRetryPeriod")
        gracePeriodExpiresDate = reader.instant("gracePeriodExpiresDate")
        priceIncreaseStatus = reader.value("priceIncreaseStatus")
        renewalDate = reader.instant("renewalDate")
        recentSubscriptionStartDate = reader.instant("recentSubscriptionStartDate")
        renewalPrice = reader.number("renewalPrice")
        currency = reader.text("currency")
        offerType = reader.value("offerType")
        offerIdentifier = reader.text("offerIdentifier")
        offerPeriod = reader.text("offerPeriod")
        offerDiscountType = reader.value("offerDiscountType")
        eligibleWinBackOfferIds = reader.texts("eligibleWinBackOfferIds")
        appAccountToken = reader.text("appAccountToken")
        appTransactionId = reader.identifier("appTransactionId")
        environment = reader.value("environment")
        signedDate = reader.instant("signedDate")
        advancedCommerceInfo = reader.view("advancedCommerceInfo")
        commitmentInfo = reader.view("commitmentInfo")
        renewalBillingPlanType = reader.value("renewalBillingPlanType")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// The next commitment of a 12-month plan.
public struct RenewalCommitmentInfo: PayloadView {
    /// The product of the next commitment.
    public let commitmentAutoRenewProductId: String?
    /// Whether the commitment renews.
    public let commitmentAutoRenewStatus: AutoRenewStatus?
    /// Milliunits.
    public let commitmentRenewalPrice: Int64?
    /// Milliseconds since 1970 UTC.
    public let commitmentRenewalDate: Int64?
    /// How the next commitment is billed.
    public let commitmentRenewalBillingPlanType: BillingPlanType?

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
        commitmentAutoRenewProductId = reader.text("commitmentAutoRenewProductId")
        commitmentAutoRenewStatus = reader.value("commitmentAutoRenewStatus")
        commitmentRenewalPrice = reader.number("commitmentRenewalPrice")
        commitmentRenewalDate = reader.instant("commitmentRenewalDate")
        commitmentRenewalBillingPlanType = reader.value("commitmentRenewalBillingPlanType")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}
