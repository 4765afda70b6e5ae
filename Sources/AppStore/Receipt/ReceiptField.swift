/// A known attribute of an app receipt, or of a purchase in it.
///
/// Apple documents some; the others are known from receipts of many years, each beside Apple's own
/// `verifyReceipt` answer.
struct ReceiptField: Sendable {
    /// How the value is encoded, and how it is told in JSON.
    enum Form: Sendable {
        /// UTF8String or IA5String.
        case text
        /// IA5String with an RFC 3339 instant; told as milliseconds since 1970 UTC.
        case instant
        /// INTEGER
        case number
        /// INTEGER 0 or 1; told as a boolean.
        case flag
        /// INTEGER, told as a string as ids are; 0 stands for none.
        case identifier
        /// Bytes without an encoding of their own; told in hexadecimal.
        case bytes
    }

    /// The attribute's number.
    let type: Int64
    /// The member's name in JSON.
    let name: String
    let form: Form
    var isRequired = false
}

extension ReceiptField {
    static let environment: Int64 = 0
    static let bundleId: Int64 = 2
    static let opaqueValue: Int64 = 4
    static let deviceHash: Int64 = 5
    /// Repeats; each value is a set of attributes itself.
    static let inApp: Int64 = 17

    /// The attributes of a receipt, in the order in which they are told.
    static let ofReceipt: [ReceiptField] = [
        ReceiptField(type: environment, name: "receiptType", form: .text),
        ReceiptField(type: 1, name: "appAppleId", form: .number),
        ReceiptField(type: bundleId, name: "bundleId", form: .text, isRequired: true),
        ReceiptField(type: 3, name: "applicationVersion", form: .text, isRequired: true),
        ReceiptField(type: 19, name: "originalApplicationVersion", form: .text),
        ReceiptField(type: 12, name: "receiptCreationDate", form: .instant, isRequired: true),
        ReceiptField(type: 18, name: "originalPurchaseDate", form: .instant),
        ReceiptField(type: 32, name: "preorderDate", form: .instant),
        ReceiptField(type: 21, name: "expirationDate", form: .instant),
        ReceiptField(type: 15, name: "downloadId", form: .number),
        ReceiptField(type: 16, name: "versionExternalIdentifier", form: .number),
        ReceiptField(type: 11, name: "developerId", form: .number),
        ReceiptField(type: 10, name: "ageRating", form: .text),
        ReceiptField(type: 23, name: "organizationName", form: .text),
        ReceiptField(type: opaqueValue, name: "opaqueValue", form: .bytes, isRequired: true),
        ReceiptField(type: deviceHash, name: "deviceHash", form: .bytes, isRequired: true),
    ]

    /// The attributes of a purchase, in the order in which they are told.
    static let ofPurchase: [ReceiptField] = [
        ReceiptField(type: 1703, name: "transactionId", form: .text, isRequired: true),
        ReceiptField(type: 1705, name: "originalTransactionId", form: .text),
        ReceiptField(type: 1711, name: "webOrderLineItemId", form: .identifier),
        ReceiptField(type: 1702, name: "productId", form: .text, isRequired: true),
        ReceiptField(type: 1707, name: "productType", form: .number),
        ReceiptField(type: 1701, name: "quantity", form: .number, isRequired: true),
        ReceiptField(type: 1704, name: "purchaseDate", form: .instant, isRequired: true),
        ReceiptField(type: 1706, name: "originalPurchaseDate", form: .instant),
        ReceiptField(type: 1708, name: "expiresDate", form: .instant),
        ReceiptField(type: 1712, name: "cancellationDate", form: .instant),
        ReceiptField(type: 1720, name: "cancellationReason", form: .number),
        ReceiptField(type: 1713, name: "isTrialPeriod", form: .flag),
        ReceiptField(type: 1719, name: "isInIntroOfferPeriod", form: .flag),
        ReceiptField(type: 1721, name: "promotionalOfferId", form: .text),
    ]
}
