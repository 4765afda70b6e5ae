/// What is known under one `originalTransactionId`: renewals and restores.
public struct SubscriptionFacts: Mergeable {
    var transactions = FactsMap<Earliest>()
    /// The newest renewal info, by environment.
    var renewals = FactsMap<Newest<RenewalSnapshot>>()

    init() {}

    mutating func merge(_ other: SubscriptionFacts) {
        transactions.merge(other.transactions)
        renewals.merge(other.renewals)
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&transactions)
        try coder.field(&renewals)
    }
}

/// What is known of one `appAccountToken`.
public struct TokenFacts: Mergeable {
    /// The orders it was registered for.
    var orders = FactsMap<Earliest>()
    /// The accounts it was registered for.
    var accounts = FactsMap<Earliest>()
    /// The transactions that carry it, as Apple signed or an answer of Apple's says.
    var transactions = FactsMap<Earliest>()

    init() {}

    mutating func merge(_ other: TokenFacts) {
        orders.merge(other.orders)
        accounts.merge(other.accounts)
        transactions.merge(other.transactions)
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&orders)
        try coder.field(&accounts)
        try coder.field(&transactions)
    }
}

/// A transaction that an account's devices sent.
struct SentTransaction: Mergeable {
    /// With verified evidence.
    var verified = Earliest()
    /// By its id alone.
    var reported = Earliest()
    /// Apple's customer in the evidence.
    var customer = FirstTold<String>()

    init() {}

    mutating func merge(_ other: SentTransaction) {
        verified.merge(other.verified)
        reported.merge(other.reported)
        customer.merge(other.customer)
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&verified)
        try coder.field(&reported)
        try coder.field(&customer)
    }
}

/// What is known of one account of the platform.
public struct AccountFacts: Mergeable {
    var orders = FactsMap<AccountMention>()
    var tokens = FactsMap<Earliest>()
    var transactions = FactsMap<SentTransaction>()
    var deliveries = FactsMap<Earliest>()
    /// Apple's customers whose signed app transaction it sent.
    var customers = FactsMap<Earliest>()
    /// Evidence offered with no order number, by digest.
    var offered = BoundedSet<OfferedEvidence>()
    /// The last word on whether Apple may be told how much was used up.
    var consumptionConsent = LastTold<Bool>()
    var seen = Span()

    init() {}

    mutating func merge(_ other: AccountFacts) {
        orders.merge(other.orders)
        tokens.merge(other.tokens)
        transactions.merge(other.transactions)
        deliveries.merge(other.deliveries)
        customers.merge(other.customers)
        offered.merge(other.offered)
        consumptionConsent.merge(other.consumptionConsent)
        seen.merge(other.seen)
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&orders)
        try coder.field(&tokens)
        try coder.field(&transactions)
        try coder.field(&deliveries)
        try coder.field(&customers)
        try coder.field(&offered)
        try coder.field(&consumptionConsent)
        try coder.field(&seen)
    }
}

/// What a delivery event says of the goods.
struct DeliveryTerms: Fact {
    var productId: String?
    var quantity: Int64?

    init() {}

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&productId)
        try coder.field(&quantity)
    }
}

/// What is known of one delivery.
public struct DeliveryFacts: Mergeable {
    var orders = FactsMap<Earliest>()
    var transactions = FactsMap<Earliest>()
    var accounts = FactsMap<Earliest>()
    var requestedTerms = FirstTold<DeliveryTerms>()
    var succeededTerms = FirstTold<DeliveryTerms>()
    var requested = Span()
    var succeeded = Span()
    var failed = Span()
    var reversed = Span()
    /// How much was taken back, where a reversal says so.
    var reversedQuantity = Greatest()
    /// A reversal that names no quantity takes back the whole.
    var reversedWhole = Earliest()
    var goodwill = Earliest()

    init() {}

    mutating func merge(_ other: DeliveryFacts) {
        orders.merge(other.orders)
        transactions.merge(other.transactions)
        accounts.merge(other.accounts)
        requestedTerms.merge(other.requestedTerms)
        succeededTerms.merge(other.succeededTerms)
        requested.merge(other.requested)
        succeeded.merge(other.succeeded)
        failed.merge(other.failed)
        reversed.merge(other.reversed)
        reversedQuantity.merge(other.reversedQuantity)
        reversedWhole.merge(other.reversedWhole)
        goodwill.merge(other.goodwill)
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&orders)
        try coder.field(&transactions)
        try coder.field(&accounts)
        try coder.field(&requestedTerms)
        try coder.field(&succeededTerms)
        try coder.field(&requested)
        try coder.field(&succeeded)
        try coder.field(&failed)
        try coder.field(&reversed)
        try coder.field(&reversedQuantity)
        try coder.field(&reversedWhole)
        try coder.field(&goodwill)
    }
}

/// A transaction as one installation told of it.
struct InstalledTransaction: Mergeable {
    var product = FirstTold<String>()
    var purchased = Moments()
    var finished = Moments()

    init() {}

    mutating func merge(_ other: InstalledTransaction) {
        product.merge(other.product)
        purchased.merge(other.purchased)
        finished.merge(other.finished)
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&product)
        try coder.field(&purchased)
        try coder.field(&finished)
    }
}

/// One callback of StoreKit's.
struct Callback: Mergeable {
    var at = Earliest()
    var transactionId = FirstTold<String>()

    init() {}

    mutating func merge(_ other: Callback) {
        at.merge(other.at)
        transactionId.merge(other.transactionId)
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&at)
        try coder.field(&transactionId)
    }
}

/// What is known of one installation of the app.
public struct InstallationFacts: Mergeable {
    var transactions = FactsMap<InstalledTransaction>()
    /// Callbacks by product, then by event.
    var callbacks = FactsMap<BoundedSet<Callback>>()

    init() {}

    mutating func merge(_ other: InstallationFacts) {
        transactions.merge(other.transactions)
        callbacks.merge(other.callbacks)
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&transactions)
        try coder.field(&callbacks)
    }
}

/// What Apple's look-up of an e-mailed order id brought.
public struct AppleOrderFacts: Mergeable {
    var transactions = FactsMap<Earliest>()
    var seen = Span()

    init() {}

    mutating func merge(_ other: AppleOrderFacts) {
        transactions.merge(other.transactions)
        seen.merge(other.seen)
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&transactions)
        try coder.field(&seen)
    }
}
