/// What the platform ordered. Money is milliunits of `currency`.
struct OrderTerms: Fact {
    var productId: String?
    var productType: String?
    var quantity: Int64?
    var price: Int64?
    var currency: String?
    var storefront: String?

    init() {}

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&productId)
        try coder.field(&productType)
        try coder.field(&quantity)
        try coder.field(&price)
        try coder.field(&currency)
        try coder.field(&storefront)
    }
}

/// Who named an account: the platform's word is worth more than a device's.
struct AccountMention: Mergeable {
    var platform = Earliest()
    var device = Earliest()

    init() {}

    mutating func merge(_ other: AccountMention) {
        platform.merge(other.platform)
        device.merge(other.device)
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&platform)
        try coder.field(&device)
    }
}

/// What one installation told about its attempts for one order.
struct Attempts: Mergeable {
    var purchasing = Moments()
    var deferred = Moments()
    var failed = Moments()
    /// Code 2 of `SKErrorDomain`: the only failure that is the customer's own choice.
    var cancelled = Moments()
    var purchased = Moments()
    var restored = Moments()
    var finished = Moments()

    init() {}

    mutating func merge(_ other: Attempts) {
        purchasing.merge(other.purchasing)
        deferred.merge(other.deferred)
        failed.merge(other.failed)
        cancelled.merge(other.cancelled)
        purchased.merge(other.purchased)
        restored.merge(other.restored)
        finished.merge(other.finished)
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&purchasing)
        try coder.field(&deferred)
        try coder.field(&failed)
        try coder.field(&cancelled)
        try coder.field(&purchased)
        try coder.field(&restored)
        try coder.field(&finished)
    }
}

/// A judgement on a piece of evidence that somebody offered under a name.
struct Judgement: Fact {
    /// `verified`, `refused`, `unsigned`; `nil` where nobody judged.
    var status: String?
    var reason: String?
    var kind = ""
    var bundle: String?
    var environment: String?
    /// What the payload says, true or not.
    var transactionId: String?

    init() {}

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&status)
        try coder.field(&reason)
        try coder.field(&kind)
        try coder.field(&bundle)
        try coder.field(&environment)
        try coder.field(&transactionId)
    }
}

/// Evidence offered under a name: when first, and the latest judgement.
struct OfferedEvidence: Mergeable {
    var first = Earliest()
    var judgement = LastTold<Judgement>()

    init() {}

    mutating func merge(_ other: OfferedEvidence) {
        first.merge(other.first)
        judgement.merge(other.judgement)
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&first)
        try coder.field(&judgement)
    }
}

/// What is known of one order number (in the account convention: of one `applicationUsername`).
public struct OrderFacts: Mergeable {
    var created = FirstTold<OrderTerms>()
    var cancelled = Span()
    /// UUIDs registered for the order; its own number when that is one.
    var tokens = FactsMap<Earliest>()
    var accounts = FactsMap<AccountMention>()
    /// The products that devices named.
    var products = FactsMap<Earliest>()
    /// The transactions that anybody named for it; who did stands in the transaction's facts.
    var transactions = FactsMap<Earliest>()
    var attempts = FactsMap<Attempts>()
    var deliveries = FactsMap<Earliest>()
    /// By digest.
    var offered = BoundedSet<OfferedEvidence>()
    var goodwill = Earliest()
    var seen = Span()

    init() {}

    mutating func merge(_ other: OrderFacts) {
        created.merge(other.created)
        cancelled.merge(other.cancelled)
        tokens.merge(other.tokens)
        accounts.merge(other.accounts)
        products.merge(other.products)
        transactions.merge(other.transactions)
        attempts.merge(other.attempts)
        deliveries.merge(other.deliveries)
        offered.merge(other.offered)
        goodwill.merge(other.goodwill)
        seen.merge(other.seen)
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&created)
        try coder.field(&cancelled)
        try coder.field(&tokens)
        try coder.field(&accounts)
        try coder.field(&products)
        try coder.field(&transactions)
        try coder.field(&attempts)
        try coder.field(&deliveries)
        try coder.field(&offered)
        try coder.field(&goodwill)
        try coder.field(&seen)
    }
}
