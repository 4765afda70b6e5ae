/// What the table for charges asks of one charge.
struct ChargeConditions: Equatable {
    /// There is a claimant, the owner is known, and is another.
    var belongsToAnother = false
    /// Refunded in full, not reversed.
    var isRefunded = false
    /// What was signed stands delivered to an account that is not the owner, and not to the owner.
    var standsWithAnother = false
    /// A subscription whose period is over, without grace.
    var isOver = false
    /// What stands delivered covers what was signed; a subscription without deliveries is active.
    var isCovered = false
    /// The delivery grace runs, a request for delivery is open, or a subscription is in grace.
    var isAwaited = false
}

/// The verdicts for a charge, in the order in which they are tried: the first that holds.
enum ChargeTable {
    static let rows: [(verdict: VerdictCode, holds: @Sendable (ChargeConditions) -> Bool)] = [
        (.notClaimants, { $0.belongsToAnother }),
        (.refunded, { $0.isRefunded }),
        (.deliveredToOther, { $0.standsWithAnother }),
        (.lapsed, { $0.isOver }),
        (.delivered, { $0.isCovered }),
        (.pending, { $0.isAwaited }),
        (.paidNotDelivered, { _ in true }),
    ]

    /// The verdicts of several charges, in the order in which one stands for all.
    static let rollUp: [VerdictCode] = [
        .paidNotDelivered, .deliveredToOther, .pending, .notClaimants, .lapsed, .delivered,
        .refunded,
    ]
}
