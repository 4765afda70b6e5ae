internal import JSON

/// Stories of one-time payments: delivered, refunded, in part, for free, and late.
extension SampleWorld {
    mutating func tellPayments() {
        delivered()
        refundedBeforeSeen()
        refundReversed()
        refundedInPart()
        twoOfFive()
        chargedTwice()
        smallPackWithBigToken()
        restored()
        askedToBuy()
        boughtAfterCancellation()
        goodwill()
        offerCode()
        neverHeardOf()
    }

    /// An order with a UUID, paid and told by Apple.
    private mutating func paid(
        _ product: SampleProduct, at start: Int64, quantity: Int64 = 1
    ) -> (SampleOrder, SampleTransaction) {
        let order = order(customer(), product, at: start, uuid: true, quantity: quantity)
        attempt(order, at: start + 3_000)
        let transaction = charge(
            order.customer, product, at: start + 25_000, order: order, quantity: quantity)
        notify("ONE_TIME_CHARGE", transaction, at: start + 26_000)
        return (order, transaction)
    }

    private mutating func delivered() {
        let start = instant(1, spread: 16)
        let (order, transaction) = paid(SampleCatalogue.gems1200, at: start)
        purchased(
            transaction, username: order.number, proof: signed(transaction, at: start + 27_000),
            at: start + 28_000)
        deliver(
            order.product, to: order.customer.account, order: order, transaction: transaction,
            at: start + 31_000)
        finished(transaction, username: order.number, acknowledged: true, at: start + 33_000)
        claim("Where are my gems?", of: order, "delivered")
    }

    /// The refund is told before the purchase, and still wins.
    private mutating func refundedBeforeSeen() {
        let start = instant(2, spread: 10)
        let order = order(customer(), SampleCatalogue.gems1200, at: start, uuid: true)
        let transaction = charge(order.customer, order.product, at: start + 20_000, order: order)
        var refunded = transaction
        refunded.revocation = .init(date: start + 2 * SampleInstant.hour, reason: 0)
        notify("REFUND", refunded, at: start + 2 * SampleInstant.hour + 1_000)
        let signedEarlier = signed(transaction, at: start + 21_000)
        purchased(
            transaction, username: order.number, proof: signedEarlier,
            at: start + 3 * SampleInstant.hour)
        deliverAndReverse(
            transaction, for: order, at: start + 40_000, reversedAt: start + 4 * SampleInstant.hour)
        claim("You took my gems away.", of: order, "refunded")
    }

    /// Refunded, taken back, and then Apple reversed the refund: it is owed again.
    private mutating func refundReversed() {
        let start = instant(1, spread: 6)
        let (order, transaction) = paid(SampleCatalogue.gems1200, at: start)
        var refunded = transaction
        refunded.revocation = .init(date: start + 3 * SampleInstant.hour, reason: 1)
        notify("REFUND", refunded, at: start + 3 * SampleInstant.hour + 1_000)
        deliverAndReverse(
            transaction, for: order, at: start + 40_000, reversedAt: start + 4 * SampleInstant.hour)
        notify("REFUND_REVERSED", transaction, at: start + 6 * SampleInstant.hour)
        claim(
            "The refund was cancelled, so give me my gems back.", of: order, "paid-not-delivered")
    }

    /// 30 % refunded, nothing delivered.
    private mutating func refundedInPart() {
        let start = instant(3, spread: 8)
        let (order, transaction) = paid(SampleCatalogue.gems1200, at: start)
        var refunded = transaction
        refunded.revocation = .init(
            date: start + 2 * SampleInstant.hour, reason: 0, percentage: 30_000)
        notify("REFUND", refunded, at: start + 2 * SampleInstant.hour + 1_000)
        claim("I got a part of my money back and no gems.", of: order, "paid-not-delivered")
    }

    private mutating func twoOfFive() {
        let start = instant(4, spread: 12)
        let (order, transaction) = paid(SampleCatalogue.gems100, at: start, quantity: 5)
        deliver(
            order.product, to: order.customer.account, order: order, transaction: transaction,
            quantity: 2, at: start + 32_000)
        claim("I bought five packs and got two.", of: order, "paid-not-delivered")
    }

    /// One order, two payments, one delivery.
    private mutating func chargedTwice() {
        let start = instant(5, spread: 12)
        let (order, transaction) = paid(SampleCatalogue.gems1200, at: start)
        deliver(
            order.product, to: order.customer.account, order: order, transaction: transaction,
            at: start + 33_000)
        let again = charge(order.customer, order.product, at: start + 95_000, order: order)
        notify("ONE_TIME_CHARGE", again, at: start + 96_000)
        claim("My bank shows the payment twice.", of: order, "charged-twice")
    }

    /// The small pack, paid with the token of an order for the big one: the signed product is owed.
    private mutating func smallPackWithBigToken() {
        let start = instant(6, spread: 12)
        let order = order(customer(), SampleCatalogue.gems1200, at: start, uuid: true)
        let transaction = charge(
            order.customer, SampleCatalogue.gems100, at: start + 25_000, order: order)
        purchased(
            transaction, username: order.number, proof: signed(transaction, at: start + 26_000),
            at: start + 27_000)
        claim(
            "I ordered 1200 gems and got none.", of: order, "paid-not-delivered",
            remark: "product-mismatch")
    }

    /// A non-consumable, restored on a new phone: it is the same entitlement.
    private mutating func restored() {
        let start = instant(2, spread: 10)
        let (order, transaction) = paid(SampleCatalogue.noAds, at: start)
        deliver(
            order.product, to: order.customer.account, order: order, transaction: transaction,
            at: start + 30_000)
        let later = start + 5 * SampleInstant.hour
        var restore = charge(order.customer, order.product, at: later)
        restore.originalId = transaction.id
        restore.originalPurchaseDate = transaction.purchaseDate
        let proof = signed(restore, at: later)
        device(order.customer, "storekit.restored", at: later + 1_000) { json in
            json.member("productId", restore.product.id)
            json.member("transactionId", restore.id)
            json.member("originalTransactionId", transaction.id)
            json.member("signedTransaction", String(decoding: proof, as: UTF8.self))
        }
        claim("I restored my purchase and still see ads.", of: order, "delivered")
    }

    /// A child asked its parents, who have not answered.
    private mutating func askedToBuy() {
        let start = instant(12, spread: 8)
        let order = order(customer(), SampleCatalogue.gems100, at: start)
        attempt(order, at: start + 2_000)
        attempt(order, "storekit.deferred", at: start + 4_000)
        claim("I bought gems an hour ago!", of: order, "pending")
    }

    /// The parents agreed in the evening; the platform had given the order up.
    private mutating func boughtAfterCancellation() {
        let start = instant(0, spread: 1)
        let order = order(customer(), SampleCatalogue.gems100, at: start, uuid: true)
        attempt(order, at: start + 2_000)
        attempt(order, "storekit.deferred", at: start + 4_000)
        cancel(order, at: start + SampleInstant.hour)
        let approved = start + 20 * SampleInstant.hour
        let transaction = charge(order.customer, order.product, at: approved, order: order)
        notify("ONE_TIME_CHARGE", transaction, at: approved + 1_000)
        claim("Mum said yes, Apple took the money.", of: order, "paid-not-delivered")
    }

    /// Nothing was paid; support gave the goods away.
    private mutating func goodwill() {
        let start = instant(8, spread: 8)
        let order = order(customer(), SampleCatalogue.gems100, at: start)
        event("support", "goodwill.granted", "goodwill/\(order.number)", at: start + 60_000) {
            json in
            json.member("account", order.customer.account)
            json.member("orderNumber", order.number)
            json.member("productId", order.product.id)
            json.member("quantity", Int64(1))
            json.member("reason", "a day without servers")
        }
        deliver(
            order.product, to: order.customer.account, order: order, grant: "goodwill",
            at: start + 65_000)
        claim("Did I get the gift you promised?", of: order, "delivered")
    }

    /// Redeemed in the App Store, so no order was ever made; the customer can name no number.
    private mutating func offerCode() {
        let start = instant(9, spread: 8)
        let customer = customer()
        let product = SampleCatalogue.starterPack
        var transaction = charge(customer, product, at: start)
        transaction.offerType = 3
        notify("ONE_TIME_CHARGE", transaction, at: start + 2_000)
        let claimedAt = start + random.number(0...SampleInstant.hour)
        claim("I redeemed a code for the starter pack.", by: customer.account, "payment-unlinked") {
            json in
            json.member("productId", product.id)
            json.member("amount", product.price)
            json.member("currency", "USD")
            json.member("claimedAt", claimedAt)
        }
    }

    private mutating func neverHeardOf() {
        let number = plainOrderNumber()
        claim("Order \(number) did not arrive.", by: customer().account, "unknown") { json in
            json.member("applicationUsername", number)
        }
        let apple = "MQ" + random.uuid().uppercased().filter { $0 != "-" }.prefix(8)
        claim("Here is the order id from Apple's e-mail.", by: customer().account, "unknown") {
            json in
            json.member("orderId", String(apple))
        }
    }
}
