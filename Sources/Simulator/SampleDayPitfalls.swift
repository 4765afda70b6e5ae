internal import JSON

/// The stories of the four pitfalls (P1 to P4) of the domain.
extension SampleWorld {
    mutating func tellPitfalls() {
        finishedBeforeVerified()
        finishedThenProven()
        noObserver()
        flood()
        lostOrderNumber()
        deliveredOnAnotherPhone()
        unfinishedBlocksRepurchase()
        finishedBlindly()
    }

    /// P1: the app finished the transaction and threw its proof away.
    private mutating func finishedBeforeVerified() {
        let start = instant(1)
        let (order, transaction) = finishedUnseen(at: start)
        finished(transaction, username: order.number, acknowledged: false, at: start + 40_000)
        claim(
            "I paid for 1200 gems, the app said thank you, and nothing came.", of: order,
            "unproven",
            remark: "finished-before-verified", pitfall: 1)
    }

    /// P1, and later Apple's own notification brings the proof.
    private mutating func finishedThenProven() {
        let start = instant(2)
        let (order, transaction) = finishedUnseen(at: start)
        finished(transaction, username: order.number, acknowledged: true, at: start + 41_000)
        notify("ONE_TIME_CHARGE", transaction, at: start + 3 * SampleInstant.hour)
        claim(
            "My 1200 gems are missing since this morning.", of: order, "paid-not-delivered",
            pitfall: 1)
    }

    private mutating func finishedUnseen(at start: Int64) -> (SampleOrder, SampleTransaction) {
        let order = order(customer(), SampleCatalogue.gems1200, at: start)
        attempt(order, at: start + 4_000)
        let transaction = charge(order.customer, order.product, at: start + 35_000)
        purchased(transaction, username: order.number, at: start + 38_000)
        return (order, transaction)
    }

    /// P2: no transaction observer, so the phone tells nothing at all. Apple does.
    private mutating func noObserver() {
        let start = instant(3)
        let order = order(customer(), SampleCatalogue.gems500, at: start)
        let transaction = charge(order.customer, order.product, at: start + 65_000)
        notify("ONE_TIME_CHARGE", transaction, at: start + 70_000)
        claim(
            "Apple charged me for 500 gems, your game shows nothing.", of: order,
            "payment-unlinked", pitfall: 2
        )
    }

    /// P2: the next version has an observer, and 100 callbacks come at once under the newest
    /// number: 60 payments, 40 of them told twice. The server delivered 24.
    private mutating func flood() {
        let start = instant(8)
        let order = order(customer(), SampleCatalogue.gems100, at: start)
        device(order.customer, "storekit.observer-started", at: start + 1_000) { json in
            json.member("queueLength", Int64(100))
        }
        var payments: [(transaction: SampleTransaction, proof: [UInt8])] = []
        for number in Int64(0)..<60 {
            let paidAt = start + 60_000 + number * 1_000
            let transaction = charge(order.customer, order.product, at: paidAt)
            payments.append((transaction, signed(transaction, at: start + 130_000)))
        }
        for (place, payment) in (payments + payments.prefix(40)).enumerated() {
            purchased(
                payment.transaction, username: order.number, proof: payment.proof,
                at: start + 150_000 + Int64(place) * 20)
        }
        for payment in payments.prefix(24) {
            deliver(
                order.product, to: order.customer.account, order: order,
                transaction: payment.transaction, at: start + 170_000)
        }
        claim(
            "I tapped buy many times. I was charged for all of them and got a part.", of: order,
            "charged-twice", pitfall: 2)
    }

    /// P3: the app was killed with the order number in its memory; the redelivered one is a
    /// placeholder.
    private mutating func lostOrderNumber() {
        let start = instant(5)
        let order = order(customer(), SampleCatalogue.gems2000, at: start)
        attempt(order, at: start + 2_000)
        let transaction = charge(order.customer, order.product, at: start + 50_000)
        notify("ONE_TIME_CHARGE", transaction, at: start + 52_000)
        let relaunch = start + 2 * SampleInstant.hour
        let placeholder = random.pick(["(null)", "nil", "<null>", "undefined", "None", " "])
        purchased(
            transaction, username: placeholder, proof: signed(transaction, at: relaunch),
            at: relaunch)
        claim(
            "The game crashed while I paid for 2000 gems. I did pay!", of: order,
            "payment-unlinked", pitfall: 3
        )
    }

    /// P3: the payment came back on a second phone, under another game account, which got the
    /// goods.
    private mutating func deliveredOnAnotherPhone() {
        let start = instant(6)
        let order = order(customer(), SampleCatalogue.gems1200, at: start, uuid: true)
        attempt(order, at: start + 3_000)
        let transaction = charge(order.customer, order.product, at: start + 30_000, order: order)
        notify("ONE_TIME_CHARGE", transaction, at: start + 31_000)
        let other = customer()
        let later = start + SampleInstant.hour
        purchased(
            transaction, username: nil, on: other, proof: signed(transaction, at: later),
            at: later)
        deliver(order.product, to: other.account, transaction: transaction, at: later + 5_000)
        claim(
            "I changed my phone while paying and the gems never came.", of: order,
            "delivered-to-other", pitfall: 3)
    }

    /// P4: a delivered but unfinished purchase makes StoreKit refuse the next one.
    private mutating func unfinishedBlocksRepurchase() {
        let start = instant(7)
        let first = order(customer(), SampleCatalogue.gems100, at: start)
        attempt(first, at: start + 2_000)
        let transaction = charge(first.customer, first.product, at: start + 20_000)
        purchased(
            transaction, username: first.number, proof: signed(transaction, at: start + 20_500),
            at: start + 21_000)
        deliver(
            first.product, to: first.customer.account, order: first, transaction: transaction,
            at: start + 26_000)
        let second = order(first.customer, first.product, at: start + SampleInstant.hour)
        attempt(second, at: start + SampleInstant.hour + 2_000)
        attempt(second, "storekit.failed", at: start + SampleInstant.hour + 3_000, errorCode: 0)
        claim(
            "I cannot buy gems again. It says I already bought this.", of: second, "unproven",
            remark: "unfinished-blocks-repurchase", pitfall: 4)
    }

    /// P4, the usual cure: the queued transaction is finished blindly and its proof sent for the
    /// next order. The payment stays the first order's.
    private mutating func finishedBlindly() {
        let start = instant(9)
        let first = order(customer(), SampleCatalogue.gems1200, at: start)
        attempt(first, at: start + 2_000)
        let transaction = charge(first.customer, first.product, at: start + 20_000)
        let proof = signed(transaction, at: start + 20_500)
        purchased(transaction, username: first.number, proof: proof, at: start + 21_000)
        let second = order(first.customer, first.product, at: start + SampleInstant.hour)
        attempt(second, at: start + SampleInstant.hour + 2_000)
        purchased(
            transaction, username: second.number, proof: proof,
            at: start + SampleInstant.hour + 4_000)
        finished(
            transaction, username: second.number, acknowledged: false,
            at: start + SampleInstant.hour + 5_000)
        claim(
            "The gems of my first order are missing.", of: first, "paid-not-delivered", pitfall: 4)
        claim("And those of my second order too.", of: second, "unproven", pitfall: 4)
    }
}
