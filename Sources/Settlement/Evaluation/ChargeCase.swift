/// One charge with everything that its verdict rests on.
struct ChargeCase {
    let reading: TransactionReading
    let subscription: SubscriptionState?
    let shares: [Share]
    private(set) var conditions = ChargeConditions()
    private(set) var verdict = VerdictCode.paidNotDelivered
    /// Until when a `pending` charge is waited for.
    private(set) var waitUntil: Int64?

    var id: String { reading.id }
    var snapshot: TransactionSnapshot { reading.snapshot }
    var orderNumber: String? { reading.links.best?.orderNumber }

    /// What stands with the owner, or with nobody named.
    var delivered: Int64 { saturatingSum(shares.filter { !goesToAnother($0) }.map(\.standing)) }
    /// What stands with another account.
    var misdelivered: Int64 { saturatingSum(shares.filter(goesToAnother).map(\.standing)) }
    var missing: Int64 { max(0, reading.quantity - delivered) }
    var reversals: Int { shares.count { $0.facts.isReversed } }

    func goesToAnother(_ share: Share) -> Bool {
        guard let owner = reading.owner, let account = share.facts.account else { return false }
        return !sameBytes(owner.account, account)
    }

    init(_ charge: TransactionReading, claimant: String?, in file: CaseFile) {
        let state = charge.snapshot.isAutoRenewable ? file.subscriptionState(of: charge) : nil
        reading = state?.charge ?? charge
        subscription = state
        shares = file.shares(of: reading)
        judge(claimant, in: file)
    }

    private mutating func judge(_ claimant: String?, in file: CaseFile) {
        if let claimant, let owner = reading.owner {
            conditions.belongsToAnother = !sameBytes(claimant, owner.account)
        }
        conditions.isRefunded = snapshot.refundWord == .refunded
        conditions.isCovered = delivered >= reading.quantity
        conditions.standsWithAnother = misdelivered > 0 && !conditions.isCovered
        var deadlines = shares.compactMap { $0.facts.openUntil(file.policy) }
        deadlines.append(graceEnd(file.policy))
        if let subscription {
            let countsDeliveries =
                file.bundleSettings.subscriptionDeliveriesReported || !shares.isEmpty
            switch subscription.access {
            case .active: if !countsDeliveries { conditions.isCovered = true }
            case .grace(let end): deadlines.append(end)
            case .over: conditions.isOver = true
            }
        }
        let open = deadlines.filter { !file.clock.hasReached($0) }
        conditions.isAwaited = !open.isEmpty
        verdict = file.rules.verdict(conditions)
        waitUntil = verdict == .pending ? open.max() : nil
    }

    /// The end of the delivery grace, from the later of purchase and proof.
    private func graceEnd(_ policy: Policy) -> Int64 {
        let begun = max(
            snapshot.purchaseDate ?? .min, reading.facts.verified.stamp?.receivedAt ?? .min)
        return shifted(begun, by: policy.deliveryGrace)
    }
}
