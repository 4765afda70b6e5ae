/// What stands under the name that was asked about.
struct Subject {
    let question: Question
    /// Who claims, if anybody.
    private(set) var claimant: String?
    /// The account asked about, or that of the order.
    private(set) var account: String?
    /// Whether the answer is about everything of an account.
    private(set) var isAboutAccount = false
    private(set) var orders: [String] = []
    /// Every transaction under the name, whatever became of it.
    private(set) var transactions: [TransactionReading] = []
    /// The charges, by purchase date and id; a subscription is one.
    private(set) var charges: [ChargeCase] = []
    /// Charges that nothing names, brought here by the account's devices or by Apple's look-up.
    private(set) var loose: [TransactionReading] = []
    /// Evidence offered, by digest.
    private(set) var offered = FactsMap<OfferedEvidence>()
    private(set) var isOfferedCut = false
    /// Whether anything stands under the name.
    private(set) var isKnown = false
    /// The events by which the name is known.
    private(set) var traces: [Stamp?] = []

    private let file: CaseFile

    init(_ question: Question, in file: CaseFile) {
        self.question = question
        self.file = file
        claimant = question.claimant
        switch question.subject {
        case .order(let number):
            if file.isOrder(number) { gather(order: number) } else { gather(account: number, nil) }
        case .transaction(let id): gather(transaction: id)
        case .token(let token): gather(token: token)
        case .appleOrder(let id): gather(appleOrder: id)
        case .account(let account, let purchase): gather(account: account, purchase)
        }
    }

    // MARK: By what was asked

    private mutating func gather(order number: String) {
        guard !file.isPlaceholder(number) else { return }
        orders = [number]
        account = file.accountOfOrder(number)
        take(file.transactionsUnder(order: number))
        isKnown = file.order(number) != nil || !transactions.isEmpty
        traces = [file.order(number)?.seen.first]
        let mine = transactions.filter { $0.isCharge && $0.isLinked(to: number) }
        find(mine + restored(from: transactions.filter { isNamed($0, number) }))
        offer(file.order(number)?.offered)
    }

    private mutating func gather(transaction id: String) {
        take([id] + (file.subscription(id)?.transactions.keys ?? []))
        isKnown = !transactions.isEmpty || file.subscription(id) != nil
        traces = (file.subscription(id)?.renewals ?? FactsMap()).map(\.value.stamp.stamp)
        find(transactions.filter(\.isCharge) + restored(from: transactions))
        orders = ordersOfTransactions
        account = charges.first?.reading.owner?.account
        offerProof(of: id)
    }

    /// The proof that the claimant sent of a transaction; what could not be read may have been one.
    private mutating func offerProof(of id: String) {
        guard let claimant else { return }
        let numbers = orders + (file.account(claimant)?.orders.keys ?? [])
        let own = unique(numbers).filter { sameBytes(file.accountOfOrder($0), claimant) }
        let names = file.namesAreAccounts ? own + [claimant] : own
        let offers = names.map { file.order($0)?.offered } + [file.account(claimant)?.offered]
        for case let evidence? in offers {
            isOfferedCut = isOfferedCut || evidence.hasMore
            for (digest, offer) in evidence.members {
                let judgement = offer.judgement.told
                let isUnread = judgement?.transactionId == nil && judgement?.status != "verified"
                guard isUnread || sameBytes(judgement?.transactionId, id) else { continue }
                offered.tell(digest, offer)
            }
        }
    }

    private mutating func gather(token: String) {
        let facts = file.token(token)
        take(facts?.transactions.keys ?? [])
        orders = (facts?.orders.keys ?? []).filter { !file.isPlaceholder($0) }
        isKnown = facts != nil
        find(transactions.filter(\.isCharge) + restored(from: transactions))
        account =
            facts.flatMap { earliestKey($0.accounts) } ?? charges.first?.reading.owner?.account
        for order in orders { offer(file.order(order)?.offered) }
    }

    private mutating func gather(appleOrder id: String) {
        let facts = file.appleOrder(id)
        take(facts?.transactions.keys ?? [])
        isKnown = facts != nil
        traces = [facts?.seen.first]
        let named = transactions.filter { $0.isCharge && isNamedAtAll($0) }
        find(named + restored(from: transactions))
        loose = transactions.filter { $0.isCharge && !isNamedAtAll($0) }
        orders = ordersOfTransactions
        account = charges.first?.reading.owner?.account
    }

    private mutating func gather(account id: String, _ purchase: PurchaseDescription?) {
        account = id
        isAboutAccount = true
        claimant = claimant ?? id
        let facts = file.account(id)
        orders = (facts?.orders ?? FactsMap())
            .filter { $0.value.platform.stamp != nil || !file.namesAreAccounts }
            .map(\.key)
            .filter { !file.isPlaceholder($0) && fits($0, purchase) }
        take(transactionsOf(account: id, facts))
        let known = transactions.filter { fits($0, purchase) }
        let mine = known.filter { $0.isCharge && sameBytes($0.owner?.account, id) }
        find(mine.filter(isNamedAtAll) + restored(from: known.filter { isSent($0, by: id) }))
        loose = mine.filter { !isNamedAtAll($0) }
        for order in orders { offer(file.order(order)?.offered) }
        offer(facts?.offered)
        traces = [facts?.seen.first]
        if file.namesAreAccounts, let named = file.order(id) {
            offer(named.offered)
            traces.append(named.seen.first)
        }
        isKnown =
            purchase == nil
            ? facts?.seen.first != nil || !known.isEmpty
                || (file.namesAreAccounts && file.order(id) != nil)
            : !orders.isEmpty || !known.isEmpty
    }

    private func transactionsOf(account id: String, _ facts: AccountFacts?) -> [String] {
        var ids = facts?.transactions.keys ?? []
        for order in orders { ids += file.transactionsUnder(order: order) }
        for token in facts?.tokens.keys ?? [] { ids += file.token(token)?.transactions.keys ?? [] }
        if file.namesAreAccounts {
            ids += file.order(id)?.transactions.keys ?? []
            ids += file.token(id)?.transactions.keys ?? []
        }
        for delivery in facts?.deliveries.keys ?? [] {
            ids += file.delivery(delivery)?.transactions.keys ?? []
        }
        return ids
    }

    // MARK: Parts

    /// Takes the transactions that are known, each once, by id.
    private mutating func take(_ ids: [String]) {
        var unique = FactsMap<Earliest>()
        for id in ids { unique.tell(id, Earliest()) }
        transactions = unique.keys.compactMap { file.reading($0) }
    }

    /// Judges the charges found: each once, a subscription as one.
    private mutating func find(_ found: [TransactionReading]) {
        var seen: Set<EntityKey> = []
        let ordered = found.sorted { $0.purchaseOrder < $1.purchaseOrder }
        for reading in ordered {
            let id = reading.snapshot.isAutoRenewable ? reading.originalId : reading.id
            guard seen.insert(.transaction(question.bundle, id)).inserted else { continue }
            charges.append(ChargeCase(reading, claimant: claimant, in: file))
        }
        charges.sort { $0.reading.purchaseOrder < $1.reading.purchaseOrder }
    }

    /// The charges that restores among `readings` lead to: a restore never pays, its original did.
    /// What is known to be somebody else's is left out.
    private func restored(from readings: [TransactionReading]) -> [TransactionReading] {
        readings.compactMap { $0.restoredId.flatMap { file.reading($0) } }.filter { original in
            guard original.isCharge else { return false }
            guard let owner = original.owner?.account, let account else { return true }
            return sameBytes(owner, account)
        }
    }

    private mutating func offer(_ evidence: BoundedSet<OfferedEvidence>?) {
        guard let evidence else { return }
        offered.merge(evidence.members)
        isOfferedCut = isOfferedCut || evidence.hasMore
    }

    private var ordersOfTransactions: [String] {
        var numbers = FactsMap<Earliest>()
        for reading in transactions + charges.map(\.reading) {
            if let number = reading.links.best?.orderNumber { numbers.tell(number, Earliest()) }
        }
        return numbers.keys
    }

    /// Whether the transaction itself was named for the order, or is linked to it.
    private func isNamed(_ reading: TransactionReading, _ number: String) -> Bool {
        reading.isLinked(to: number) || reading.facts.names[number] != nil
    }

    /// Whether an order, a token, a transfer, a user name or a delivery says whose it is; a sender
    /// alone does not.
    private func isNamedAtAll(_ reading: TransactionReading) -> Bool {
        if reading.links.best != nil { return true }
        switch reading.owner?.basis {
        case .transfer, .order, .token, .username, .delivery: return true
        case .sender, nil: return false
        }
    }

    private func isSent(_ reading: TransactionReading, by account: String) -> Bool {
        reading.facts.senders[account] != nil || sameBytes(reading.owner?.account, account)
    }

    // MARK: What the customer described

    private func fits(_ reading: TransactionReading, _ purchase: PurchaseDescription?) -> Bool {
        guard let purchase else { return true }
        let snapshot = reading.snapshot
        if let product = purchase.productId, !sameBytes(snapshot.productId, product) {
            return false
        }
        if let amount = purchase.amount, let price = snapshot.price, amount != price {
            return false
        }
        if let currency = purchase.currency, let signed = snapshot.currency, currency != signed {
            return false
        }
        guard let claimedAt = purchase.claimedAt, let date = snapshot.purchaseDate else {
            return true
        }
        return distance(claimedAt, date) <= UInt64(file.policy.candidateWindow)
    }

    private func fits(_ number: String, _ purchase: PurchaseDescription?) -> Bool {
        guard let purchase, let facts = file.order(number) else { return purchase == nil }
        let products = [facts.created.told?.productId].compactMap { $0 } + facts.products.keys
        if let product = purchase.productId, !products.isEmpty,
            !products.contains(where: { sameBytes($0, product) })
        {
            return false
        }
        guard let claimedAt = purchase.claimedAt, let first = facts.seen.first,
            let last = facts.seen.last
        else { return true }
        let window = file.policy.candidateWindow
        return shifted(claimedAt, by: window) >= first.receivedAt
            && shifted(claimedAt, by: -window) <= last.receivedAt
    }
}
