/// The verdicts of the domain (section 6), named once more so that the oracle owes the service
/// nothing.
public enum ExpectedVerdict: String, Sendable, CaseIterable {
    // Of charges, in the order in which one of them stands for several.
    case paidNotDelivered = "paid-not-delivered"
    case deliveredToOther = "delivered-to-other"
    case pending
    case notClaimants = "not-claimants"
    case lapsed
    case delivered
    case refunded
    /// A roll-up: paid-not-delivered beside a delivered charge of the same order.
    case chargedTwice = "charged-twice"
    // Of names without a charge.
    case paymentUnlinked = "payment-unlinked"
    case wrongEnvironment = "wrong-environment"
    case shared
    case forged
    case disproved
    case notCharged = "not-charged"
    case unproven
    case unknown
}

/// The four marks of an order in one word (domain, section 5), strongest first.
public enum ExpectedHeadline: String, Sendable, CaseIterable {
    case refunded, delivered, paid, reported, deferred, purchasing, failed, cancelled, abandoned
    case created
    /// Nothing under this name.
    case none
}

/// The numbers of the domain's section 8 that verdicts rest on, in milliseconds.
enum OraclePolicy {
    static let deliveryGrace = 15 * Span.minute
    static let deliveryRequestOpen = Span.hour
    static let deferredStuck = 72 * Span.hour
    static let abandoned = 24 * Span.hour
    static let candidateWindow = 24 * Span.hour
}
