/// A customer's side of a dispute: a claim as it stands. Instants are milliseconds since 1970 UTC.
public struct ClaimSide: Sendable, Equatable {
    /// How it stands, a closed set.
    public enum State: String, Sendable, CaseIterable {
        case opened, settled, reopened
    }

    /// Our own id of the claim.
    public let claimId: String
    /// How it stands.
    public let state: State
    /// How it was settled last.
    public let outcome: String?
    /// When it was opened.
    public let openedAt: Int64?

    /// From the facts of a claim; `nil` for anything else.
    public init?(_ key: EntityKey, _ facts: Facts) {
        guard case .claim(let claim) = facts else { return nil }
        claimId = key.id
        outcome = claim.settled.told
        openedAt = claim.opened.stamp?.receivedAt
        guard let settled = claim.settled.stamp else {
            state = .opened
            return
        }
        state = claim.reopened.last.map { settled < $0 } == true ? .reopened : .settled
    }
}
