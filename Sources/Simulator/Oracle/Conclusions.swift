/// Links and owners of everything in a circle (domain, section 2), concluded once.
struct Conclusions {
    let knowledge: Knowledge
    private(set) var transactions: [String: Conclusion]
    /// Ids in order of purchase, by original transaction; only what was proven.
    private let families: [String: [String]]

    init(_ knowledge: Knowledge) {
        self.knowledge = knowledge
        transactions = knowledge.transactions.reduce(into: [:]) { concluded, entry in
            concluded[entry.key] = Conclusion(entry.key, entry.value, in: knowledge.life)
        }
        var families: [String: [Conclusion]] = [:]
        for conclusion in transactions.values where conclusion.snapshot != nil {
            families[conclusion.originalId, default: []].append(conclusion)
        }
        self.families = families.mapValues { family in
            family.sorted { $0.purchase < $1.purchase }.map(\.id)
        }
        let direct = transactions.mapValues { directLinks(of: $0) }
        for (id, links) in direct {
            let all = links.isEmpty ? inherited(by: id, from: direct) : links
            transactions[id]?.links = all
        }
        let owners = transactions.mapValues { owner(of: $0) }
        for (id, owner) in owners { transactions[id]?.owner = owner }
    }

    subscript(id: String) -> Conclusion? { transactions[id] }

    /// Everything proven under an original transaction, by purchase.
    func family(of original: String) -> [Conclusion] {
        (families[original] ?? []).compactMap { transactions[$0] }
    }

    // MARK: Links

    private func directLinks(of transaction: Conclusion) -> [Conclusion.Link] {
        let known = transaction.known
        var links = known.platformNames.map { number, stamp in
            Conclusion.Link(strength: .platform, number: number, stamp: stamp)
        }
        links += known.deviceNames.map { number, stamp in
            Conclusion.Link(strength: .device, number: number, stamp: stamp)
        }
        if let link = signedLink(of: transaction) { links.append(link) }
        let delivered = deliveredLinks(of: known)
        if let first = delivered.map(\.stamp).min(),
            links.allSatisfy({ $0.strength == .device && first < $0.stamp })
        {
            links += delivered
        }
        return links.sorted()
    }

    /// A token names an order for the earliest charge of its original transaction that carries it.
    private func signedLink(of transaction: Conclusion) -> Conclusion.Link? {
        guard !knowledge.namesAreAccounts, let token = transaction.snapshot?.token,
            carries(transaction, token), let proven = transaction.known.verified
        else { return nil }
        let first = family(of: transaction.originalId).first { carries($0, token) }
        guard first?.id == transaction.id else { return nil }
        return Conclusion.Link(strength: .signed, number: token, stamp: proven)
    }

    private func carries(_ transaction: Conclusion, _ token: String) -> Bool {
        guard let snapshot = transaction.snapshot, snapshot.token == token else { return false }
        return !snapshot.isRestore && !snapshot.isFamilyShared
    }

    /// The delivery server is the platform's too, but what it served an order with may be another
    /// order's payment: its word counts where no other named an order before.
    private func deliveredLinks(of known: KnownTransaction) -> [Conclusion.Link] {
        known.deliveries.compactMap { index in
            guard let order = knowledge.life.deliveries[index].order,
                let told = knowledge.deliveries[index]?.first
            else { return nil }
            return Conclusion.Link(
                strength: .platform, number: knowledge.number(of: order), stamp: told)
        }
    }

    /// The original's order; where that has none, the order of the earliest period before it that
    /// has one.
    private func inherited(
        by id: String, from direct: [String: [Conclusion.Link]]
    ) -> [Conclusion.Link] {
        guard let transaction = transactions[id] else { return [] }
        let originals = [transaction.originalId] + transaction.known.originals.keys.sorted()
        for original in originals {
            let earlier = family(of: original).filter { $0.purchase < transaction.purchase }
            for relative in [original] + earlier.map(\.id) where relative != id {
                guard let link = direct[relative]?.first else { continue }
                return [
                    Conclusion.Link(strength: .inherited, number: link.number, stamp: link.stamp)
                ]
            }
        }
        return []
    }

    // MARK: Owners

    private func owner(of transaction: Conclusion) -> Conclusion.Owner? {
        let known = transaction.known
        if let order = transaction.order, let account = account(ofOrder: order) {
            return Conclusion.Owner(account: account, basis: .order)
        }
        if let token = transaction.snapshot?.token, let account = account(ofToken: token) {
            return Conclusion.Owner(account: account, basis: .token)
        }
        if knowledge.namesAreAccounts, let account = known.usernames.earliest {
            return Conclusion.Owner(account: account, basis: .username)
        }
        if let account = accountServed(known) {
            return Conclusion.Owner(account: account, basis: .delivery)
        }
        return known.senders.earliest.map { Conclusion.Owner(account: $0, basis: .sender) }
    }

    /// The platform's word, else the earliest device's.
    func account(ofOrder number: String) -> String? {
        let known = knowledge.orders[number]
        return known?.platformAccounts.earliest ?? known?.deviceAccounts.earliest
    }

    private func account(ofToken token: String) -> String? {
        guard knowledge.namesAreAccounts else { return nil }
        let account = knowledge.life.accounts.first { $0.token == token }
        return account.flatMap { knowledge.accounts[$0.id] == nil ? nil : $0.id }
    }

    private func accountServed(_ known: KnownTransaction) -> String? {
        let standing = known.deliveries.compactMap { index -> (ArrivalStamp, Int)? in
            guard let told = knowledge.deliveries[index], told.stands, let at = told.succeeded
            else { return nil }
            return (at, index)
        }
        return standing.min { $0 < $1 }.map { _, index in
            knowledge.life.accounts[knowledge.life.deliveries[index].account].id
        }
    }
}

extension KnownDelivery {
    /// When it was first heard of.
    var first: ArrivalStamp? {
        [requested, succeeded, failed, reversed].compactMap { $0 }.min()
    }
}
