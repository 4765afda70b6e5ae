/// Which entities an answer needs, as far as the facts that are here tell: identities point at each
/// other, so each round of reading uncovers the next.
struct Closure {
    let dossier: Dossier
    let bundle: String
    let settings: BundleSettings
    /// Everything needed so far, read or not.
    private(set) var keys: Set<EntityKey> = []
    private var followed: Set<EntityKey> = []
    private var queue: [EntityKey] = []

    init(dossier: Dossier, bundle: String, settings: Settings) {
        self.dossier = dossier
        self.bundle = bundle
        self.settings = settings[bundle]
    }

    private var namesAreAccounts: Bool { settings.convention == .account }

    /// Starts from what the question names and follows every pointer.
    mutating func start(_ question: Question) {
        switch question.subject {
        case .order(let number):
            follow(.order(bundle, number))
            // An order that only Apple's evidence names has no facts of its own.
            if OrderNumber.isUUID(number) { follow(.token(bundle, number)) }
            if namesAreAccounts { follow(.account(bundle, number)) }
        case .transaction(let id):
            follow(.transaction(bundle, id))
            follow(.subscription(bundle, id))
        case .token(let token): follow(.token(bundle, token))
        case .appleOrder(let id): follow(.appleOrder(bundle, id))
        case .account(let account, _):
            follow(.account(bundle, account))
            if namesAreAccounts { follow(.order(bundle, account)) }
        }
        if let claimant = question.claimant {
            need(.account(bundle, claimant))
            if namesAreAccounts { need(.order(bundle, claimant)) }
            if case .transaction = question.subject { needOffers(of: claimant) }
        }
        while let key = queue.popLast() {
            if let facts = dossier.facts[key] { expand(key, facts) }
        }
    }

    /// The orders under which a claimant may have sent proof: a device in trouble names the wrong
    /// one (domain, P4).
    private mutating func needOffers(of claimant: String) {
        guard case .account(let account)? = dossier.facts[.account(bundle, claimant)]
        else { return }
        for order in account.orders.keys { need(.order(bundle, order)) }
    }

    /// An entity whose own facts are needed, and nothing that it points at.
    mutating func need(_ key: EntityKey) { keys.insert(key) }

    /// An entity that is needed with everything it points at.
    private mutating func follow(_ key: EntityKey) {
        guard followed.insert(key).inserted else { return }
        keys.insert(key)
        queue.append(key)
    }

    private mutating func expand(_ key: EntityKey, _ facts: Facts) {
        switch facts {
        case .order(let order): expand(key, order)
        case .transaction(let transaction): expand(key, transaction)
        case .subscription(let subscription):
            for id in subscription.transactions.keys { follow(.transaction(bundle, id)) }
        case .token(let token):
            for number in token.orders.keys { follow(.order(bundle, number)) }
            for account in token.accounts.keys { need(.account(bundle, account)) }
            for id in token.transactions.keys { follow(.transaction(bundle, id)) }
        case .account(let account): expand(account)
        case .delivery(let delivery):
            for id in delivery.transactions.keys { follow(.transaction(bundle, id)) }
            for number in delivery.orders.keys { follow(.order(bundle, number)) }
            for account in delivery.accounts.keys { need(.account(bundle, account)) }
        case .appleOrder(let order):
            for id in order.transactions.keys { follow(.transaction(bundle, id)) }
        case .installation, .claim: break
        }
    }

    private mutating func expand(_ key: EntityKey, _ order: OrderFacts) {
        for token in order.tokens.keys { follow(.token(bundle, token)) }
        if OrderNumber.isUUID(key.id) { follow(.token(bundle, key.id)) }
        for id in order.transactions.keys { follow(.transaction(bundle, id)) }
        for id in order.deliveries.keys { follow(.delivery(bundle, id)) }
        for account in order.accounts.keys { need(.account(bundle, account)) }
        for installation in order.attempts.keys { need(.installation(bundle, installation)) }
        for offered in order.offered.members {
            guard let id = offered.value.judgement.told?.transactionId else { continue }
            follow(.transaction(bundle, id))
        }
    }

    private mutating func expand(_ key: EntityKey, _ transaction: TransactionFacts) {
        for name in transaction.names {
            let isOrder = name.value.platform.stamp != nil || name.value.agent.stamp != nil
            if isOrder || !namesAreAccounts {
                follow(.order(bundle, name.key))
            } else {
                need(.account(bundle, name.key))
            }
        }
        for snapshot in transaction.told {
            expand(key, snapshot)
        }
        for original in transaction.originals.keys { follow(.transaction(bundle, original)) }
        for id in transaction.possibleSubscriptions(key.id) { follow(.subscription(bundle, id)) }
        for id in transaction.deliveries.keys { follow(.delivery(bundle, id)) }
        for installation in transaction.reports.keys { need(.installation(bundle, installation)) }
        for sender in transaction.senders.keys { need(.account(bundle, sender)) }
        if let owner = transaction.transferred.told { need(.account(bundle, owner)) }
    }

    private mutating func expand(_ key: EntityKey, _ snapshot: TransactionSnapshot) {
        if let original = snapshot.originalTransactionId {
            if !sameBytes(original, key.id) { follow(.transaction(bundle, original)) }
            if snapshot.isAutoRenewable || !sameBytes(original, key.id) {
                follow(.subscription(bundle, original))
            }
        }
        guard let token = snapshot.appAccountToken else { return }
        // Only the orders of the token: one that names an account has all its purchases.
        need(.token(bundle, token))
        if case .token(let facts)? = dossier.facts[.token(bundle, token)] {
            for number in facts.orders.keys { follow(.order(bundle, number)) }
            for account in facts.accounts.keys { need(.account(bundle, account)) }
        }
        if namesAreAccounts || settings.tokensNameAccounts {
            need(.account(bundle, token))
        } else {
            follow(.order(bundle, token))
        }
    }

    private mutating func expand(_ account: AccountFacts) {
        for order in account.orders where order.value.platform.stamp != nil || !namesAreAccounts {
            follow(.order(bundle, order.key))
        }
        for token in account.tokens.keys { follow(.token(bundle, token)) }
        for id in account.transactions.keys { follow(.transaction(bundle, id)) }
        for id in account.deliveries.keys { follow(.delivery(bundle, id)) }
    }

    // MARK: Candidates

    /// A transaction that may be a candidate: what tells whether it is linked already and what
    /// speaks for it, but not the world around it.
    mutating func consider(_ id: String) {
        need(.transaction(bundle, id))
        guard case .transaction(let transaction)? = dossier.facts[.transaction(bundle, id)] else {
            return
        }
        for delivery in transaction.deliveries.keys { need(.delivery(bundle, delivery)) }
        for snapshot in transaction.told {
            if let token = snapshot.appAccountToken { need(.token(bundle, token)) }
            if let original = snapshot.originalTransactionId, !sameBytes(original, id) {
                considerOriginal(original)
            }
        }
    }

    private mutating func considerOriginal(_ original: String) {
        need(.subscription(bundle, original))
        need(.transaction(bundle, original))
        var ids = [original]
        if case .subscription(let facts)? = dossier.facts[.subscription(bundle, original)] {
            ids += facts.transactions.keys.prefix(Self.periodsMax)
        }
        for id in ids {
            need(.transaction(bundle, id))
            guard case .transaction(let facts)? = dossier.facts[.transaction(bundle, id)] else {
                continue
            }
            for token in facts.told.compactMap(\.appAccountToken) {
                need(.token(bundle, token))
            }
        }
    }

    /// How many periods of a candidate's subscription are looked at for a link to inherit.
    private static let periodsMax = 64
}
