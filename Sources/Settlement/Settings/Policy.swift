internal import JSON

/// The rules' numbers: one set for the ledger, changed by `policy.changed` events whose `data`
/// names members as they are named here. Durations and instants are milliseconds, money is
/// milliunits of any currency.
public struct Policy: Sendable, Equatable {
    /// How long after purchase and proof a delivery may take before it is missed: 15 minutes.
    public var deliveryGrace: Int64 = 15 * minute
    /// How long a request for delivery stays open: 1 hour.
    public var deliveryRequestOpen: Int64 = 1 * hour
    /// After how long `purchasing` without an outcome is stuck: 1 hour.
    public var purchasingStuck: Int64 = 1 * hour
    /// After how long `deferred` without an outcome is stuck: 72 hours.
    public var deferredStuck: Int64 = 72 * hour
    /// After how long a purchase that was never finished is a finding: 24 hours.
    public var finishUnacknowledged: Int64 = 24 * hour
    /// After how long an order that nobody pays is abandoned: 24 hours.
    public var abandoned: Int64 = 24 * hour
    /// How many callbacks make a flood: 10.
    public var floodCallbacks: Int64 = 10
    /// Within how long they make one: 60 minutes.
    public var floodWindow: Int64 = 60 * minute
    /// How far from an attempt a charge may stand to be its candidate: 24 hours on either side.
    public var candidateWindow: Int64 = 24 * hour
    /// The least score of a candidate worth linking. 26 is what product, window and price reach, or
    /// product, window and account, and nothing less does (see `Candidate.Reason`).
    public var candidateScore: Int64 = 26
    /// How far beyond the last attempt coverage must reach before a payment is denied: 24 hours.
    public var coverageMargin: Int64 = 24 * hour
    /// From which price on a second agent is asked: 50 units of the currency. An unknown price asks
    /// for one too.
    public var secondAgentFrom: Int64 = 50_000

    private static let minute: Int64 = 60_000
    private static let hour: Int64 = 60 * minute

    /// The documented defaults (domain: policy defaults).
    public init() {}

    /// Each member by its name in `policy.changed`, and the least value it may take.
    static var members: [(name: String, path: WritableKeyPath<Policy, Int64>, least: Int64)] {
        [
            ("deliveryGrace", \.deliveryGrace, 0),
            ("deliveryRequestOpen", \.deliveryRequestOpen, 0),
            ("purchasingStuck", \.purchasingStuck, 0),
            ("deferredStuck", \.deferredStuck, 0),
            ("finishUnacknowledged", \.finishUnacknowledged, 0),
            ("abandoned", \.abandoned, 0),
            ("floodCallbacks", \.floodCallbacks, 2),
            ("floodWindow", \.floodWindow, 0),
            ("candidateWindow", \.candidateWindow, 0),
            ("candidateScore", \.candidateScore, 0),
            ("coverageMargin", \.coverageMargin, 0),
            ("secondAgentFrom", \.secondAgentFrom, 0),
        ]
    }

    /// The greatest value that a member takes: about 1,000 years in milliseconds, so that adding
    /// one to an instant cannot overflow.
    static let greatest: Int64 = 365_250 * 24 * hour

    /// Takes over what an event changes. Unknown members, and values that are no whole number in
    /// range, change nothing.
    mutating func apply(_ data: JSONValue) {
        for member in Self.members {
            guard let value = data[member.name]?.int64,
                (member.least...Self.greatest).contains(value)
            else { continue }
            self[keyPath: member.path] = value
        }
    }
}
