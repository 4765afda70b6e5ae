extension TransactionReading {
    /// Under which identity it entitles somebody: renewals and restores are those of their
    /// original. `nil` where it entitles nobody.
    var entitlementId: String? {
        switch kind {
        case .unverified, .elsewhere, .unclear: nil
        case .shared, .restore, .charge:
            snapshot.isAutoRenewable || snapshot.isRestore(of: id) ? originalId : id
        }
    }

    /// Whether what it gave was taken back; a refund in part takes nothing away.
    fileprivate var endedAs: Entitlement.State? {
        switch snapshot.refundWord {
        case .none, .refundedInPart: nil
        case .refunded: .refunded
        case .withdrawn: .withdrawn
        case .upgraded: .superseded
        case .familyRevoked: .revoked
        }
    }
}

extension CaseFile {
    /// The entitlement of that identity; `nil` when nothing proves one.
    func entitlement(_ id: String) -> Entitlement? {
        let ids = unique([id] + (subscription(id)?.transactions.keys ?? []))
        let members = ids.compactMap { reading($0) }.filter { sameBytes($0.entitlementId, id) }
        let periods = members.filter(\.snapshot.isAutoRenewable)
            .sorted { $0.purchaseOrder < $1.purchaseOrder }
        if !periods.isEmpty { return subscriptionEntitlement(id, periods) }
        return members.max { Self.speaksAfter($0, $1, of: id) }.map { goods(id, $0) }
    }

    /// Of the copies of one purchase a signed transaction speaks before a receipt, then the one
    /// signed last; of one instant the original.
    private static func speaksAfter(
        _ left: TransactionReading, _ right: TransactionReading, of id: String
    ) -> Bool {
        if left.isSigned != right.isSigned { return right.isSigned }
        let (a, b) = (left.snapshot.signedDate ?? .min, right.snapshot.signedDate ?? .min)
        if a != b { return a < b }
        if sameBytes(left.id, id) != sameBytes(right.id, id) { return sameBytes(right.id, id) }
        return bytesPrecede(left.id, right.id)
    }

    // MARK: What is bought once

    private func goods(_ id: String, _ speaker: TransactionReading) -> Entitlement {
        let begun = speaker.snapshot.purchaseDate.map { clock.hasReached($0) } ?? true
        return entitlement(
            id, speaker, state: speaker.endedAs ?? (begun ? .active : .upcoming),
            until: speaker.endedAs == nil ? nil : speaker.snapshot.revocationDate)
    }

    // MARK: Subscriptions

    /// The current period is the one that was bought last and not taken back; an earlier one never
    /// comes back because a later one ended (domain: entitlement).
    private func subscriptionEntitlement(
        _ id: String, _ periods: [TransactionReading]
    ) -> Entitlement? {
        let begun = periods.filter { clock.hasReached($0.snapshot.purchaseDate ?? .min) }
        guard let last = begun.last else {
            return periods.first.map { entitlement(id, $0, state: .upcoming, until: nil) }
        }
        let current = begun.last { $0.endedAs == nil }
        if let current {
            switch access(of: current) {
            case .active(let end):
                return entitlement(id, current, state: .active, until: end)
            case .grace(let end): return entitlement(id, current, state: .grace, until: end)
            case .over(let since):
                guard let ended = last.endedAs else {
                    let isRetrying = renewal(of: current)?.isInBillingRetryPeriod == true
                    return entitlement(
                        id, current, state: isRetrying ? .billingRetry : .expired, until: since)
                }
                return entitlement(id, last, state: ended, until: last.snapshot.revocationDate)
            }
        }
        return entitlement(
            id, last, state: last.endedAs ?? .expired, until: last.snapshot.revocationDate)
    }

    private func renewal(of period: TransactionReading) -> RenewalSnapshot? {
        subscription(period.originalId)?.renewals[period.snapshot.environment ?? ""]?.told
    }

    // MARK: Parts

    private func entitlement(
        _ id: String, _ speaker: TransactionReading, state: Entitlement.State, until: Int64?
    ) -> Entitlement {
        let snapshot = speaker.snapshot
        let kind = Entitlement.Kind(type: snapshot.type)
        let renewal = kind == .autoRenewable ? renewal(of: speaker) : nil
        let next = renewal?.autoRenewProductId
        let isDebt = kind == .consumable && state == .refunded
        let standing = isDebt ? saturatingSum(shares(of: speaker).map(\.standing)) : 0
        return Entitlement(
            id: id, transactionId: speaker.id, productId: snapshot.productId, kind: kind,
            basis: snapshot.isShared ? .shared : .purchased, state: state,
            quantity: speaker.quantity, since: snapshot.purchaseDate, until: until,
            willRenew: renewal?.autoRenewStatus.map { $0 == 1 },
            nextProductId: sameBytes(next, snapshot.productId) ? nil : next,
            debt: standing, account: speaker.owner?.account)
    }
}

extension Entitlement.Kind {
    fileprivate init(type: String?) {
        switch type {
        case "Consumable": self = .consumable
        case "Non-Consumable": self = .nonConsumable
        case "Non-Renewing Subscription": self = .nonRenewing
        case TransactionSnapshot.autoRenewable: self = .autoRenewable
        default: self = .unknown
        }
    }
}
