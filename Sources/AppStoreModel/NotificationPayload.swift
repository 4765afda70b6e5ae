public import JSON

/// What a signed App Store Server Notification V2 says (`responseBodyV2DecodedPayload`).
public struct NotificationPayload: PayloadView {
    /// What happened.
    public let notificationType: NotificationType?
    /// What happened, more precisely.
    public let subtype: NotificationSubtype?
    /// The same for every retry.
    public let notificationUUID: String?
    /// `2.0`.
    public let version: String?
    /// When Apple signed it, in milliseconds since 1970 UTC.
    public let signedDate: Int64?
    /// The app, and its signed transaction or renewal.
    public let data: NotificationData?
    /// The outcome of an extension of many renewals.
    public let summary: NotificationSummary?
    /// A token for a purchase outside of the App Store.
    public let externalPurchaseToken: ExternalPurchaseToken?
    /// The app, and its signed app transaction.
    public let appData: NotificationAppData?

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
        notificationType = reader.value("notificationType")
        subtype = reader.value("subtype")
        notificationUUID = reader.text("notificationUUID")
        version = reader.text("version")
        signedDate = reader.instant("signedDate")
        data = reader.view("data")
        summary = reader.view("summary")
        externalPurchaseToken = reader.view("externalPurchaseToken")
        appData = reader.view("appData")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// The member `data` of a notification.
public struct NotificationData: PayloadView {
    /// The app's number; absent in some notifications of the sandbox.
    public let appAppleId: String?
    /// The app.
    public let bundleId: String?
    /// The version of the app that bought.
    public let bundleVersion: String?
    /// Where it happened.
    public let environment: Environment?
    /// A JWS of its own: the transaction of what happened, not the newest.
    public let signedTransactionInfo: String?
    /// A JWS of its own.
    public let signedRenewalInfo: String?
    /// The state of the subscription when it was signed.
    public let status: SubscriptionStatus?
    /// What the customer said to Apple.
    public let consumptionRequestReason: ConsumptionRequestReason?

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
        appAppleId = reader.identifier("appAppleId")
        bundleId = reader.text("bundleId")
        bundleVersion = reader.text("bundleVersion")
        environment = reader.value("environment")
        signedTransactionInfo = reader.text("signedTransactionInfo")
        signedRenewalInfo = reader.text("signedRenewalInfo")
        status = reader.value("status")
        consumptionRequestReason = reader.value("consumptionRequestReason")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// The member `summary` of a notification.
public struct NotificationSummary: PayloadView {
    /// The UUID of the request.
    public let requestIdentifier: String?
    /// Where it happened.
    public let environment: Environment?
    /// The app's number.
    public let appAppleId: String?
    /// The app.
    public let bundleId: String?
    /// The product.
    public let productId: String?
    /// ISO 3166-1 alpha-3.
    public let storefrontCountryCodes: [String]
    /// How many were extended.
    public let succeededCount: Int64?
    /// How many were not.
    public let failedCount: Int64?

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
        requestIdentifier = reader.text("requestIdentifier")
        environment = reader.value("environment")
        appAppleId = reader.identifier("appAppleId")
        bundleId = reader.text("bundleId")
        productId = reader.text("productId")
        storefrontCountryCodes = reader.texts("storefrontCountryCodes")
        succeededCount = reader.number("succeededCount")
        failedCount = reader.number("failedCount")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// The member `externalPurchaseToken` of a notification.
public struct ExternalPurchaseToken: PayloadView {
    /// The token's id; in the sandbox it starts with `SANDBOX`.
    public let externalPurchaseId: String?
    /// Milliseconds since 1970 UTC.
    public let tokenCreationDate: Int64?
    /// The app's number.
    public let appAppleId: String?
    /// The app.
    public let bundleId: String?

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
        externalPurchaseId = reader.text("externalPurchaseId")
        tokenCreationDate = reader.instant("tokenCreationDate")
        appAppleId = reader.identifier("appAppleId")
        bundleId = reader.text("bundleId")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// The member `appData` of a notification.
public struct NotificationAppData: PayloadView {
    /// Where it happened.
    public let environment: Environment?
    /// The app's number.
    public let appAppleId: String?
    /// The app.
    public let bundleId: String?
    /// A JWS of its own.
    public let signedAppTransactionInfo: String?

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
        environment = reader.value("environment")
        appAppleId = reader.identifier("appAppleId")
        bundleId = reader.text("bundleId")
        signedAppTransactionInfo = reader.text("signedAppTransactionInfo")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}
