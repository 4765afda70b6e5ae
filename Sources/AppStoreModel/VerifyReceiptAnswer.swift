public import JSON

/// An answer of Apple's old endpoint `verifyReceipt`, or the `unified_receipt` of a notification
/// V1. Nobody signed it. No entry for a purchase never means that it was not paid.
public struct VerifyReceiptAnswer: PayloadView {
    /// What became of the question.
    public let status: VerifyReceiptStatus?
    /// Where the purchases were made.
    public let environment: Environment?
    /// What the receipt in question said, with its purchases.
    public let receipt: VerifyReceiptContent?
    /// The newest receipt in base64.
    public let latestReceipt: String?
    /// The newest state of the purchases, in no order. Only here a token can stand.
    public let latestReceiptInfo: [VerifyReceiptLine]
    /// What will be renewed.
    public let pendingRenewalInfo: [PendingRenewalLine]
    /// Whether it is worth asking again.
    public let isRetryable: Bool?

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
        status = reader.value("status")
        environment = reader.value("environment")
        receipt = reader.view("receipt")
        latestReceipt = reader.text("latest_receipt")
        latestReceiptInfo = reader.views("latest_receipt_info")
        pendingRenewalInfo = reader.views("pending_renewal_info")
        isRetryable = reader.flag("is-retryable")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// The member `receipt` of such an answer.
public struct VerifyReceiptContent: PayloadView {
    /// `Production`, `ProductionSandbox`, `ProductionVPP`, `ProductionVPPSandbox`.
    public let receiptType: String?
    /// The app.
    public let bundleId: String?
    /// The app's number; 0 in the sandbox.
    public let adamId: String?
    /// The version of the app that made the receipt.
    public let applicationVersion: String?
    /// The version that was bought first.
    public let originalApplicationVersion: String?
    /// When the receipt was made.
    public let receiptCreationDate: Int64?
    /// When the question was asked.
    public let requestDate: Int64?
    /// When the app was bought.
    public let originalPurchaseDate: Int64?
    /// The purchases the receipt lists.
    public let inApp: [VerifyReceiptLine]

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
        receiptType = reader.text("receipt_type")
        bundleId = reader.text("bundle_id")
        adamId = reader.identifier("adam_id")
        applicationVersion = reader.identifier("application_version")
        originalApplicationVersion = reader.identifier("original_application_version")
        receiptCreationDate = reader.date("receipt_creation_date")
        requestDate = reader.date("request_date")
        originalPurchaseDate = reader.date("original_purchase_date")
        inApp = reader.views("in_app")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// A purchase in an answer of `verifyReceipt` or in a notification V1. Numbers, flags and instants
/// come as JSON numbers, booleans or strings.
public struct VerifyReceiptLine: PayloadView {
    /// The id of this charge or restore.
    public let transactionId: String?
    /// The id of the first purchase.
    public let originalTransactionId: String?
    /// The id of a renewal period.
    public let webOrderLineItemId: String?
    /// The product.
    public let productId: String?
    /// How many were bought, from 1.
    public let quantity: Int64?
    /// When it was bought, renewed or restored.
    public let purchaseDate: Int64?
    /// When the first purchase was made; can be later than `purchaseDate`.
    public let originalPurchaseDate: Int64?
    /// When the period ends.
    public let expiresDate: Int64?
    /// When Apple gave the money back.
    public let cancellationDate: Int64?
    /// Why: 0 other, 1 an issue with the app.
    public let cancellationReason: Int64?
    /// A UUID that the app gave; stands in `latest_receipt_info` only (react-native-iap#2752).
    public let appAccountToken: String?
    /// Absent means purchased.
    public let inAppOwnershipType: OwnershipType?
    /// The group of the subscription.
    public let subscriptionGroupIdentifier: String?
    /// Whether the period is a free trial.
    public let isTrialPeriod: Bool?
    /// Whether the period has an introductory price.
    public let isInIntroOfferPeriod: Bool?
    /// Whether an upgrade replaced it.
    public let isUpgraded: Bool?
    /// The dates whose two forms name different instants; the milliseconds were taken.
    public let disagreeingDates: [String]

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
        transactionId = reader.identifier("transaction_id")
        originalTransactionId = reader.identifier("original_transaction_id")
        webOrderLineItemId = reader.identifier("web_order_line_item_id")
        productId = reader.text("product_id")
        quantity = reader.number("quantity")
        purchaseDate = reader.date("purchase_date")
        originalPurchaseDate = reader.date("original_purchase_date")
        expiresDate = reader.date("expires_date")
        cancellationDate = reader.date("cancellation_date")
        cancellationReason = reader.number("cancellation_reason")
        appAccountToken = reader.text("app_account_token")
        inAppOwnershipType = reader.value("in_app_ownership_type")
        subscriptionGroupIdentifier = reader.identifier("subscription_group_identifier")
        isTrialPeriod = reader.flag("is_trial_period")
        isInIntroOfferPeriod = reader.flag("is_in_intro_offer_period")
        isUpgraded = reader.flag("is_upgraded")
        disagreeingDates = reader.disagreeing
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// What will be renewed, in an answer of `verifyReceipt`.
public struct PendingRenewalLine: PayloadView {
    /// The id of the subscription.
    public let originalTransactionId: String?
    /// The product now.
    public let productId: String?
    /// The product next.
    public let autoRenewProductId: String?
    /// Whether it will renew.
    public let autoRenewStatus: Bool?
    /// Why it expired, from 1 to 5.
    public let expirationIntent: Int64?
    /// Whether Apple still tries to charge.
    public let isInBillingRetryPeriod: Bool?
    /// When the grace period ends.
    public let gracePeriodExpiresDate: Int64?

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
        originalTransactionId = reader.identifier("original_transaction_id")
        productId = reader.text("product_id")
        autoRenewProductId = reader.text("auto_renew_product_id")
        autoRenewStatus = reader.flag("auto_renew_status")
        expirationIntent = reader.number("expiration_intent")
        isInBillingRetryPeriod = reader.flag("is_in_billing_retry_period")
        gracePeriodExpiresDate = reader.date("grace_period_expires_date")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// What became of a question to `verifyReceipt`.
public struct VerifyReceiptStatus: OpenValue {
    /// See `OpenValue`.
    public let rawValue: Int64
    /// See `OpenValue`.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The receipt is valid.
    public static let valid = VerifyReceiptStatus(rawValue: 0)
    /// The question was not JSON, or not a POST.
    public static let badRequest = VerifyReceiptStatus(rawValue: 21000)
    /// The receipt was malformed, or Apple had a passing fault.
    public static let malformedOrTemporary = VerifyReceiptStatus(rawValue: 21002)
    /// The receipt could not be authenticated.
    public static let notAuthenticated = VerifyReceiptStatus(rawValue: 21003)
    /// The shared secret is another.
    public static let wrongSharedSecret = VerifyReceiptStatus(rawValue: 21004)
    /// Apple's server was not available.
    public static let unavailable = VerifyReceiptStatus(rawValue: 21005)
    /// Valid, and the subscription is over (iOS 6).
    public static let expired = VerifyReceiptStatus(rawValue: 21006)
    /// A receipt of the sandbox was sent to production.
    public static let isSandbox = VerifyReceiptStatus(rawValue: 21007)
    /// A receipt of production was sent to the sandbox.
    public static let isProduction = VerifyReceiptStatus(rawValue: 21008)
    /// A fault inside of Apple.
    public static let internalError = VerifyReceiptStatus(rawValue: 21009)
    /// The Apple account is gone.
    public static let accountNotFound = VerifyReceiptStatus(rawValue: 21010)

    /// See `OpenValue`.
    public static let known: Set<VerifyReceiptStatus> = [
        valid, badRequest, malformedOrTemporary, notAuthenticated, wrongSharedSecret, unavailable,
        expired, isSandbox, isProduction, internalError, accountNotFound,
    ]

    /// Whether the answer says nothing of the receipt: asked elsewhere or later it may be valid.
    public var saysNothingOfReceipt: Bool {
        [
            Self.badRequest, .malformedOrTemporary, .wrongSharedSecret, .unavailable, .isSandbox,
            .isProduction, .internalError,
        ].contains(self) || (21_100...21_199).contains(rawValue)
    }
}
