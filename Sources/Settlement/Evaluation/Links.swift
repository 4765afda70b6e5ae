/// A link of a transaction to an order.
struct Link {
    let strength: LinkStrength
    let orderNumber: String
    let stamp: Stamp

    /// The stronger first; then the earlier; then by the bytes of the order number.
    func precedes(_ other: Link) -> Bool {
        if strength != other.strength { return strength < other.strength }
        if stamp != other.stamp { return stamp < other.stamp }
        return bytesPrecede(orderNumber, other.orderNumber)
    }
}

/// All links of a transaction, best first.
struct Links {
    let all: [Link]

    var best: Link? { all.first }

    /// Whether several orders are named at the best strength.
    var isContested: Bool {
        guard let best else { return false }
        return all.contains {
            $0.strength == best.strength && !sameBytes($0.orderNumber, best.orderNumber)
        }
    }
}

extension CaseFile {
    /// The links of a transaction, with those that it inherits from its original.
    func links(of id: String, _ facts: TransactionFacts) -> Links {
        var links = directLinks(of: id, facts)
        if links.isEmpty { links = inheritedLinks(of: id, facts) }
        return Links(all: links.sorted { $0.precedes($1) })
    }

    private func directLinks(of id: String, _ facts: TransactionFacts) -> [Link] {
        var links = namedLinks(facts)
        if let signed = signedLinks(of: id, facts) { links += signed }
        return links + deliveredLinks(facts, beside: links)
    }

    /// Links by agent, platform and device.
    private func namedLinks(_ facts: TransactionFacts) -> [Link] {
        var links: [Link] = []
        for (number, mentions) in facts.names where !isPlaceholder(number) {
            func link(_ strength: LinkStrength, _ stamp: Stamp?) {
                guard let stamp else { return }
                links.append(Link(strength: strength, orderNumber: number, stamp: stamp))
            }
            if mentions.agent.told == true, let stamp = mentions.agent.stamp,
                facts.unlinked.stamp.map({ $0 < stamp }) ?? true
            {
                link(.agent, stamp)
            }
            link(.platform, mentions.platform.stamp)
            // In the account convention a device's word names an account.
            if !namesAreAccounts { link(.device, mentions.device.stamp) }
        }
        return links
    }

    /// A delivery that names both is the word of a server of the platform. It counts where nothing
    /// else named an order before, since a cure for another order may have used the transaction up;
    /// a device that sends the proof again once it was delivered takes nothing from whom it was
    /// delivered for.
    private func deliveredLinks(_ facts: TransactionFacts, beside links: [Link]) -> [Link] {
        let delivered = facts.deliveries.keys.compactMap { delivery($0) }.flatMap { delivery in
            delivery.orders.filter { !isPlaceholder($0.key) }.compactMap { number, told in
                told.stamp.map { Link(strength: .platform, orderNumber: number, stamp: $0) }
            }
        }
        guard let first = delivered.map(\.stamp).min() else { return [] }
        let isFirst = links.allSatisfy { $0.strength == .device && first < $0.stamp }
        return isFirst ? delivered : []
    }

    // MARK: Signed links

    /// A token names an order for the earliest charge of each original transaction that carries it.
    private func signedLinks(of id: String, _ facts: TransactionFacts) -> [Link]? {
        guard let spoken = spoken(of: facts) ?? hinted(by: facts),
            let token = spoken.snapshot.appAccountToken, let proven = spoken.stamp,
            spoken.snapshot.isPurchased, !spoken.snapshot.isRestore(of: id),
            isEarliest(id, spoken.snapshot, carrying: token)
        else { return nil }
        // An answer that nobody signed came from who knows where: it is worth no more than what a
        // device says.
        let strength: LinkStrength = spoken.hasSignedToken ? .signed : .device
        return orders(namedBy: token, provenAt: facts.verified.stamp ?? proven).map {
            Link(strength: strength, orderNumber: $0.number, stamp: $0.stamp)
        }
    }

    /// What only unsigned lines say: the least of several environments.
    private func hinted(by facts: TransactionFacts) -> SpokenSnapshot? {
        facts.lines.first.map { _, line in
            SpokenSnapshot(
                snapshot: line.snapshot, stamp: line.stamp.stamp, hasSignedToken: false,
                isSigned: false)
        }
    }

    /// The orders that a token names: those it was registered for, else the one whose number it is,
    /// unless tokens name accounts here.
    func orders(namedBy token: String, provenAt proven: Stamp) -> [(number: String, stamp: Stamp)] {
        let facts = self.token(token)
        let registered = (facts?.orders ?? FactsMap()).compactMap { number, told in
            told.stamp.map { (number: number, stamp: $0) }
        }
        if !registered.isEmpty { return registered }
        guard facts?.accounts.isEmpty ?? true, !namesAreAccounts,
            !bundleSettings.tokensNameAccounts, !isPlaceholder(token)
        else { return [] }
        return [(token, proven)]
    }

    private func isEarliest(
        _ id: String, _ snapshot: TransactionSnapshot, carrying token: String
    ) -> Bool {
        guard let original = snapshot.originalTransactionId,
            let family = subscription(original)
        else { return true }
        let mine = PurchaseOrder(id, snapshot)
        return family.transactions.keys.allSatisfy { other in
            guard !sameBytes(other, id), let theirs = transaction(other).flatMap(snapshot(of:)),
                theirs.isPurchased, !theirs.isRestore(of: other),
                sameBytes(theirs.appAccountToken, token)
            else { return true }
            return mine < PurchaseOrder(other, theirs)
        }
    }

    // MARK: Inherited links

    /// The links of the original; where that is not here or not linked, those of the earliest
    /// period before it that is. What was bought later lends nothing.
    private func inheritedLinks(of id: String, _ facts: TransactionFacts) -> [Link] {
        var originals = facts.originals.keys
        if let original = snapshot(of: facts)?.originalTransactionId {
            originals.insert(original, at: 0)
        }
        for original in originals {
            if !sameBytes(original, id), let links = inherit(from: original) { return links }
            let mine = purchaseOrder(of: id)
            let periods = (subscription(original)?.transactions.keys ?? []).filter {
                purchaseOrder(of: $0) < mine
            }
            let ordered = periods.sorted { purchaseOrder(of: $0) < purchaseOrder(of: $1) }
            for period in ordered {
                if let links = inherit(from: period) { return links }
            }
        }
        return []
    }

    private func inherit(from id: String) -> [Link]? {
        guard let facts = transaction(id) else { return nil }
        let links = directLinks(of: id, facts).sorted { $0.precedes($1) }
        guard let best = links.first else { return nil }
        return [Link(strength: .inherited, orderNumber: best.orderNumber, stamp: best.stamp)]
    }

    private func purchaseOrder(of id: String) -> PurchaseOrder {
        PurchaseOrder(id, transaction(id).flatMap(snapshot(of:)) ?? TransactionSnapshot())
    }
}

/// The order of charges: by purchase date, then by id as a decimal number.
struct PurchaseOrder: Comparable {
    let date: Int64
    let id: String

    init(_ id: String, _ snapshot: TransactionSnapshot) {
        date = snapshot.purchaseDate ?? .min
        self.id = id
    }

    static func < (left: PurchaseOrder, right: PurchaseOrder) -> Bool {
        if left.date != right.date { return left.date < right.date }
        let (a, b) = (left.id.drop { $0 == "0" }, right.id.drop { $0 == "0" })
        if a.utf8.count != b.utf8.count { return a.utf8.count < b.utf8.count }
        if !a.utf8.elementsEqual(b.utf8) { return a.utf8.lexicographicallyPrecedes(b.utf8) }
        return bytesPrecede(left.id, right.id)
    }

    static func == (left: PurchaseOrder, right: PurchaseOrder) -> Bool {
        left.date == right.date && sameBytes(left.id, right.id)
    }
}
