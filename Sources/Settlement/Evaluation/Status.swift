extension OrderStatus {
    init(_ subject: Subject, _ attempts: AttemptSummary, in file: CaseFile) {
        let orders = subject.orderFacts(in: file)
        attempt = attempts.mark
        payment = Self.payment(subject, attempts)
        delivery = Self.delivery(subject, in: file)
        let finished =
            (subject.charges.isEmpty
            ? subject.transactions : subject.charges.map(\.reading))
            .map { $0.facts.reports.contains { $0.value.finished.isTold } }
        isFinished = !finished.isEmpty && finished.allSatisfy { $0 }
        isCancelled = orders.contains { $0.cancelled.first != nil }
        headline =
            subject.isKnown
            ? Self.headline(
                attempt, payment, delivery, Self.isAbandoned(orders, attempts, in: file))
            : .none
    }

    private static func payment(_ subject: Subject, _ attempts: AttemptSummary) -> Payment {
        let words = subject.charges.map(\.snapshot.refundWord)
        guard !words.isEmpty else {
            let isReported =
                attempts.isReported || subject.transactions.contains(where: \.isReported)
            return isReported ? .reported : .none
        }
        if words.allSatisfy({ $0 == .refunded }) { return .refunded }
        return words.contains { $0 == .refunded || $0 == .refundedInPart } ? .refundedInPart : .paid
    }

    private static func delivery(_ subject: Subject, in file: CaseFile) -> Delivery {
        let deliveries = subject.deliveries(in: file).map(\.facts)
        let owed = subject.charges.filter { $0.snapshot.refundWord != .refunded }
        let stands = deliveries.contains { $0.standing > 0 }
        if owed.isEmpty ? stands : owed.allSatisfy(\.conditions.isCovered) { return .delivered }
        if stands { return .part }
        if deliveries.contains(where: \.isReversed) { return .reversed }
        return deliveries.contains { $0.requested.first != nil } ? .requested : .none
    }

    /// Nobody paid, and nothing was heard for the policy's time.
    private static func isAbandoned(
        _ orders: [OrderFacts], _ attempts: AttemptSummary, in file: CaseFile
    ) -> Bool {
        let begun = attempts.mark == .purchasing ? attempts.lastStamp : nil
        let created = attempts.mark == .none ? orders.compactMap(\.created.stamp).max() : nil
        guard let last = begun ?? created else { return false }
        return file.clock.hasReached(shifted(last.receivedAt, by: file.policy.abandoned))
    }

    private static func headline(
        _ attempt: Attempt, _ payment: Payment, _ delivery: Delivery, _ isAbandoned: Bool
    ) -> Headline {
        if payment == .refunded { return .refunded }
        if delivery == .delivered { return .delivered }
        switch payment {
        case .paid, .refundedInPart, .refunded: return .paid
        case .reported: return .reported
        case .none: break
        }
        switch attempt {
        case .deferred: return .deferred
        case .purchasing: return isAbandoned ? .abandoned : .purchasing
        case .failed: return .failed
        case .cancelled: return .cancelled
        case .none: return isAbandoned ? .abandoned : .created
        }
    }
}
