/// A subscription under way.
struct SubscriptionPath {
    /// The period that runs: index into `Life.transactions`.
    var current: Int
    /// When it ends.
    var periodEnd: Int64
    /// How many periods it has had.
    var periods = 1
    var isOver = false
}

/// Renewals, grace, billing retry, upgrades and ends.
extension LifeBuilder {
    /// Longest subscription, in periods.
    private static let periodsMax = 40
    /// Most subscriptions of a circle that follow each other.
    private static let pathsMax = 24

    /// The first period of a subscription, or of an upgrade, or after one that had ended.
    mutating func subscribe(_ index: Int, at instant: Int64) {
        let transaction = life.transactions[index]
        let mine = subscriptions.lastIndex {
            life.transactions[$0.current].appleAccount == transaction.appleAccount
        }
        var type = "SUBSCRIBED"
        var subtype = "INITIAL_BUY"
        if let mine {
            let before = subscriptions[mine].current
            life.transactions[index].originalId = life.transactions[before].originalId
            life.transactions[index].originalPurchaseDate =
                life.transactions[before].originalPurchaseDate
            let runs = life.subscription(of: transaction.appleAccount, at: instant - 1)
            if subscriptions[mine].isOver || runs == nil {
                subtype = "RESUBSCRIBE"
                // Often bought in the system's settings, where no app gives a token (java#135).
                if random.percent(30) { life.transactions[index].token = nil }
            } else {
                type = "DID_CHANGE_RENEWAL_PREF"
                subtype = "UPGRADE"
                life.transactions[before].upgradedAt = transaction.purchaseDate
            }
            subscriptions[mine].isOver = true
        }
        subscriptions.append(
            SubscriptionPath(current: index, periodEnd: transaction.expiresDate ?? instant))
        notify(
            Announcement(
                type, subtype: subtype, index, renewal: renewal(of: index), status: 1),
            at: instant + 1_000)
    }

    /// What happens at the end of every period up to an instant.
    mutating func renewSubscriptions(until instant: Int64) {
        var path = 0
        // Who comes back begins another path, so there may be more of them on the way.
        while path < subscriptions.count {
            while !subscriptions[path].isOver, subscriptions[path].periodEnd <= instant {
                endPeriod(of: path)
            }
            path += 1
        }
    }

    private mutating func endPeriod(of path: Int) {
        let current = subscriptions[path].current
        let isLast =
            life.transactions[current].revocation != nil
            || subscriptions[path].periods >= Self.periodsMax
        switch isLast ? 0 : random.below(100) {
        case 0..<14: lapse(path)
        case 14..<28: failToRenew(path)
        case 28..<32: downgrade(path)
        default: renew(path, at: subscriptions[path].periodEnd)
        }
    }

    /// The next period, paid at `instant`.
    private mutating func renew(
        _ path: Int, at instant: Int64, subtype: String? = nil, product: World.Product? = nil
    ) {
        let before = life.transactions[subscriptions[path].current]
        guard happens(instant) else {
            subscriptions[path].isOver = true
            return
        }
        let product = product ?? before.product
        var period = newTransaction(
            product, appleAccount: before.appleAccount, price: before.storefront.price(of: product),
            at: instant, owner: before.owner, originalId: before.originalId)
        period.originalPurchaseDate = before.originalPurchaseDate
        period.token = before.token
        period.order = before.order
        period.isRenewal = true
        life.transactions.append(period)
        let index = life.transactions.count - 1
        subscriptions[path].current = index
        subscriptions[path].periodEnd = period.expiresDate ?? end
        subscriptions[path].periods += 1
        notify(
            Announcement(
                "DID_RENEW", subtype: subtype, index, renewal: renewal(of: index), status: 1),
            at: after(instant, Span.second...20 * Span.second))
        if random.percent(30) { tellRenewal(index, at: after(instant, Span.minute...Span.day)) }
        askForRefund(index, at: instant)
    }

    /// The client hears of it at its next start; the app gave no name to it.
    private mutating func tellRenewal(_ index: Int, at instant: Int64) {
        guard happens(instant) else { return }
        let account = life.transactions[index].owner
        let phone = installation(of: account)
        let username = life.app.numbering == .account ? life.accounts[account].id : nil
        callback(
            index, by: account, on: phone, username: username,
            proof: proof(of: index, on: phone, at: instant), at: instant)
        finish(
            index, by: account, on: phone, username: username, acknowledged: true,
            at: instant + 8_000)
    }

    /// The customer had cancelled some time before.
    private mutating func lapse(_ path: Int) {
        let current = subscriptions[path].current
        let expires = subscriptions[path].periodEnd
        let begin = life.transactions[current].purchaseDate
        let cancelled = after(begin, Span.hour...max(2 * Span.hour, expires - begin - Span.hour))
        var state = renewal(of: current)
        state.willRenew = false
        notify(
            Announcement(
                "DID_CHANGE_RENEWAL_STATUS", subtype: "AUTO_RENEW_DISABLED", current,
                renewal: state, status: 1), at: cancelled)
        state.expirationIntent = 1
        notify(
            Announcement(
                "EXPIRED", subtype: "VOLUNTARY", current, renewal: state, status: 2),
            at: expires + 5_000)
        grievances.append(
            Grievance(
                .lapsed, by: life.transactions[current].owner, transaction: current, at: expires))
        subscriptions[path].isOver = true
        if random.percent(25) {
            comeBack(to: current, at: after(expires, Span.hour...8 * Span.day))
        }
    }

    /// Subscribes anew in the system's settings, where no order is made.
    private mutating func comeBack(to former: Int, at instant: Int64) {
        guard happens(instant), subscriptions.count < Self.pathsMax else { return }
        let before = life.transactions[former]
        let transaction = newTransaction(
            before.product, appleAccount: before.appleAccount,
            price: before.storefront.price(of: before.product), at: instant, owner: before.owner)
        life.transactions.append(transaction)
        subscribe(life.transactions.count - 1, at: instant)
    }

    /// The bank refuses: grace in half of the cases, then Apple tries on.
    private mutating func failToRenew(_ path: Int) {
        let current = subscriptions[path].current
        let expires = subscriptions[path].periodEnd
        let hasGrace = random.percent(50)
        let graceEnd = expires + 6 * Span.day
        var state = renewal(of: current)
        state.expirationIntent = 2
        state.isInBillingRetry = true
        state.graceExpires = hasGrace ? graceEnd : nil
        notify(
            Announcement(
                "DID_FAIL_TO_RENEW", subtype: hasGrace ? "GRACE_PERIOD" : nil, current,
                renewal: state, status: hasGrace ? 4 : 3), at: expires + 4_000)
        let recovery = random.below(100)
        if recovery < 35 {
            let recovered = after(expires, Span.hour...5 * Span.day)
            return renew(
                path, at: hasGrace ? max(expires, recovered) : recovered,
                subtype: "BILLING_RECOVERY")
        }
        state.graceExpires = nil
        if hasGrace {
            notify(
                Announcement("GRACE_PERIOD_EXPIRED", current, renewal: state, status: 3),
                at: graceEnd + 3_000)
        }
        if recovery < 55 {
            return renew(
                path, at: after(graceEnd, Span.hour...20 * Span.day), subtype: "BILLING_RECOVERY")
        }
        state.isInBillingRetry = false
        notify(
            Announcement(
                "EXPIRED", subtype: "BILLING_RETRY", current, renewal: state, status: 2),
            at: expires + 60 * Span.day)
        grievances.append(
            Grievance(
                .lapsed, by: life.transactions[current].owner, transaction: current,
                at: hasGrace ? graceEnd : expires))
        subscriptions[path].isOver = true
    }

    /// The customer chose a lesser product, from the next period on.
    private mutating func downgrade(_ path: Int) {
        let current = subscriptions[path].current
        let product = life.transactions[current].product
        let lesser = World.Product.subscriptions.last { $0.cents < product.cents }
        if let lesser {
            var state = renewal(of: current)
            state.next = lesser
            notify(
                Announcement(
                    "DID_CHANGE_RENEWAL_PREF", subtype: "DOWNGRADE", current, renewal: state,
                    status: 1), at: subscriptions[path].periodEnd - Span.hour)
        }
        renew(path, at: subscriptions[path].periodEnd, product: lesser)
    }

    private func renewal(of index: Int) -> World.RenewalState {
        let transaction = life.transactions[index]
        return World.RenewalState(
            next: transaction.product, willRenew: true, expirationIntent: nil,
            isInBillingRetry: false, graceExpires: nil, renewalDate: transaction.expiresDate)
    }
}
