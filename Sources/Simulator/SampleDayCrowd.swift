/// The customers whose purchases simply work; nobody claims anything.
extension SampleWorld {
    mutating func tellCrowd() {
        for number in 0..<24 { boughtAndDelivered(number) }
    }

    private mutating func boughtAndDelivered(_ number: Int) {
        let start = instant(1, spread: 19)
        let product = random.pick([
            SampleCatalogue.gems100, SampleCatalogue.gems1200, SampleCatalogue.noAds,
        ])
        let order = order(customer(), product, at: start, uuid: !number.isMultiple(of: 3))
        attempt(order, at: start + 2_000)
        let transaction = charge(order.customer, product, at: start + 21_000, order: order)
        let proof = signed(transaction, at: start + 22_000)
        purchased(transaction, username: order.number, proof: proof, at: start + 23_000)
        deliver(
            product, to: order.customer.account, order: order, transaction: transaction,
            at: start + 27_000)
        finished(transaction, username: order.number, acknowledged: true, at: start + 29_000)
        notify(
            "ONE_TIME_CHARGE", transaction, stamped: !number.isMultiple(of: 6), at: start + 35_000)
        if number.isMultiple(of: 5) {
            // The phone did not see the answer and tells it again.
            purchased(transaction, username: order.number, proof: proof, at: start + 60_000)
        }
    }
}
