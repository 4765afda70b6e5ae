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
    /// The newest entry of a verified receipt, by environment: it speaks where no signed
    /// transaction does.
    var entries = FactsMap<Newest<TransactionSnapshot>>()
    /// The newest line of an answer that nobody signed, by environment: it proves nothing.
    var lines = FactsMap<Newest<TransactionSnapshot>>()
    /// Every original transaction that a verified copy named.
    var roots = FactsMap<Earliest>()
    /// The earliest verified evidence.
    var verified = Earliest()
    /// Digests of verified copies.
    var digests = BoundedSet<Earliest>()
    /// Every token that a copy carried: the newest says which holds, the others whose answer it may
    /// have changed.
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
    /// What Apple's notifications said of money given back, by their type.
    var notices = FactsMap<Newest<DisputeNotice>>()
    /// When Apple took our answer about its consumption.
    var answered = Span()
    var seen = Span()

    init() {}

    mutating func merge(_ other: TransactionFacts) {
        snapshots.merge(other.snapshots)
        entries.merge(other.entries)
        lines.merge(other.lines)
        roots.merge(other.roots)
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
        notices.merge(other.notices)
        answered.merge(other.answered)
        seen.merge(other.seen)
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&snapshots)
        try coder.field(&entries)
        try coder.field(&lines)
        try coder.field(&roots)
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
        try coder.field(&notices)
        try coder.field(&answered)
        try coder.field(&seen)
    }

    /// The subscriptions whose later periods may inherit what was named here. What was proven says
    /// itself which they are; of what was only named, nobody knows that it is none.
    func possibleSubscriptions(_ id: String) -> [String] {
        guard snapshots.allSatisfy({ $0.value.told == nil }) else { return [] }
        return unique([id] + originals.keys)
    }
}

extension TransactionFacts {
    /// What any evidence says of it, the strongest kind first; what only hints comes last.
    var told: [TransactionSnapshot] {
        [snapshots, entries, lines].flatMap { kind in kind.compactMap(\.value.told) }
    }
}
