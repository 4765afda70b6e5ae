/// The facts of one bundle read for one answer, with what the rules conclude from each.
///
/// A class, so that each transaction is concluded once: it lives for one answer and in one place.
final class CaseFile {
    let dossier: Dossier
    let bundle: String
    let settings: Settings
    let bundleSettings: BundleSettings
    let clock: Clock
    private var readings: [EntityKey: TransactionReading] = [:]
    private var orderShares: [EntityKey: OrderShares] = [:]

    init(_ dossier: Dossier, bundle: String, settings: Settings, clock: Clock) {
        self.dossier = dossier
        self.bundle = bundle
        self.settings = settings
        self.clock = clock
        bundleSettings = settings[bundle]
    }

    var policy: Policy { settings.policy }

    /// Whether `applicationUsername` names an account here.
    var namesAreAccounts: Bool { bundleSettings.convention == .account }

    /// Whether the bundle's own list calls this order number a placeholder.
    func isPlaceholder(_ number: String) -> Bool {
        OrderNumber.isPlaceholder(number, among: bundleSettings.placeholders)
    }

    /// Whether a name is an order's: in the account convention only where the platform says so.
    func isOrder(_ number: String) -> Bool {
        guard namesAreAccounts else { return true }
        guard let facts = order(number) else { return false }
        return facts.created.stamp != nil
            || facts.accounts.contains { $0.value.platform.stamp != nil }
            || facts.transactions.keys.contains { id in
                guard let mentions = transaction(id)?.names[number] else { return false }
                return mentions.platform.stamp != nil || mentions.agent.stamp != nil
            }
    }

    // MARK: Facts

    func order(_ number: String) -> OrderFacts? {
        guard case .order(let facts)? = dossier.facts[.order(bundle, number)] else { return nil }
        return facts
    }

    func transaction(_ id: String) -> TransactionFacts? {
        guard case .transaction(let facts)? = dossier.facts[.transaction(bundle, id)] else {
            return nil
        }
        return facts
    }

    func subscription(_ id: String) -> SubscriptionFacts? {
        guard case .subscription(let facts)? = dossier.facts[.subscription(bundle, id)] else {
            return nil
        }
        return facts
    }

    func token(_ token: String) -> TokenFacts? {
        guard case .token(let facts)? = dossier.facts[.token(bundle, token)] else { return nil }
        return facts
    }

    func account(_ id: String) -> AccountFacts? {
        guard case .account(let facts)? = dossier.facts[.account(bundle, id)] else { return nil }
        return facts
    }

    func delivery(_ id: String) -> DeliveryFacts? {
        guard case .delivery(let facts)? = dossier.facts[.delivery(bundle, id)] else { return nil }
        return facts
    }

    func installation(_ id: String) -> InstallationFacts? {
        guard case .installation(let facts)? = dossier.facts[.installation(bundle, id)] else {
            return nil
        }
        return facts
    }

    func appleOrder(_ id: String) -> AppleOrderFacts? {
        guard case .appleOrder(let facts)? = dossier.facts[.appleOrder(bundle, id)] else {
            return nil
        }
        return facts
    }

    // MARK: Conclusions

    /// What is concluded of a transaction; `nil` when nothing is known of it.
    func reading(_ id: String) -> TransactionReading? {
        let key = EntityKey.transaction(bundle, id)
        if let known = readings[key] { return known }
        guard let facts = transaction(id) else { return nil }
        let reading = TransactionReading(id, facts, in: self)
        readings[key] = reading
        return reading
    }

    /// How the deliveries of an order fall on its charges.
    func shares(ofOrder number: String) -> OrderShares {
        let key = EntityKey.order(bundle, number)
        if let known = orderShares[key] { return known }
        let shares = OrderShares(number, in: self)
        orderShares[key] = shares
        return shares
    }
}
