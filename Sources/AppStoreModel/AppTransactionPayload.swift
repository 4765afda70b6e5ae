public import JSON

/// What a signed app transaction says. Instants are milliseconds since 1970 UTC.
public struct AppTransactionPayload: PayloadView {
    /// Where the app was got.
    public let receiptType: Environment?
    /// The app's number.
    public let appAppleId: String?
    /// The app.
    public let bundleId: String?
    /// The version that asked.
    public let applicationVersion: String?
    /// The store's number of that version.
    public let versionExternalIdentifier: String?
    /// When it was signed.
    public let receiptCreationDate: Int64?
    /// When the app was first got.
    public let originalPurchaseDate: Int64?
    /// The version first got.
    public let originalApplicationVersion: String?
    /// Base64 of a hash that binds it to a device.
    public let deviceVerification: String?
    /// The nonce of that hash.
    public let deviceVerificationNonce: String?
    /// When the app was ordered ahead.
    public let preorderDate: Int64?
    /// One per Apple account and app.
    public let appTransactionId: String?
    /// The platform on which the app was first got.
    public let originalPlatform: String?

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
        receiptType = reader.value("receiptType")
        appAppleId = reader.identifier("appAppleId")
        bundleId = reader.text("bundleId")
        applicationVersion = reader.text("applicationVersion")
        versionExternalIdentifier = reader.identifier("versionExternalIdentifier")
        receiptCreationDate = reader.instant("receiptCreationDate")
        originalPurchaseDate = reader.instant("originalPurchaseDate")
        originalApplicationVersion = reader.text("originalApplicationVersion")
        deviceVerification = reader.text("deviceVerification")
        deviceVerificationNonce = reader.text("deviceVerificationNonce")
        preorderDate = reader.instant("preorderDate")
        appTransactionId = reader.identifier("appTransactionId")
        originalPlatform = reader.text("originalPlatform")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}
