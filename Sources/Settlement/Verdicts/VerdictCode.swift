/// What the service believes about a claim (domain: verdicts).
public enum VerdictCode: String, Sendable, CaseIterable {
    // Of charges, and of their roll-up.
    case paidNotDelivered = "paid-not-delivered"
    case chargedTwice = "charged-twice"
    case deliveredToOther = "delivered-to-other"
    case pending
    case notClaimants = "not-claimants"
    case lapsed
    case delivered
    case refunded
    // Where no charge is found.
    case paymentUnlinked = "payment-unlinked"
    case wrongEnvironment = "wrong-environment"
    case shared
    case forged
    case disproved
    case notCharged = "not-charged"
    case unproven
    case unknown
}

/// What an agent should do.
public struct Action: Sendable, Equatable {
    /// The action as a machine code.
    public let code: ActionCode
    /// The action in words, for the agent.
    public let text: String
    /// Whether a second agent must agree.
    public let needsSecondAgent: Bool
    /// Until when to wait: milliseconds since 1970 UTC.
    public let waitUntil: Int64?
}

/// The actions, as machine codes.
public enum ActionCode: String, Sendable, CaseIterable {
    case askForAppleEmail = "ask-for-apple-email"
    case explain
    case redeliver
    case redeliverAndReverse = "redeliver-and-reverse"
    case letCustomerChoose = "let-customer-choose"
    case showDelivery = "show-delivery"
    case wait
    case link
    case refuse
    case fetchFromApple = "fetch-from-apple"
    case askForNewUpload = "ask-for-new-upload"
    case lookUpAppleOrder = "look-up-apple-order"
    case searchByOtherKeys = "search-by-other-keys"
}
