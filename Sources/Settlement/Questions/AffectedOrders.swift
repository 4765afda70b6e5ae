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
    private let settings: Settings

    /// Starts from what events contributed.
    public init(by contributed: [EntityKey: Facts], settings: Settings) {
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
        case .installation: break
        }
    }

    private mutating func visit(_ key: EntityKey, _ transaction: TransactionFacts) {
        transactions.insert(key)
        let bundle = key.bundle
        insertOrders(bundle, transaction.names.keys)
        insertUsers(bundle, transaction.senders.keys)
        follow(transaction.deliveries.keys.map { .delivery(bundle, $0) })
        follow(transaction.originals.keys.map { .transaction(bundle, $0) })
        for token in transaction.tokens.keys {
            orders.insert(.order(bundle, token))
            follow([.token(bundle, token)])
        }
        for snapshot in transaction.snapshots.compactMap(\.value.told) {
            if snapshot.appAccountToken == nil, wasOrphan(transaction) {
                insertRange(bundle, snapshot)
            }
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

    /// Whether it was proven before anything named it.
    private func wasOrphan(_ transaction: TransactionFacts) -> Bool {
        guard let verified = transaction.verified.stamp else { return false }
        let named = transaction.names.flatMap {
            [$0.value.platform.stamp, $0.value.device.stamp, $0.value.agent.stamp]
        }
        return named.compactMap { $0 }.min().map { verified < $0 } ?? true
    }

    private mutating func insertRange(_ bundle: String, _ snapshot: TransactionSnapshot) {
        guard let product = snapshot.productId, let date = snapshot.purchaseDate else { return }
        let window = settings.policy.candidateWindow
        ranges.insert(
            CandidateRange(
                kind: .attempt, bundle: bundle, productId: product,
                from: shifted(date, by: -window), to: shifted(date, by: window)))
    }

    private mutating func follow(_ keys: [EntityKey]) { pointed.formUnion(keys) }
}
