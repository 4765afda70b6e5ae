/// What an event contributes to each entity: a pure function of the event alone.
///
/// Settings play no part here, so changing one never asks for a rebuild. Unknown types contribute
/// only what their verified evidence proves.
public func contributions(of event: SettlementEvent) -> [EntityKey: Facts] {
    var contributions = Contributions(event)
    switch event.type {
    case "order.created": contributions.orderCreated()
    case "order.cancelled": contributions.orderCancelled()
    case "order.payment-linked": contributions.paymentNamed()
    case "account.registered": contributions.accountRegistered()
    case "account.consented": contributions.accountConsented()
    case "storekit.purchasing", "storekit.purchased", "storekit.failed", "storekit.restored",
        "storekit.deferred", "storekit.finished":
        contributions.storeKit()
    case "delivery.requested", "delivery.succeeded", "delivery.failed", "delivery.reversed":
        contributions.delivery()
    case "payment.linked": contributions.agentLink(true)
    case "payment.unlinked": contributions.agentLink(false)
    case "payment.transferred": contributions.transferred()
    case "goodwill.granted": contributions.goodwill()
    case "claim.opened":
        contributions.claimOpened()
        contributions.claimEvidence()
    case "claim.evidence-added": contributions.claimEvidence()
    case "claim.settled": contributions.claimSettled()
    case "claim.reopened": contributions.claimReopened()
    case "evidence.reverified": contributions.evidenceRejudged()
    case "appstore.answer": contributions.appleAnswer()
    default: break
    }
    contributions.evidence()
    return contributions.facts
}

/// Collects the contributions of one event.
struct Contributions {
    let event: SettlementEvent
    let stamp: Stamp
    let bundle: String
    let parts: [SignedPart]
    private(set) var facts: [EntityKey: Facts] = [:]

    init(_ event: SettlementEvent) {
        self.event = event
        stamp = event.stamp
        bundle = event.bundle
        parts = event.signedParts
    }

    /// That the event told of something, now.
    var now: Earliest { Earliest(stamp) }

    // MARK: Entities

    mutating func tell(_ key: EntityKey, _ told: Facts) {
        if facts[key]?.merge(told) == nil { facts[key] = told }
    }

    mutating func order(_ number: String, _ change: (inout OrderFacts) -> Void) {
        var told = OrderFacts()
        told.seen = Span(stamp)
        change(&told)
        tell(.order(bundle, number), .order(told))
    }

    mutating func transaction(_ id: String, _ change: (inout TransactionFacts) -> Void) {
        transaction(.transaction(bundle, id), change)
    }

    mutating func transaction(_ key: EntityKey, _ change: (inout TransactionFacts) -> Void) {
        var told = TransactionFacts()
        told.seen = Span(stamp)
        change(&told)
        tell(key, .transaction(told))
    }

    mutating func account(_ id: String, _ change: (inout AccountFacts) -> Void) {
        account(.account(bundle, id), change)
    }

    mutating func account(_ key: EntityKey, _ change: (inout AccountFacts) -> Void) {
        var told = AccountFacts()
        told.seen = Span(stamp)
        change(&told)
        tell(key, .account(told))
    }

    mutating func token(_ key: EntityKey, _ change: (inout TokenFacts) -> Void) {
        var told = TokenFacts()
        change(&told)
        tell(key, .token(told))
    }

    mutating func installation(_ id: String, _ change: (inout InstallationFacts) -> Void) {
        var told = InstallationFacts()
        change(&told)
        tell(.installation(bundle, id), .installation(told))
    }

    mutating func subscription(_ key: EntityKey, _ change: (inout SubscriptionFacts) -> Void) {
        var told = SubscriptionFacts()
        change(&told)
        tell(key, .subscription(told))
    }
}
