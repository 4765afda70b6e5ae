public import JSON

/// What a file or a body is, before anything in it is believed.
public enum DetectedKind: Sendable, Equatable {
    /// One CloudEvent in JSON.
    case cloudEvent
    /// A JSON array of CloudEvents.
    case cloudEventBatch
    /// The body of an App Store Server Notification V2: `{"signedPayload": "…"}`.
    case notificationBody
    /// A compact JWS, or a text that was meant to be one.
    case bareJWS
    /// An app receipt: PKCS#7 in base64 or plain, or the older form with `purchase-info`.
    case receipt
    /// JSON that nobody signed, in which signed parts may stand.
    case wrapper(WrapperKind)
    /// A text that names the order id of Apple's e-mail to the customer.
    case orderIdText(String)
    /// JSON, by its first byte, that cannot be read.
    case brokenJSON(JSONError)
    /// None of these; with what it looks like.
    case unknown(looksLike: String)
}

/// What JSON is that nobody signed and that Apple's servers send.
public enum WrapperKind: Sendable, Hashable {
    /// The body of a notification V1.
    case notificationV1
    /// An answer of the old `verifyReceipt` endpoint.
    case verifyReceiptAnswer
    /// An answer of the App Store Server API; `nil` where its members do not tell to what.
    case answer(AnswerEndpoint?)

    /// The kind of the part that such JSON becomes.
    public var partKind: SignedPartKind {
        switch self {
        case .notificationV1: .notificationV1
        case .verifyReceiptAnswer: .verifyReceiptAnswer
        case .answer: .answer
        }
    }
}

/// Which question an answer of the App Store Server API answers, told by its members.
public enum AnswerEndpoint: String, Sendable, Hashable, CaseIterable {
    case transactionHistory = "transaction-history"
    case refundHistory = "refund-history"
    case orderLookup = "order-lookup"
    case transactionInfo = "transaction-info"
    case appTransactionInfo = "app-transaction-info"
    case subscriptionStatuses = "subscription-statuses"
    case notificationHistory = "notification-history"
    case testNotificationStatus = "test-notification-status"
    /// `errorCode` and `errorMessage`, whatever was asked.
    case error
}

/// What something is, and what of it is to be read once its wrapping is off.
public struct Recognised: Sendable {
    /// The kind.
    public let kind: DetectedKind
    /// The material itself: without white space around it and without what `steps` tell.
    public let content: [UInt8]
    /// The content as JSON, where it is that.
    public let json: JSONValue?
    /// What was taken off, the outermost first: `a JSON string`, `base64`, `the member
    /// receipt-data`.
    public let steps: [String]
    /// Whether the content held the app's shared secret, in whose place `null` stands now.
    public let lostSharedSecret: Bool
}

/// What `bytes` are, after taking off what people and clients put around it.
public func detect(_ bytes: [UInt8]) -> DetectedKind { recognise(bytes).kind }
