/// Who named a transaction for an order, and when first.
struct Mentions: Mergeable {
    var device = Earliest()
    var platform = Earliest()
    /// The latest word of an agent: linked or not.
    var agent = LastTold<Bool>()

    init() {}

    mutating func merge(_ other: Mentions) {
        device.merge(other.device)
        platform.merge(other.platform)
        agent.merge(other.agent)
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&device)
        try coder.field(&platform)
        try coder.field(&agent)
    }
}

/// What one installation told about one transaction.
struct TransactionReport: Mergeable {
    var purchased = Moments()
    var restored = Moments()
    var finished = Moments()
    /// A finish that says `acknowledgedByServer` false.
    var unacknowledged = Earliest()

    init() {}

    mutating func merge(_ other: TransactionReport) {
        purchased.merge(other.purchased)
        restored.merge(other.restored)
        finished.merge(other.finished)
        unacknowledged.merge(other.unacknowledged)
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&purchased)
        try coder.field(&restored)
        try coder.field(&finished)
        try coder.field(&unacknowledged)
    }
}

/// What is known of one transaction id.
public struct TransactionFacts: Mergeable {
    /// The newest verified snapshot, by environment: an id may stand in two, and a sandbox copy
    /// never displaces a production one.
    var snapshots = FactsMap<Newest<TransactionSnapshot>>()
    /// The earliest verified evidence.
    var verified = Earliest()
    /// Digests of verified copies.
    var digests = BoundedSet<Earliest>()
    /// Every token that a verified copy carried: the newest says which holds, the others whose
    /// answer it may have changed.
    var tokens = FactsMap<Earliest>()
    /// The accounts whose devices sent verified evidence.
    var senders = FactsMap<Earliest>()
    /// The order numbers (account convention: accounts) it was named for.
    var names = FactsMap<Mentions>()
    /// An agent took back every link that is not younger.
    var unlinked = LastTold<Bool>()
    /// The account that an approved transfer gave it to.
    var transferred = LastTold<String>()
    var reports = FactsMap<TransactionReport>()
    /// Original transactions that devices named.
    var originals = FactsMap<Earliest>()
    var products = FactsMap<Earliest>()
    var deliveries = FactsMap<Earliest>()
    var seen = Span()

    init() {}

    mutating func merge(_ other: TransactionFacts) {
        snapshots.merge(other.snapshots)
        verified.merge(other.verified)
        digests.merge(other.digests)
        tokens.merge(other.tokens)
        senders.merge(other.senders)
        names.merge(other.names)
        unlinked.merge(other.unlinked)
        transferred.merge(other.transferred)
        reports.merge(other.reports)
        originals.merge(other.originals)
        products.merge(other.products)
        deliveries.merge(other.deliveries)
        seen.merge(other.seen)
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&snapshots)
        try coder.field(&verified)
        try coder.field(&digests)
        try coder.field(&tokens)
        try coder.field(&senders)
        try coder.field(&names)
        try coder.field(&unlinked)
        try coder.field(&transferred)
        try coder.field(&reports)
        try coder.field(&originals)
        try coder.field(&products)
        try coder.field(&deliveries)
        try coder.field(&seen)
    }
}
