public import JSON

/// The body of a notification V1. Nobody signed it: it is a hint to ask Apple, and proves nothing.
public struct NotificationV1Payload: PayloadView {
    /// What happened.
    public let notificationType: String?
    /// `PROD`, `Production` or `Sandbox`, in the words of signed transactions.
    public let environment: Environment?
    /// The app.
    public let bundleId: String?
    /// The version of the app that bought.
    public let bundleVersion: String?
    /// The id of the subscription.
    public let originalTransactionId: String?
    /// The purchases.
    public let unifiedReceipt: VerifyReceiptAnswer?
    /// The product next.
    public let autoRenewProductId: String?
    /// Whether it will renew.
    public let autoRenewStatus: Bool?
    /// When Apple gave the money back.
    public let cancellationDate: Int64?
    /// A UUID that the app gave; can be empty.
    public let appAccountToken: String?

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
        notificationType = reader.text("notification_type")
        let environment: Environment? = reader.value("environment")
        self.environment = environment?.rawValue == "PROD" ? .production : environment
        bundleId = reader.text("bid")
        bundleVersion = reader.identifier("bvrs")
        originalTransactionId = reader.identifier("original_transaction_id")
        unifiedReceipt = reader.view("unified_receipt")
        autoRenewProductId = reader.text("auto_renew_product_id")
        autoRenewStatus = reader.flag("auto_renew_status")
        cancellationDate = reader.date("cancellation_date")
        appAccountToken = reader.text("appAccountToken") ?? reader.text("app_account_token")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}
