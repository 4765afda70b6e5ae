/// What the devices told about their attempts for some orders.
struct AttemptSummary {
    /// The last attempt, leaving out what came of it.
    let mark: OrderStatus.Attempt
    /// When the last attempt's state was told first; milliseconds since 1970 UTC.
    let since: Int64?
    /// Whether the last word of all is that attempt: nothing was reported bought after it.
    let isLast: Bool
    /// Whether an installation reported the purchase bought or finished.
    let isReported: Bool
    /// The last stamp of any attempt.
    let lastStamp: Stamp?
    let stamps: [Stamp]

    /// A state of an attempt, or what came of it.
    private struct State {
        let mark: OrderStatus.Attempt?
        let moments: Moments

        /// Within one installation its own counter orders; without it, our clock.
        func isBefore(_ other: State) -> Bool {
            if let mine = moments.sequenceLast, let theirs = other.moments.sequenceLast,
                mine != theirs
            {
                return mine < theirs
            }
            guard let mine = moments.span.last, let theirs = other.moments.span.last else {
                return false
            }
            return mine < theirs
        }
    }

    init(_ orders: [OrderFacts]) {
        let installations = orders.flatMap { $0.attempts.map(\.value) }
        let last = Self.latest(installations.compactMap { Self.last($0, withOutcome: true) })
        let attempt = Self.latest(installations.compactMap { Self.last($0, withOutcome: false) })
        mark = attempt?.mark ?? .none
        since = attempt?.moments.span.first?.receivedAt
        isLast = last?.mark != nil
        isReported = installations.contains { $0.purchased.isTold || $0.finished.isTold }
        let all = installations.flatMap(\.instants).compactMap { $0 }
        let outcomes = installations.flatMap { [$0.restored.span.first, $0.finished.span.first] }
        lastStamp = all.max()
        stamps = all + outcomes.compactMap { $0 }
    }

    private static func last(_ attempts: Attempts, withOutcome: Bool) -> State? {
        var states = [
            State(mark: .purchasing, moments: attempts.purchasing),
            State(mark: .deferred, moments: attempts.deferred),
            State(mark: .cancelled, moments: attempts.cancelled),
            State(mark: .failed, moments: attempts.failed),
        ]
        if withOutcome {
            states += [
                State(mark: nil, moments: attempts.purchased),
                State(mark: nil, moments: attempts.restored),
                State(mark: nil, moments: attempts.finished),
            ]
        }
        return states.filter(\.moments.isTold).reduce(nil) { best, state in
            guard let best else { return state }
            return best.isBefore(state) ? state : best
        }
    }

    /// Between installations only our clock orders.
    private static func latest(_ states: [State]) -> State? {
        states.max { left, right in
            guard let a = left.moments.span.last, let b = right.moments.span.last else {
                return false
            }
            return a < b
        }
    }
}
