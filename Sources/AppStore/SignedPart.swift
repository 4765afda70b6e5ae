public import JSON

/// What a piece of signed material is.
public enum SignedPartKind: String, Sendable, Hashable {
    case transaction
    case renewal
    case notification
    case appTransaction = "app-transaction"
    /// A whole-app receipt (PKCS#7), or the older form of one transaction.
    case receipt
    /// An answer of the App Store Server API: unsigned, with signed parts inside.
    case answer
    /// The body of a notification V1: unsigned.
    case notificationV1 = "notification-v1"
    /// An answer of `verifyReceipt`: unsigned.
    case verifyReceiptAnswer = "verify-receipt-answer"
    case unknown
}

/// A piece of signed material, or an unsigned wrapper of such, with what it says and whether to
/// believe it.
public struct SignedPart: Sendable {
    /// Told by the payload; where that does not say, by the member it came in.
    public let kind: SignedPartKind
    /// The place in what surrounds it: names of members, joined by dots; empty for the outermost.
    public let path: String
    /// The signed material itself: a compact JWS or a receipt as it came; the JSON of a wrapper.
    public let bytes: [UInt8]
    /// SHA-256 over `bytes`.
    public let digest: [UInt8]
    /// Whether to believe it.
    public let verification: Verification
    /// What it says, believed or not; `nil` where it cannot be read.
    public let payload: JSONValue?
    /// The payload's JSON text; the ranges in `payload` lead into it.
    public let payloadBytes: [UInt8]
    /// The signed parts inside, each judged by itself.
    public let nested: [SignedPart]
    /// Where it stands in the payload of the part around it, quotation marks included; of nested
    /// parts.
    public var place: Range<Int>?
    /// The question that an answer answers; of answers only.
    public var endpoint: AnswerEndpoint?
    /// The path that was asked, such as `/inApps/v1/lookup/MK5TTTVHXH`; of answers that come with
    /// it.
    public var request: String?
}

extension SignedPartKind {
    init(payload: JSONValue, path: String) {
        self = Self.told(by: payload) ?? Self.named(by: path)
    }

    /// The members that only one kind has.
    private static let marks: [String: SignedPartKind] = [
        "notificationType": .notification, "notificationUUID": .notification,
        "receiptType": .appTransaction, "receiptCreationDate": .appTransaction,
        "originalApplicationVersion": .appTransaction,
        "autoRenewProductId": .renewal, "autoRenewStatus": .renewal, "expirationIntent": .renewal,
        "renewalDate": .renewal, "isInBillingRetryPeriod": .renewal,
        "gracePeriodExpiresDate": .renewal, "recentSubscriptionStartDate": .renewal,
        "transactionId": .transaction, "purchaseDate": .transaction,
        "webOrderLineItemId": .transaction,
    ]

    /// By the first member that no other kind has.
    private static func told(by payload: JSONValue) -> SignedPartKind? {
        for member in payload.members ?? [] {
            if let kind = marks[member.name] { return kind }
        }
        return nil
    }

    private static func named(by path: String) -> SignedPartKind {
        // An element of a list is named as the list: `signedTransactions[3]`.
        switch path.split(separator: ".").last?.prefix(while: { $0 != "[" }) {
        case "signedTransactionInfo", "signedTransaction", "signedTransactions": .transaction
        case "signedRenewalInfo": .renewal
        case "signedAppTransactionInfo": .appTransaction
        case "signedPayload": .notification
        default: .unknown
        }
    }
}
