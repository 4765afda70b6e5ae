public import JSON

/// A page of the answer of Get Notification History.
public struct NotificationHistoryPage: PayloadView {
    /// With what to ask for the next page.
    public let paginationToken: String?
    /// Whether there is a next page.
    public let hasMore: Bool?
    /// The notifications.
    public let notificationHistory: [SentNotification]

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
        paginationToken = reader.text("paginationToken")
        hasMore = reader.flag("hasMore")
        notificationHistory = reader.views("notificationHistory")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// A notification and how it was sent; also the answer of Get Test Notification Status.
public struct SentNotification: PayloadView {
    /// A JWS of its own.
    public let signedPayload: String?
    /// Six at most: the first, and after 1, 12, 24, 48 and 72 hours.
    public let sendAttempts: [SendAttempt]

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
        signedPayload = reader.text("signedPayload")
        sendAttempts = reader.views("sendAttempts")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// One attempt to send a notification.
public struct SendAttempt: PayloadView {
    /// When, in milliseconds since 1970 UTC.
    public let attemptDate: Int64?
    /// What became of it.
    public let sendAttemptResult: SendAttemptResult?

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
        attemptDate = reader.instant("attemptDate")
        sendAttemptResult = reader.value("sendAttemptResult")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// What became of an attempt to send a notification, as Apple saw it.
public struct SendAttemptResult: OpenValue {
    /// See `OpenValue`.
    public let rawValue: String
    /// See `OpenValue`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The server took it.
    public static let success = SendAttemptResult(rawValue: "SUCCESS")

    /// See `OpenValue`.
    public static let known: Set<SendAttemptResult> = Set(
        [
            "SUCCESS", "TIMED_OUT", "TLS_ISSUE", "CIRCULAR_REDIRECT", "NO_RESPONSE", "SOCKET_ISSUE",
            "UNSUPPORTED_CHARSET", "INVALID_RESPONSE", "PREMATURE_CLOSE",
            "UNSUCCESSFUL_HTTP_RESPONSE_CODE", "OTHER",
        ].map(SendAttemptResult.init(rawValue:)))
}
