internal import JSON

/// What agents do, and what customers offer through them.
extension Contributions {
    mutating func agentLink(_ isLinked: Bool) {
        guard let id = event.identifier("transactionId") else { return }
        let told = now
        let word = LastTold(isLinked, stamp)
        guard let number = event.orderNumber("orderNumber") else {
            // An unlinking that names no order takes back every link before it.
            if !isLinked { transaction(id) { $0.unlinked = word } }
            return
        }
        order(number) { $0.transactions.tell(id, told) }
        transaction(id) { transaction in
            var mentions = Mentions()
            mentions.agent = word
            transaction.names.tell(number, mentions)
        }
    }

    /// A transfer that was approved: the command that appends the event has checked it.
    mutating func transferred() {
        guard let id = event.identifier("transactionId"), let account = event.account else {
            return
        }
        let word = LastTold(account, stamp)
        let told = now
        transaction(id) { $0.transferred = word }
        var sent = SentTransaction()
        sent.reported = told
        self.account(account) { $0.transactions.tell(id, sent) }
    }

    mutating func goodwill() {
        let told = now
        if let number = event.orderNumber("orderNumber") { order(number) { $0.goodwill = told } }
        if let id = event.identifier("deliveryId") {
            var delivery = DeliveryFacts()
            delivery.goodwill = told
            tell(.delivery(bundle, id), .delivery(delivery))
        }
    }

    mutating func claimOpened() {
        guard let id = event.identifier("claimId") else { return }
        var claim = ClaimFacts()
        claim.opened = now
        tell(.claim(bundle, id), .claim(claim))
    }

    mutating func claimSettled() {
        guard let id = event.identifier("claimId"), let outcome = event.identifier("outcome") else {
            return
        }
        var claim = ClaimFacts()
        claim.settled = LastTold(outcome, stamp)
        tell(.claim(bundle, id), .claim(claim))
    }

    mutating func claimReopened() {
        guard let id = event.identifier("claimId") else { return }
        var claim = ClaimFacts()
        claim.reopened = Span(stamp)
        tell(.claim(bundle, id), .claim(claim))
    }

    /// A claim finds and never proves: it makes no link and no sender; only what it offers is kept.
    mutating func claimEvidence() { offer(under: event.orderNumber("applicationUsername")) }

    /// Apple's look-up of an e-mailed order id: the only bridge from it to transactions.
    mutating func appleAnswer() {
        if let id = event.answeredConsumption {
            let span = Span(stamp)
            transaction(id) { $0.answered = span }
        }
        appleLookUp()
    }

    mutating func appleLookUp() {
        guard let id = event.appleOrderId else { return }
        let told = now
        for part in parts {
            guard let proven = part.transaction(in: event) else { continue }
            var facts = AppleOrderFacts()
            facts.transactions.tell(proven.key.id, told)
            facts.seen = Span(stamp)
            tell(.appleOrder(proven.key.bundle, id), .appleOrder(facts))
        }
    }
}

extension SettlementEvent {
    /// The order id that an answer of Apple's look-up is about: `request` holds it as `orderId`, or
    /// is the path that was asked (`/inApps/v1/lookup/M…`).
    var appleOrderId: String? {
        guard let request = data["request"] else { return nil }
        if let id = request["orderId"]?.name { return id }
        // `/inApps/v2/refund/lookup/{transactionId}` is another question.
        guard let path = request.string, !path.contains("refund/lookup") else { return nil }
        return Self.lastStep(of: path, after: "lookup")
    }

    /// The transaction of which Apple took our answer about its consumption
    /// (`PUT /inApps/v2/transactions/consumption/…`).
    var answeredConsumption: String? {
        guard let status = data["httpStatus"]?.int64, (200..<300).contains(status) else {
            return nil
        }
        return data["request"]?.string.flatMap { Self.lastStep(of: $0, after: "consumption") }
    }

    private static func lastStep(of path: String, after name: String) -> String? {
        let steps = path.split(separator: "/")
        guard steps.count >= 2, steps[steps.count - 2] == name else { return nil }
        return steps.last.flatMap { named(String($0)) }
    }
}
