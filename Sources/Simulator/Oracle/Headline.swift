/// The status of what stands under a name, in one word (domain, section 5).
extension Judge {
    func headline(of matter: Matter) -> ExpectedHeadline {
        guard matter.isKnown else { return .none }
        let refunds = matter.charges.map { $0.transaction.snapshot?.refund ?? .none }
        if !refunds.isEmpty, refunds.allSatisfy({ $0 == .refunded }) { return .refunded }
        if isDelivered(matter) { return .delivered }
        if !matter.charges.isEmpty { return .paid }
        let attempts = attempts(of: matter)
        if isReported(matter, attempts) { return .reported }
        let last = lastAttempt(in: attempts, withOutcomes: false)
        switch last?.state {
        case .deferred: return .deferred
        case .cancelled: return .cancelled
        case .failed: return .failed
        case .purchasing:
            let heard = attempts.map(\.stamp.receivedAt).max() ?? .min
            return heard + OraclePolicy.abandoned <= now ? .abandoned : .purchasing
        case .purchased, .restored, .finished, nil:
            let created = matter.orders.compactMap { knowledge.orders[$0]?.created?.receivedAt }
                .max()
            guard let created else { return .created }
            return created + OraclePolicy.abandoned <= now ? .abandoned : .created
        }
    }

    /// All that is owed was delivered; where nothing is owed, something was.
    private func isDelivered(_ matter: Matter) -> Bool {
        let owed = matter.charges.filter { $0.transaction.snapshot?.refund != .refunded }
        guard owed.isEmpty else { return owed.allSatisfy(\.isCovered) }
        return deliveries(of: matter).contains { knowledge.deliveries[$0]?.stands == true }
    }

    private func isReported(_ matter: Matter, _ attempts: [KnownAttempt]) -> Bool {
        matter.transactions.contains(where: \.known.isReported)
            || attempts.contains { attempt in
                switch attempt.state {
                case .purchased, .finished: true
                case .purchasing, .deferred, .cancelled, .failed, .restored: false
                }
            }
    }
}
