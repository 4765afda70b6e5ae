internal import JSON

/// Stories of subscriptions.
extension SampleWorld {
    mutating func tellSubscriptions() {
        lapsed()
        refundOfAnOldPeriod()
        renewed()
    }

    /// A period of a subscription that began `days` before the day, and is `length` days long.
    private mutating func period(
        of order: SampleOrder, daysAgo days: Int64, length: Int64,
        after first: SampleTransaction? = nil
    ) -> SampleTransaction {
        let begin = dayStart - days * SampleInstant.day + 9 * SampleInstant.hour
        var transaction = charge(order.customer, order.product, at: begin, order: order)
        transaction.originalId = first?.id
        transaction.originalPurchaseDate = first?.purchaseDate ?? transaction.purchaseDate
        transaction.reason = first == nil ? "PURCHASE" : "RENEWAL"
        transaction.expiresDate = transaction.purchaseDate + length * SampleInstant.day
        return transaction
    }

    /// The order of a subscription, and its first period.
    private mutating func subscribe(
        _ product: SampleProduct, daysAgo days: Int64, length: Int64
    ) -> (SampleOrder, SampleTransaction) {
        let created = dayStart - days * SampleInstant.day + 9 * SampleInstant.hour - 60_000
        let order = order(customer(), product, at: created, uuid: true)
        let first = period(of: order, daysAgo: days, length: length)
        notify(
            "SUBSCRIBED", subtype: "INITIAL_BUY", first,
            renewal: SampleRenewal(transaction: first, willRenew: true), status: 1,
            at: first.purchaseDate + 3_000)
        return (order, first)
    }

    /// The card failed, Apple tried again for a week, and gave up this morning.
    private mutating func lapsed() {
        let (order, first) = subscribe(SampleCatalogue.monthly, daysAgo: 37, length: 30)
        let expires = first.expiresDate ?? first.purchaseDate
        var renewal = SampleRenewal(transaction: first, willRenew: true, expirationIntent: 2)
        renewal.isInBillingRetry = true
        notify("DID_FAIL_TO_RENEW", first, renewal: renewal, status: 3, at: expires + 60_000)
        renewal = SampleRenewal(transaction: first, willRenew: false, expirationIntent: 2)
        notify(
            "EXPIRED", subtype: "BILLING_RETRY", first, renewal: renewal, status: 2, at: instant(6))
        claim("I pay for the club and am locked out.", of: order, "lapsed")
    }

    /// Last year's period was refunded; this year's is paid and active.
    private mutating func refundOfAnOldPeriod() {
        let (order, first) = subscribe(SampleCatalogue.yearly, daysAgo: 375, length: 365)
        let current = period(of: order, daysAgo: 10, length: 365, after: first)
        notify(
            "DID_RENEW", current, renewal: SampleRenewal(transaction: current, willRenew: true),
            status: 1, at: current.purchaseDate + 2_000)
        var refunded = first
        refunded.revocation = .init(date: instant(7), reason: 0)
        notify("REFUND", refunded, status: 1, at: instant(12))
        claim("Is my club membership gone after the refund?", of: order, "delivered")
    }

    /// A renewal three days ago, which the customer names by its transaction.
    private mutating func renewed() {
        let (order, first) = subscribe(SampleCatalogue.yearly, daysAgo: 368, length: 365)
        let current = period(of: order, daysAgo: 3, length: 365, after: first)
        notify(
            "DID_RENEW", current, renewal: SampleRenewal(transaction: current, willRenew: true),
            status: 1, at: current.purchaseDate + 2_000)
        claim("I was charged for a year and see nothing.", by: order.customer.account, "delivered")
        {
            $0.member("transactionId", current.id)
        }
    }
}
