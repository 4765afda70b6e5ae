/// Where a purchase was made.
public struct Environment: OpenValue {
    /// `Production`.
    public static let production = Environment(rawValue: "Production")
    /// `Sandbox`.
    public static let sandbox = Environment(rawValue: "Sandbox")
    /// StoreKit testing on a developer's machine; never acceptable on a server.
    public static let xcode = Environment(rawValue: "Xcode")
    /// StoreKit testing in a test run; never acceptable on a server.
    public static let localTesting = Environment(rawValue: "LocalTesting")

    /// See `OpenValue`.
    public static let known: Set<Environment> = [
        .production, .sandbox, .xcode, .localTesting,
    ]
    /// The value as Apple wrote it.
    public let rawValue: String

    /// Any value is taken.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The kind of product.
public struct ProductType: OpenValue {
    /// `Auto-Renewable Subscription`.
    public static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")
    /// `Non-Consumable`.
    public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
    /// `Consumable`.
    public static let consumable = ProductType(rawValue: "Consumable")
    /// `Non-Renewing Subscription`.
    public static let nonRenewing = ProductType(rawValue: "Non-Renewing Subscription")

    /// See `OpenValue`.
    public static let known: Set<ProductType> = [
        .autoRenewable, .nonConsumable, .consumable, .nonRenewing,
    ]
    /// The value as Apple wrote it.
    public let rawValue: String

    /// Any value is taken.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// Whether the customer bought it or shares it.
public struct OwnershipType: OpenValue {
    /// `PURCHASED`.
    public static let purchased = OwnershipType(rawValue: "PURCHASED")
    /// Nobody in our system paid.
    public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")

    /// See `OpenValue`.
    public static let known: Set<OwnershipType> = [
        .purchased, .familyShared,
    ]
    /// The value as Apple wrote it.
    public let rawValue: String

    /// Any value is taken.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// Whether the customer bought or the store renewed.
public struct TransactionReason: OpenValue {
    /// `PURCHASE`.
    public static let purchase = TransactionReason(rawValue: "PURCHASE")
    /// `RENEWAL`.
    public static let renewal = TransactionReason(rawValue: "RENEWAL")

    /// See `OpenValue`.
    public static let known: Set<TransactionReason> = [
        .purchase, .renewal,
    ]
    /// The value as Apple wrote it.
    public let rawValue: String

    /// Any value is taken.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The kind of offer.
public struct OfferType: OpenValue {
    /// `1`.
    public static let introductory = OfferType(rawValue: 1)
    /// `2`.
    public static let promotional = OfferType(rawValue: 2)
    /// `3`.
    public static let offerCode = OfferType(rawValue: 3)
    /// `4`.
    public static let winBack = OfferType(rawValue: 4)

    /// See `OpenValue`.
    public static let known: Set<OfferType> = [
        .introductory, .promotional, .offerCode, .winBack,
    ]
    /// The value as Apple wrote it.
    public let rawValue: Int64

    /// Any value is taken.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// How an offer is paid.
public struct OfferDiscountType: OpenValue {
    /// `FREE_TRIAL`.
    public static let freeTrial = OfferDiscountType(rawValue: "FREE_TRIAL")
    /// `PAY_AS_YOU_GO`.
    public static let payAsYouGo = OfferDiscountType(rawValue: "PAY_AS_YOU_GO")
    /// `PAY_UP_FRONT`.
    public static let payUpFront = OfferDiscountType(rawValue: "PAY_UP_FRONT")
    /// `ONE_TIME`.
    public static let oneTime = OfferDiscountType(rawValue: "ONE_TIME")

    /// See `OpenValue`.
    public static let known: Set<OfferDiscountType> = [
        .freeTrial, .payAsYouGo, .payUpFront, .oneTime,
    ]
    /// The value as Apple wrote it.
    public let rawValue: String

    /// Any value is taken.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// Why a transaction was revoked. Further values exist, such as an upgrade to a bundle.
public struct RevocationReason: OpenValue {
    /// `0`.
    public static let other = RevocationReason(rawValue: 0)
    /// `1`.
    public static let appIssue = RevocationReason(rawValue: 1)

    /// See `OpenValue`.
    public static let known: Set<RevocationReason> = [
        .other, .appIssue,
    ]
    /// The value as Apple wrote it.
    public let rawValue: Int64

    /// Any value is taken.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// How a transaction was revoked (API 1.19).
public struct RevocationType: OpenValue {
    /// `REFUND_FULL`.
    public static let refundFull = RevocationType(rawValue: "REFUND_FULL")
    /// `REFUND_PRORATED`.
    public static let refundProrated = RevocationType(rawValue: "REFUND_PRORATED")
    /// The end of a shared entitlement; no refund.
    public static let familyRevoke = RevocationType(rawValue: "FAMILY_REVOKE")

    /// See `OpenValue`.
    public static let known: Set<RevocationType> = [
        .refundFull, .refundProrated, .familyRevoke,
    ]
    /// The value as Apple wrote it.
    public let rawValue: String

    /// Any value is taken.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// How a subscription with a commitment is billed.
public struct BillingPlanType: OpenValue {
    /// `BILLED_UPFRONT`.
    public static let billedUpfront = BillingPlanType(rawValue: "BILLED_UPFRONT")
    /// `MONTHLY`.
    public static let monthly = BillingPlanType(rawValue: "MONTHLY")

    /// See `OpenValue`.
    public static let known: Set<BillingPlanType> = [
        .billedUpfront, .monthly,
    ]
    /// The value as Apple wrote it.
    public let rawValue: String

    /// Any value is taken.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// How an item of an Advanced Commerce transaction was refunded.
public struct AdvancedCommerceRefundType: OpenValue {
    /// `FULL`.
    public static let full = AdvancedCommerceRefundType(rawValue: "FULL")
    /// `PRORATED`.
    public static let prorated = AdvancedCommerceRefundType(rawValue: "PRORATED")
    /// `CUSTOM`.
    public static let custom = AdvancedCommerceRefundType(rawValue: "CUSTOM")

    /// See `OpenValue`.
    public static let known: Set<AdvancedCommerceRefundType> = [
        .full, .prorated, .custom,
    ]
    /// The value as Apple wrote it.
    public let rawValue: String

    /// Any value is taken.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
