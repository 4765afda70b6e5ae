/// What the rules conclude of one transaction.
struct TransactionReading {
    /// What a transaction is, as far as paying goes.
    enum Kind: Equatable {
        /// Nothing verified is here.
        case unverified
        /// Verified, in an environment that is not accepted here.
        case elsewhere
        /// Family sharing: nobody paid us for it.
        case shared
        /// It only restores its original.
        case restore
        /// An ownership that these rules do not know.
        case unclear
        /// It pays.
        case charge
    }

    let id: String
    let facts: TransactionFacts
    let kind: Kind
    /// The newest snapshot of the environment that speaks; nothing when unverified.
    let snapshot: TransactionSnapshot
    /// The event that brought it.
    let snapshotStamp: Stamp?
    /// Whether a signed transaction speaks, and no receipt.
    let isSigned: Bool
    let links: Links
    let owner: OwnerAnswer?

    init(_ id: String, _ facts: TransactionFacts, in file: CaseFile) {
        self.id = id
        self.facts = facts
        links = file.links(of: id, facts)
        let spoken = file.spoken(of: facts)
        snapshot = spoken?.snapshot ?? TransactionSnapshot()
        snapshotStamp = spoken?.stamp
        owner = file.owner(of: facts, spoken, links.best)
        isSigned = spoken?.isSigned ?? false
        kind = file.kind(of: id, spoken?.snapshot, owner: owner)
    }

    var isCharge: Bool { kind == .charge }
    var isVerified: Bool { kind != .unverified }

    /// The id that its renewals share.
    var originalId: String { snapshot.originalTransactionId ?? id }
    var purchaseOrder: PurchaseOrder { PurchaseOrder(id, snapshot) }
    /// What is owed: at least 1.
    var quantity: Int64 { max(1, snapshot.quantity ?? 1) }

    /// The transaction whose entitlement it restores, if it is known to.
    var restoredId: String? {
        switch kind {
        case .restore: snapshot.originalTransactionId
        case .unverified: facts.originals.keys.first
        case .elsewhere, .shared, .unclear, .charge: nil
        }
    }

    /// Whether an installation reported it bought or finished.
    var isReported: Bool {
        facts.reports.contains { $0.value.purchased.isTold || $0.value.finished.isTold }
    }

    func isLinked(to number: String) -> Bool { sameBytes(links.best?.orderNumber, number) }
}

/// What speaks for a transaction.
struct SpokenSnapshot {
    let snapshot: TransactionSnapshot
    /// The event that brought it.
    let stamp: Stamp?
    /// Whether Apple signed the token.
    let hasSignedToken: Bool
    /// Whether it is a signed transaction, and no receipt.
    let isSigned: Bool
}

extension CaseFile {
    /// What is proven of a transaction: in Production first, in what is accepted before the rest.
    /// There the newest signed transaction speaks, else the newest receipt; what it does not say,
    /// the weaker fills. `nil` where nothing is verified.
    func spoken(of facts: TransactionFacts) -> SpokenSnapshot? {
        let environments = facts.snapshots.keys + facts.entries.keys
        let best = environments.min { left, right in
            let (a, b) = (environmentRank(left), environmentRank(right))
            return a != b ? a < b : bytesPrecede(left, right)
        }
        guard let best else { return nil }
        let (signed, entry) = (facts.snapshots[best], facts.entries[best])
        guard let newest = signed ?? entry else { return nil }
        var snapshot = newest.snapshot
        if signed != nil, let entry { snapshot.fill(from: entry.snapshot) }
        let hasSignedToken = snapshot.appAccountToken != nil
        if var line = facts.lines[best]?.told {
            // What makes a charge none, or another's, is not taken from who signs nothing.
            line.ownership = nil
            line.originalTransactionId = nil
            snapshot.fill(from: line)
            // A receipt cannot say that an upgrade replaced a period, which is no refund.
            if signed == nil { snapshot.isUpgraded = snapshot.isUpgraded ?? line.isUpgraded }
        }
        return SpokenSnapshot(
            snapshot: snapshot, stamp: newest.stamp.stamp, hasSignedToken: hasSignedToken,
            isSigned: signed != nil)
    }

    func snapshot(of facts: TransactionFacts) -> TransactionSnapshot? {
        spoken(of: facts)?.snapshot
    }

    private func environmentRank(_ environment: String) -> Int {
        if environment == "Production" { return 0 }
        return bundleSettings.environments.contains(environment) ? 1 : 2
    }

    func kind(
        of id: String, _ snapshot: TransactionSnapshot?, owner: OwnerAnswer?
    ) -> TransactionReading.Kind {
        guard let snapshot else { return .unverified }
        guard isAccepted(snapshot.environment, owner) else { return .elsewhere }
        if snapshot.isShared { return .shared }
        if snapshot.isRestore(of: id) { return .restore }
        return snapshot.isPurchased ? .charge : .unclear
    }

    private func isAccepted(_ environment: String?, _ owner: OwnerAnswer?) -> Bool {
        guard let environment else { return false }
        if bundleSettings.environments.contains(environment) { return true }
        guard environment == "Sandbox", let owner else { return false }
        return bundleSettings.sandboxAccounts.contains { sameBytes($0, owner.account) }
    }

    // MARK: Owner

    /// Whose a transaction is; the strongest that says anything speaks (domain: owner).
    func owner(
        of facts: TransactionFacts, _ spoken: SpokenSnapshot?, _ link: Link?
    ) -> OwnerAnswer? {
        let token = spoken.flatMap { $0.hasSignedToken ? $0.snapshot.appAccountToken : nil }
        let bases: [(OwnerAnswer.Basis, () -> String?)] = [
            (.transfer, { facts.transferred.told }),
            (.order, { link.flatMap { self.accountOfOrder($0.orderNumber) } }),
            (.token, { token.flatMap(self.accountOfToken) }),
            (.username, { self.accountInUsername(facts) }),
            (.delivery, { self.accountDelivered(facts) }),
            (.sender, { earliestKey(facts.senders) }),
        ]
        for (basis, account) in bases {
            if let account = account() { return OwnerAnswer(account: account, basis: basis) }
        }
        return nil
    }

    /// The account of an order: the platform's word, else the earliest device's.
    func accountOfOrder(_ number: String) -> String? {
        guard let accounts = order(number)?.accounts else { return nil }
        return earliest(accounts.map { ($0.key, $0.value.platform.stamp) })
            ?? earliest(accounts.map { ($0.key, $0.value.device.stamp) })
    }

    /// The account that a token is registered for; where tokens name accounts, the one whose
    /// identifier it is.
    func accountOfToken(_ token: String) -> String? {
        if let registered = self.token(token).flatMap({ earliestKey($0.accounts) }) {
            return registered
        }
        guard namesAreAccounts || bundleSettings.tokensNameAccounts, account(token) != nil else {
            return nil
        }
        return token
    }

    private func accountInUsername(_ facts: TransactionFacts) -> String? {
        guard namesAreAccounts else { return nil }
        let names = facts.names.filter { !isPlaceholder($0.key) }
        return earliest(names.map { ($0.key, $0.value.device.stamp) })
    }

    private func accountDelivered(_ facts: TransactionFacts) -> String? {
        let standing = facts.deliveries.keys.compactMap { delivery($0) }.filter { $0.standing > 0 }
        return earliest(
            standing.compactMap { delivery in
                earliestKey(delivery.accounts).map { ($0, delivery.succeeded.first) }
            })
    }
}

/// The key told earliest; a tie goes by the event's key, which the stamp holds.
func earliestKey(_ map: FactsMap<Earliest>) -> String? {
    earliest(map.map { ($0.key, $0.value.stamp) })
}

func earliest(_ told: [(key: String, stamp: Stamp?)]) -> String? {
    let stamped = told.compactMap { key, stamp in stamp.map { (key: key, stamp: $0) } }
    return stamped.min { left, right in
        left.stamp != right.stamp
            ? left.stamp < right.stamp : bytesPrecede(left.key, right.key)
    }?.key
}
