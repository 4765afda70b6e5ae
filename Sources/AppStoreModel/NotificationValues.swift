/// What a notification V2 tells.
public struct NotificationType: OpenValue {
    /// `SUBSCRIBED`.
    public static let subscribed = NotificationType(rawValue: "SUBSCRIBED")
    /// `DID_RENEW`.
    public static let didRenew = NotificationType(rawValue: "DID_RENEW")
    /// `DID_CHANGE_RENEWAL_PREF`.
    public static let didChangeRenewalPref = NotificationType(rawValue: "DID_CHANGE_RENEWAL_PREF")
    /// `DID_CHANGE_RENEWAL_STATUS`.
    public static let didChangeRenewalStatus = NotificationType(
        rawValue: "DID_CHANGE_RENEWAL_STATUS")
    /// `OFFER_REDEEMED`.
    public static let offerRedeemed = NotificationType(rawValue: "OFFER_REDEEMED")
    /// `EXPIRED`.
    public static let expired = NotificationType(rawValue: "EXPIRED")
    /// `DID_FAIL_TO_RENEW`.
    public static let didFailToRenew = NotificationType(rawValue: "DID_FAIL_TO_RENEW")
    /// `GRACE_PERIOD_EXPIRED`.
    public static let gracePeriodExpired = NotificationType(rawValue: "GRACE_PERIOD_EXPIRED")
    /// `PRICE_INCREASE`.
    public static let priceIncrease = NotificationType(rawValue: "PRICE_INCREASE")
    /// `PRICE_CHANGE`.
    public static let priceChange = NotificationType(rawValue: "PRICE_CHANGE")
    /// `METADATA_UPDATE`.
    public static let metadataUpdate = NotificationType(rawValue: "METADATA_UPDATE")
    /// `MIGRATION`.
    public static let migration = NotificationType(rawValue: "MIGRATION")
    /// `REFUND`.
    public static let refund = NotificationType(rawValue: "REFUND")
    /// `REFUND_DECLINED`.
    public static let refundDeclined = NotificationType(rawValue: "REFUND_DECLINED")
    /// `REFUND_REVERSED`.
    public static let refundReversed = NotificationType(rawValue: "REFUND_REVERSED")
    /// `REVOKE`.
    public static let revoke = NotificationType(rawValue: "REVOKE")
    /// `CONSUMPTION_REQUEST`.
    public static let consumptionRequest = NotificationType(rawValue: "CONSUMPTION_REQUEST")
    /// `ONE_TIME_CHARGE`.
    public static let oneTimeCharge = NotificationType(rawValue: "ONE_TIME_CHARGE")
    /// `RENEWAL_EXTENDED`.
    public static let renewalExtended = NotificationType(rawValue: "RENEWAL_EXTENDED")
    /// `RENEWAL_EXTENSION`.
    public static let renewalExtension = NotificationType(rawValue: "RENEWAL_EXTENSION")
    /// `EXTERNAL_PURCHASE_TOKEN`.
    public static let externalPurchaseToken = NotificationType(rawValue: "EXTERNAL_PURCHASE_TOKEN")
    /// `RESCIND_CONSENT`.
    public static let rescindConsent = NotificationType(rawValue: "RESCIND_CONSENT")
    /// `TEST`.
    public static let test = NotificationType(rawValue: "TEST")

    /// See `OpenValue`.
    public static let known: Set<NotificationType> = [
        .subscribed, .didRenew, .didChangeRenewalPref, .didChangeRenewalStatus, .offerRedeemed,
        .expired, .didFailToRenew, .gracePeriodExpired, .priceIncrease, .priceChange,
        .metadataUpdate, .migration, .refund, .refundDeclined, .refundReversed, .revoke,
        .consumptionRequest, .oneTimeCharge, .renewalExtended, .renewalExtension,
        .externalPurchaseToken, .rescindConsent, .test,
    ]
    /// The value as Apple wrote it.
    public let rawValue: String

    /// Any value is taken.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// What a notification V2 tells, more precisely.
public struct NotificationSubtype: OpenValue {
    /// `INITIAL_BUY`.
    public static let initialBuy = NotificationSubtype(rawValue: "INITIAL_BUY")
    /// `RESUBSCRIBE`.
    public static let resubscribe = NotificationSubtype(rawValue: "RESUBSCRIBE")
    /// `BILLING_RECOVERY`.
    public static let billingRecovery = NotificationSubtype(rawValue: "BILLING_RECOVERY")
    /// `UPGRADE`.
    public static let upgrade = NotificationSubtype(rawValue: "UPGRADE")
    /// `DOWNGRADE`.
    public static let downgrade = NotificationSubtype(rawValue: "DOWNGRADE")
    /// `AUTO_RENEW_ENABLED`.
    public static let autoRenewEnabled = NotificationSubtype(rawValue: "AUTO_RENEW_ENABLED")
    /// `AUTO_RENEW_DISABLED`.
    public static let autoRenewDisabled = NotificationSubtype(rawValue: "AUTO_RENEW_DISABLED")
    /// `VOLUNTARY`.
    public static let voluntary = NotificationSubtype(rawValue: "VOLUNTARY")
    /// `BILLING_RETRY`.
    public static let billingRetry = NotificationSubtype(rawValue: "BILLING_RETRY")
    /// `PRICE_INCREASE`.
    public static let priceIncrease = NotificationSubtype(rawValue: "PRICE_INCREASE")
    /// `PRODUCT_NOT_FOR_SALE`.
    public static let productNotForSale = NotificationSubtype(rawValue: "PRODUCT_NOT_FOR_SALE")
    /// `GRACE_PERIOD`.
    public static let gracePeriod = NotificationSubtype(rawValue: "GRACE_PERIOD")
    /// `PENDING`.
    public static let pending = NotificationSubtype(rawValue: "PENDING")
    /// `ACCEPTED`.
    public static let accepted = NotificationSubtype(rawValue: "ACCEPTED")
    /// `SUMMARY`.
    public static let summary = NotificationSubtype(rawValue: "SUMMARY")
    /// `FAILURE`.
    public static let failure = NotificationSubtype(rawValue: "FAILURE")
    /// `UNREPORTED`.
    public static let unreported = NotificationSubtype(rawValue: "UNREPORTED")
    /// `CREATED`.
    public static let created = NotificationSubtype(rawValue: "CREATED")
    /// `ACTIVE_TOKEN_REMINDER`.
    public static let activeTokenReminder = NotificationSubtype(rawValue: "ACTIVE_TOKEN_REMINDER")

    /// See `OpenValue`.
    public static let known: Set<NotificationSubtype> = [
        .initialBuy, .resubscribe, .billingRecovery, .upgrade, .downgrade, .autoRenewEnabled,
        .autoRenewDisabled, .voluntary, .billingRetry, .priceIncrease, .productNotForSale,
        .gracePeriod, .pending, .accepted, .summary, .failure, .unreported, .created,
        .activeTokenReminder,
    ]
    /// The value as Apple wrote it.
    public let rawValue: String

    /// Any value is taken.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The state of a subscription.
public struct SubscriptionStatus: OpenValue {
    /// `1`.
    public static let active = SubscriptionStatus(rawValue: 1)
    /// `2`.
    public static let expired = SubscriptionStatus(rawValue: 2)
    /// `3`.
    public static let billingRetry = SubscriptionStatus(rawValue: 3)
    /// `4`.
    public static let gracePeriod = SubscriptionStatus(rawValue: 4)
    /// `5`.
    public static let revoked = SubscriptionStatus(rawValue: 5)

    /// See `OpenValue`.
    public static let known: Set<SubscriptionStatus> = [
        .active, .expired, .billingRetry, .gracePeriod, .revoked,
    ]
    /// The value as Apple wrote it.
    public let rawValue: Int64

    /// Any value is taken.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// What the customer gave Apple as the reason for a refund.
public struct ConsumptionRequestReason: OpenValue {
    /// `UNINTENDED_PURCHASE`.
    public static let unintendedPurchase = ConsumptionRequestReason(rawValue: "UNINTENDED_PURCHASE")
    /// `FULFILLMENT_ISSUE`.
    public static let fulfillmentIssue = ConsumptionRequestReason(rawValue: "FULFILLMENT_ISSUE")
    /// `UNSATISFIED_WITH_PURCHASE`.
    public static let unsatisfiedWithPurchase = ConsumptionRequestReason(
        rawValue: "UNSATISFIED_WITH_PURCHASE")
    /// `LEGAL`.
    public static let legal = ConsumptionRequestReason(rawValue: "LEGAL")
    /// `OTHER`.
    public static let other = ConsumptionRequestReason(rawValue: "OTHER")

    /// See `OpenValue`.
    public static let known: Set<ConsumptionRequestReason> = [
        .unintendedPurchase, .fulfillmentIssue, .unsatisfiedWithPurchase, .legal, .other,
    ]
    /// The value as Apple wrote it.
    public let rawValue: String

    /// Any value is taken.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
