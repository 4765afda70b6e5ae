/// A charge with its verdict (domain, section 6, A).
struct JudgedCharge {
    /// The transaction that speaks: of a subscription its current period.
    let transaction: Conclusion
    let verdict: ExpectedVerdict
    /// Whether what stands delivered, or an active subscription, covers what was signed.
    let isCovered: Bool
}

/// The oracle's rules as of one instant.
struct Judge {
    let knowledge: Knowledge
    let conclusions: Conclusions
    let orphans: OrphanIndex
    let now: Int64

    // MARK: One charge

    /// Where a subscription stands.
    private enum Access {
        case active
        case grace
        case over
    }

    func judge(_ charge: Conclusion, claimant: String?) -> JudgedCharge {
        let isSubscription = charge.snapshot?.isSubscription == true
        let (period, access) = isSubscription ? currentPeriod(of: charge) : (charge, nil)
        let goods = goods(of: period)
        let isServed = goods.withOwner >= period.quantity
        let isActive = access == .active && goods.count == 0
        let verdict: ExpectedVerdict =
            if let claimant, let owner = period.owner, owner.account != claimant {
                .notClaimants
            } else if period.snapshot?.refund == .refunded {
                .refunded
            } else if goods.withOthers > 0, !isServed {
                .deliveredToOther
            } else if access == .over {
                .lapsed
            } else if isServed || isActive {
                .delivered
            } else if access == .grace || goods.isRequested || isFresh(period) {
                .pending
            } else {
                .paidNotDelivered
            }
        return JudgedCharge(
            transaction: period, verdict: verdict, isCovered: isServed || isActive)
    }

    /// Within the grace from the later of purchase and proof.
    private func isFresh(_ charge: Conclusion) -> Bool {
        let begun = max(
            charge.snapshot?.transaction.purchaseDate ?? .min,
            charge.known.verified?.receivedAt ?? .min)
        return now < begun + OraclePolicy.deliveryGrace
    }

    // MARK: Subscriptions

    /// The current period is the unrefunded one bought last; when that is over, all are, and the
    /// last speaks.
    private func currentPeriod(of charge: Conclusion) -> (Conclusion, Access) {
        let periods = conclusions.family(of: charge.originalId).filter { period in
            period.isCharge && (period.snapshot?.transaction.purchaseDate ?? .max) <= now
        }
        let last = periods.last ?? charge
        guard let current = periods.last(where: { $0.snapshot?.refund != .refunded }) else {
            return (last, access(to: last))
        }
        let access = access(to: current)
        return access == .over ? (last, self.access(to: last)) : (current, access)
    }

    private func access(to period: Conclusion) -> Access {
        guard let end = period.snapshot?.transaction.expiresDate, end <= now else { return .active }
        let grace = knowledge.renewals[period.originalId]?.state.graceExpires
        if let grace, grace > end, now < grace { return .grace }
        return .over
    }

    // MARK: Goods

    /// What was delivered for a charge.
    private struct Goods {
        var count = 0
        var withOwner: Int64 = 0
        var withOthers: Int64 = 0
        /// A request that nobody answered yet is open.
        var isRequested = false
    }

    private func goods(of charge: Conclusion) -> Goods {
        var goods = Goods()
        for index in charge.known.deliveries.sorted() {
            let delivery = knowledge.life.deliveries[index]
            let isSame = delivery.product == charge.snapshot?.transaction.product
            guard isSame, let told = knowledge.deliveries[index] else { continue }
            goods.count += 1
            goods.isRequested = goods.isRequested || isOpen(told)
            guard told.stands else { continue }
            let account = knowledge.life.accounts[delivery.account].id
            if let owner = charge.owner, owner.account != account {
                goods.withOthers += delivery.quantity
            } else {
                goods.withOwner += delivery.quantity
            }
        }
        return goods
    }

    private func isOpen(_ delivery: KnownDelivery) -> Bool {
        guard let asked = delivery.requested, delivery.succeeded == nil, delivery.reversed == nil
        else { return false }
        if let failed = delivery.failed, failed > asked { return false }
        return now < asked.receivedAt + OraclePolicy.deliveryRequestOpen
    }
}
