/// Apple's side of the dispute about one charge. Instants are milliseconds since 1970 UTC.
public struct Dispute: Sendable, Equatable {
    /// How it stands, a closed set.
    public enum State: String, Sendable, CaseIterable {
        /// Apple asks how much was used up; it wants an answer within 12 hours.
        case consumptionRequested = "consumption-requested"
        /// Apple took our answer.
        case answered
        case refundGranted = "refund-granted"
        case refundDeclined = "refund-declined"
        /// A refund was taken back.
        case refundReversed = "refund-reversed"
    }

    /// How long Apple waits for an answer: 12 hours from the request's signing.
    public static let answerMilliseconds: Int64 = 12 * 60 * 60 * 1000

    /// The charge.
    public let transactionId: String
    /// How it stands.
    public let state: State
    /// Why the customer asks, in Apple's words.
    public let reason: String?
    /// When Apple asked for the last time.
    public let requestedAt: Int64?
    /// Until when Apple wants an answer; `nil` where none is awaited any more.
    public let dueAt: Int64?
    /// Whether that has passed.
    public let isOverdue: Bool
    /// When our last answer was taken.
    public let answeredAt: Int64?
    /// When the money was given back.
    public let grantedAt: Int64?
    /// When Apple declined.
    public let declinedAt: Int64?
    /// When the refund was taken back.
    public let reversedAt: Int64?
    /// Whether the owner let Apple be told about consumption: without it nothing may be answered.
    /// `nil` where nobody said.
    public let hasConsent: Bool?
}
