public import JSON

/// An error of the App Store Server API. It says something of the question, and never that a
/// payment was not made.
public struct ErrorAnswer: PayloadView {
    /// Which.
    public let errorCode: ServerErrorCode?
    /// Apple's words.
    public let errorMessage: String?

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
        errorCode = reader.value("errorCode")
        errorMessage = reader.text("errorMessage")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// The number of an error of the App Store Server API.
public struct ServerErrorCode: OpenValue {
    /// See `OpenValue`.
    public let rawValue: Int64
    /// See `OpenValue`.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The window begins before what Apple keeps.
    public static let startDateTooFarInPast = ServerErrorCode(rawValue: 4_000_012)
    /// A subscription was named where consumption can't be told.
    public static let notConsumable = ServerErrorCode(rawValue: 4_000_047)
    /// The token is no UUID.
    public static let invalidAppAccountToken = ServerErrorCode(rawValue: 4_000_183)
    /// The purchase is shared in a family.
    public static let familyTransaction = ServerErrorCode(rawValue: 4_000_185)
    /// The id is not that of a first purchase.
    public static let notOriginalTransactionId = ServerErrorCode(rawValue: 4_000_187)
    /// Apple has no such transaction for this app.
    public static let transactionIdNotFound = ServerErrorCode(rawValue: 4_040_010)
    /// Too many questions.
    public static let rateLimitExceeded = ServerErrorCode(rawValue: 4_290_000)
    /// A fault inside of Apple.
    public static let internalError = ServerErrorCode(rawValue: 5_000_000)

    /// Those with a name here. Apple has many more, and adds to them.
    public static let known: Set<ServerErrorCode> = [
        startDateTooFarInPast, notConsumable, invalidAppAccountToken, familyTransaction,
        notOriginalTransactionId, transactionIdNotFound, rateLimitExceeded, internalError,
    ]

    /// Whether the same question may be answered later. Apple documents three of its "not found" as
    /// such: an account, an app and an original transaction id.
    public var isRetryable: Bool {
        [4_040_002, 4_040_004, 4_040_006, 4_290_000, 5_000_001].contains(rawValue)
    }
}
