public import JSON

/// What an app receipt says, in the JSON form that it is read into. Instants are milliseconds since
/// 1970 UTC. It names no account and no token, and lists consumables only until they are finished:
/// a purchase that is missing here may have been made all the same.
public struct ReceiptPayload: PayloadView {
    /// Where it was made, in the words of signed transactions.
    public let environment: Environment?
    /// `Production`, `ProductionSandbox`, `ProductionVPP`, `ProductionVPPSandbox`, `Xcode`.
    public let receiptType: String?
    /// The app's number; 0 in the sandbox.
    public let appAppleId: String?
    /// The app.
    public let bundleId: String?
    /// The version of the app that made it.
    public let applicationVersion: String?
    /// The version that was bought first.
    public let originalApplicationVersion: String?
    /// When it was made.
    public let receiptCreationDate: Int64?
    /// When the app was bought.
    public let originalPurchaseDate: Int64?
    /// When the app was ordered before it was there.
    public let preorderDate: Int64?
    /// When it ends; volume purchases only.
    public let expirationDate: Int64?
    /// The purchases it lists.
    public let inApp: [ReceiptPurchasePayload]

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
        receiptType = reader.text("receiptType")
        appAppleId = reader.identifier("appAppleId")
        bundleId = reader.text("bundleId")
        applicationVersion = reader.text("applicationVersion")
        originalApplicationVersion = reader.text("originalApplicationVersion")
        receiptCreationDate = reader.instant("receiptCreationDate")
        originalPurchaseDate = reader.instant("originalPurchaseDate")
        preorderDate = reader.instant("preorderDate")
        expirationDate = reader.instant("expirationDate")
        inApp = reader.views("inApp")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// A purchase that an app receipt lists.
public struct ReceiptPurchasePayload: PayloadView {
    /// The id of this charge or restore.
    public let transactionId: String?
    /// The id of the first purchase.
    public let originalTransactionId: String?
    /// The id of a renewal period; subscriptions only.
    public let webOrderLineItemId: String?
    /// The product.
    public let productId: String?
    /// The kind of product; absent in receipts of Xcode.
    public let type: ProductType?
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
    /// Whether the period is a free trial.
    public let isTrialPeriod: Bool?
    /// Whether the period has an introductory price.
    public let isInIntroOfferPeriod: Bool?
    /// The name of the offer.
    public let promotionalOfferId: String?

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
        productId = reader.text("productId")
        type = reader.value("type")
        quantity = reader.number("quantity")
        purchaseDate = reader.instant("purchaseDate")
        originalPurchaseDate = reader.instant("originalPurchaseDate")
        expiresDate = reader.instant("expiresDate")
        cancellationDate = reader.instant("cancellationDate")
        cancellationReason = reader.number("cancellationReason")
        isTrialPeriod = reader.flag("isTrialPeriod")
        isInIntroOfferPeriod = reader.flag("isInIntroOfferPeriod")
        promotionalOfferId = reader.text("promotionalOfferId")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}
