/// Where an auto-renewable subscription stands: one charge, whatever it was renewed.
struct SubscriptionState {
    /// How far access goes.
    enum Access: Equatable {
        /// Until the instant, or without a known end.
        case active(until: Int64?)
        /// Apple asks to keep the service up while it tries to bill.
        case grace(until: Int64)
        case over(since: Int64)
    }

    /// The charge that speaks: the current period, or the last when all are over.
    let charge: TransactionReading
    let access: Access
}

extension CaseFile {
    /// The state of the subscription that a charge belongs to.
    ///
    /// The current period is the unrefunded charge with the greatest purchase date not after now;
    /// an earlier one never comes back because a later one ended.
    func subscriptionState(of charge: TransactionReading) -> SubscriptionState {
        let periods = periods(ofOriginal: charge.originalId, or: charge)
        let begun = periods.filter { clock.hasReached($0.snapshot.purchaseDate ?? .min) }
        let last = begun.last ?? periods.last ?? charge
        guard let current = begun.last(where: { $0.snapshot.refundWord != .refunded }) else {
            return SubscriptionState(charge: last, access: access(of: last))
        }
        let access = access(of: current)
        if case .over = access {
            return SubscriptionState(charge: last, access: self.access(of: last))
        }
        return SubscriptionState(charge: current, access: access)
    }

    private func periods(
        ofOriginal original: String, or charge: TransactionReading
    ) -> [TransactionReading] {
        let ids = subscription(original)?.transactions.keys ?? [charge.id]
        return ids.compactMap { reading($0) }.filter(\.isCharge)
            .sorted { $0.purchaseOrder < $1.purchaseOrder }
    }

    private func access(of period: TransactionReading) -> SubscriptionState.Access {
        guard let end = period.snapshot.expiresDate else { return .active(until: nil) }
        guard clock.hasReached(end) else { return .active(until: end) }
        let environment = period.snapshot.environment ?? ""
        let renewal = subscription(period.originalId)?.renewals[environment]?.told
        if let grace = renewal?.gracePeriodExpiresDate, grace > end, !clock.hasReached(grace) {
            return .grace(until: grace)
        }
        return .over(since: end)
    }
}
