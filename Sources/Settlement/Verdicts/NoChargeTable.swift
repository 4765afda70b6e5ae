/// What the table for names without a charge asks.
struct NoChargeConditions: Equatable {
    /// A charge that nothing names is a likely candidate, or Apple's look-up gave one.
    var hasLikelyCandidate = false
    /// Transactions with a good signature exist, and all are of another place: sandbox, another
    /// bundle of ours, or Xcode.
    var isElsewhere = false
    /// Verified transactions exist, all shared by a family.
    var isShared = false
    /// A delivery to the claimant stands.
    var isDelivered = false
    /// Genuine proof was offered, and its charge has another owner.
    var offersAnothersProof = false
    /// Proof was offered, and all of it refused for what only a forgery has.
    var offersForgeries = false
    /// Apple's production answer denies what was named.
    var isDenied = false
    /// The last attempt is deferred and younger than the policy.
    var isDeferred = false
    /// Attempts, none reported bought, and coverage that would show a charge.
    var isCovered = false
    /// Anything at all stands under the name.
    var isKnown = false
}

/// The verdicts where no charge is found, in the order in which they are tried.
enum NoChargeTable {
    static let rows: [(verdict: VerdictCode, holds: @Sendable (NoChargeConditions) -> Bool)] = [
        (.paymentUnlinked, { $0.hasLikelyCandidate }),
        (.wrongEnvironment, { $0.isElsewhere }),
        (.shared, { $0.isShared }),
        (.delivered, { $0.isDelivered }),
        (.notClaimants, { $0.offersAnothersProof }),
        (.forged, { $0.offersForgeries }),
        (.disproved, { $0.isDenied }),
        (.pending, { $0.isDeferred }),
        (.notCharged, { $0.isCovered }),
        (.unproven, { $0.isKnown }),
        (.unknown, { _ in true }),
    ]
}
