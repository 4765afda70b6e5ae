internal import JSON

/// Stories of proofs that prove something else: another's, a forged one, a test's, a broken one.
extension SampleWorld {
    mutating func tellDoubtfulProofs() {
        anothersProof()
        forged()
        sandbox()
        familyMember()
        truncatedReceipt()
    }

    /// A customer sends a friend's transaction for an order; a stranger has only a picture of its
    /// id.
    private mutating func anothersProof() {
        let start = instant(4, spread: 8)
        let bought = order(customer(), SampleCatalogue.gems1200, at: start, uuid: true)
        let transaction = charge(bought.customer, bought.product, at: start + 30_000, order: bought)
        notify("ONE_TIME_CHARGE", transaction, at: start + 31_000)
        deliver(
            bought.product, to: bought.customer.account, order: bought, transaction: transaction,
            at: start + 36_000)
        let later = start + 3 * SampleInstant.hour
        let replayed = order(customer(), SampleCatalogue.gems1200, at: later)
        attempt(replayed, at: later + 1_000)
        purchased(
            transaction, username: replayed.number, on: replayed.customer,
            proof: signed(transaction, at: start + 31_500), at: later + 8_000)
        claim("I paid, here is the proof.", of: replayed, "not-claimants")
        claim("This is the number of my payment.", by: customer().account, "not-claimants") {
            $0.member("transactionId", transaction.id)
        }
    }

    /// The payload of a dear product under the signature of a cheap one.
    private mutating func forged() {
        let start = instant(5, spread: 10)
        let order = order(customer(), SampleCatalogue.gems1200, at: start)
        attempt(order, at: start + 2_000)
        let cheap = charge(order.customer, SampleCatalogue.gems100, at: start + 20_000)
        let dear = charge(order.customer, order.product, at: start + 20_000)
        let genuine = signed(cheap, at: start + 21_000).split(separator: UInt8(ascii: "."))
        let wished = signed(dear, at: start + 21_000).split(separator: UInt8(ascii: "."))
        let forged = [genuine[0], wished[1], genuine[2]]
        let proof = Array(forged.joined(separator: [UInt8(ascii: ".")]))
        purchased(dear, username: order.number, proof: proof, at: start + 22_000)
        claim("I have the receipt!", of: order, "forged")
    }

    /// A tester's build: Apple signed it, and nobody paid.
    private mutating func sandbox() {
        let start = instant(6, spread: 10)
        let order = order(customer(), SampleCatalogue.gems1200, at: start)
        attempt(order, at: start + 2_000)
        var transaction = charge(order.customer, order.product, at: start + 20_000)
        transaction.environment = "Sandbox"
        purchased(
            transaction, username: order.number, proof: signed(transaction, at: start + 20_500),
            at: start + 21_000)
        claim("My TestFlight purchase did not arrive.", of: order, "wrong-environment")
    }

    /// Somebody of the family paid, for another app account or none.
    private mutating func familyMember() {
        let start = instant(7, spread: 10)
        let order = order(customer(), SampleCatalogue.noAds, at: start)
        var transaction = charge(order.customer, order.product, at: start + 20_000)
        transaction.ownership = "FAMILY_SHARED"
        purchased(
            transaction, username: order.number, proof: signed(transaction, at: start + 20_500),
            at: start + 21_000)
        claim("I own the ad-free version and still see ads.", of: order, "shared")
    }

    /// An honest phone whose upload was cut off.
    private mutating func truncatedReceipt() {
        let start = instant(8, spread: 10)
        let order = order(customer(), SampleCatalogue.gems100, at: start)
        attempt(order, at: start + 2_000)
        let transaction = charge(order.customer, order.product, at: start + 20_000)
        purchased(
            transaction, username: order.number, receipt: "MIIT" + random.base64(1_020),
            at: start + 22_000)
        claim("I paid 99 cents for gems.", of: order, "unproven")
    }
}
