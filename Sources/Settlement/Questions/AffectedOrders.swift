/// Which verdicts may change because of what some events contributed.
///
/// The pointers stand in several entities, so it goes step by step: give it the contributions, then
/// the merged facts of what they changed, then those of what it `follows`, until nothing new is
/// followed. `roundsMax` bounds the rounds. Remarks that rest on what an installation or an account
/// did elsewhere are not chased: they change no verdict, and every answer computes them anew.
public struct AffectedOrders: Sendable {
    /// The greatest number of rounds worth following.
    public static let roundsMax = 4

    /// The orders (in the account convention: user names) to derive anew.
    public private(set) var orders: Set<EntityKey> = []
    /// The transactions to derive anew.
    public private(set) var transactions: Set<EntityKey> = []
    /// Attempts around charges that no order has, or had once: orders there that have no charge of
    /// their own may have gained or lost a candidate.
    public private(set) var ranges: Set<CandidateRange> = []
    private var pointed: Set<EntityKey> = []
    private var visited: Set<EntityKey> = []
    private var registeredTokens: Set<EntityKey> = []
    /// Tokens that name accounts only, now or before, and the ranges that count if others do.
    private var accountTokens: Set<EntityKey> = []
    private var rangesByToken: [EntityKey: Set<CandidateRange>] = [:]
    private let prior: [EntityKey: Facts]
    private let settings: Settings

    /// Starts from what events contributed.
    /// - Parameter prior: What was known of the same entities before.
    public init(
        by contributed: [EntityKey: Facts], prior: [EntityKey: Facts], settings: Settings
    ) {
        self.prior = prior
        self.settings = settings
        for (key, facts) in contributed {
            if case .token(let token) = facts, !token.orders.isEmpty || !token.accounts.isEmpty {
                registeredTokens.insert(key)
            }
        }
        pointed = Set(contributed.keys)
    }

    /// Entities whose merged facts to read next, sorted.
    public var follows: [EntityKey] { pointed.subtracting(visited).sorted() }

    /// Takes merged facts into account.
    /// - Parameter read: Every key that was read, whether it has facts or not.
    public mutating func visit(_ facts: [EntityKey: Facts], read: [EntityKey]) {
        visited.formUnion(read)
        for (key, facts) in facts {
            visited.insert(key)
            visit(key, facts)
        }
    }

    private mutating func visit(_ key: EntityKey, _ facts: Facts) {
        let bundle = key.bundle
        switch facts {
        case .order(let order):
            orders.insert(key)
            insertUsers(bundle, order.accounts.keys)
        case .transaction(let transaction): visit(key, transaction)
        case .subscription(let subscription):
            follow(subscription.transactions.keys.map { .transaction(bundle, $0) })
        case .token(let token):
            insertOrders(bundle, token.orders.keys + [key.id])
            insertUsers(bundle, token.accounts.keys)
            visit(key, token)
            // A new registration says whose all of them are; a new transaction says nothing of the
            // others.
            if registeredTokens.contains(key) {
                follow(token.transactions.keys.map { .transaction(bundle, $0) })
            }
        case .delivery(let delivery):
            insertOrders(bundle, delivery.orders.keys)
            insertUsers(bundle, delivery.accounts.keys)
            follow(delivery.transactions.keys.map { .transaction(bundle, $0) })
        case .appleOrder(let order):
            follow(order.transactions.keys.map { .transaction(bundle, $0) })
        case .account: insertUsers(bundle, [key.id])
        case .installation, .claim: break
        }
    }

    private mutating func visit(_ key: EntityKey, _ transaction: TransactionFacts) {
        transactions.insert(key)
        let bundle = key.bundle
        insertOrders(bundle, transaction.names.keys)
        insertUsers(bundle, transaction.senders.keys)
        follow(transaction.deliveries.keys.map { .delivery(bundle, $0) })
        follow(transaction.originals.keys.map { .transaction(bundle, $0) })
        follow(transaction.possibleSubscriptions(key.id).map { .subscription(bundle, $0) })
        for token in transaction.tokens.keys {
            orders.insert(.order(bundle, token))
            follow([.token(bundle, token)])
        }
        insertRanges(around: transaction, key)
        for snapshot in transaction.told {
            guard let original = snapshot.originalTransactionId else { continue }
            if snapshot.isAutoRenewable || !sameBytes(original, key.id) {
                follow([.subscription(bundle, original)])
            }
            if !sameBytes(original, key.id) { follow([.transaction(bundle, original)]) }
        }
    }

    private mutating func insertOrders(_ bundle: String, _ numbers: [String]) {
        let keys = numbers.map { EntityKey.order(bundle, $0) }
        orders.formUnion(keys)
        // The order says which account's it is.
        if settings[bundle].convention == .account { follow(keys) }
    }

    /// In the account convention a user name stands for all that its account bought, sent or got.
    private mutating func insertUsers(_ bundle: String, _ accounts: [String]) {
        guard settings[bundle].convention == .account else { return }
        orders.formUnion(accounts.map { .order(bundle, $0) })
    }

    // MARK: Candidates

    /// Orders without a charge may have a charge among their candidates that is proven and that
    /// neither a name nor a token says the order of, or that was so before.
    private mutating func insertRanges(around transaction: TransactionFacts, _ key: EntityKey) {
        let ranges = Set(transaction.told.compactMap { range(key.bundle, $0) })
        var states = [transaction]
        if case .transaction(let before)? = prior[key] { states.append(before) }
        let bundle = settings[key.bundle]
        let mayTokensNameOrders = bundle.convention != .account && !bundle.tokensNameAccounts
        for state in states where state.verified.stamp != nil && !isNamed(state, bundle) {
            guard mayTokensNameOrders, !state.tokens.isEmpty else {
                self.ranges.formUnion(ranges)
                continue
            }
            for token in state.tokens.keys.map({ EntityKey.token(key.bundle, $0) }) {
                if accountTokens.contains(token) {
                    self.ranges.formUnion(ranges)
                } else {
                    rangesByToken[token, default: []].formUnion(ranges)
                }
            }
        }
    }

    private mutating func visit(_ key: EntityKey, _ token: TokenFacts) {
        var states = [token]
        if case .token(let before)? = prior[key] { states.append(before) }
        guard states.contains(where: { $0.orders.isEmpty && !$0.accounts.isEmpty }) else { return }
        accountTokens.insert(key)
        ranges.formUnion(rangesByToken.removeValue(forKey: key) ?? [])
    }

    private func isNamed(_ transaction: TransactionFacts, _ bundle: BundleSettings) -> Bool {
        transaction.names.contains { number, mentions in
            guard !OrderNumber.isPlaceholder(number, among: bundle.placeholders) else {
                return false
            }
            return mentions.platform.stamp != nil || mentions.agent.told == true
                || (mentions.device.stamp != nil && bundle.convention != .account)
        }
    }

    private func range(_ bundle: String, _ snapshot: TransactionSnapshot) -> CandidateRange? {
        guard let product = snapshot.productId, let date = snapshot.purchaseDate else { return nil }
        let window = settings.policy.candidateWindow
        return CandidateRange(
            kind: .attempt, bundle: bundle, productId: product,
            from: shifted(date, by: -window), to: shifted(date, by: window))
    }

    private mutating func follow(_ keys: [EntityKey]) { pointed.formUnion(keys) }
}
