/// What a question is about, and what stands under it (domain, section 6).
struct Matter {
    /// What was asked.
    enum Question: Equatable {
        case order(String)
        case transaction(String)
        case appleOrder(String)
        case account(String, Description?)
    }

    /// A purchase as a customer describes it.
    struct Description: Equatable {
        var product: String?
        var amount: Int64?
        var currency: String?
        var claimedAt: Int64?
    }

    var question: Question
    var claimant: String?
    /// The account asked about, or that of the order.
    var account: String?
    var orders: [String] = []
    var transactions: [Conclusion] = []
    var charges: [JudgedCharge] = []
    /// Charges that only their sender makes the account's.
    var loose: [Conclusion] = []
    var offers: [KnownOffer] = []
    var isKnown = false

    var isAboutAccount: Bool {
        switch question {
        case .account: true
        case .order, .transaction, .appleOrder: false
        }
    }
}

/// Finding what a question is about.
extension Judge {
    func matter(_ question: Matter.Question, claimant: String?) -> Matter {
        var matter = Matter(question: question, claimant: claimant)
        switch question {
        case .order(let number):
            if knowledge.namesAreAccounts, knowledge.orders[number] == nil {
                // In the account convention a user name is an account.
                matter.question = .account(number, nil)
                gather(account: number, nil, into: &matter)
            } else {
                gather(order: number, into: &matter)
            }
        case .transaction(let id): gather(transaction: id, into: &matter)
        // Nothing looked it up at Apple.
        case .appleOrder: break
        case .account(let account, let description):
            gather(account: account, description, into: &matter)
        }
        return matter
    }

    private func gather(order number: String, into matter: inout Matter) {
        let known = knowledge.orders[number]
        matter.orders = [number]
        matter.account = conclusions.account(ofOrder: number)
        matter.transactions = transactions(under: number)
        matter.isKnown = known != nil || !matter.transactions.isEmpty
        let mine = matter.transactions.filter { $0.isCharge && $0.order == number }
        let named = matter.transactions.filter { transaction in
            transaction.order == number || transaction.known.deviceNames[number] != nil
                || transaction.known.platformNames[number] != nil
        }
        matter.charges = judged(
            mine + restored(from: named, for: matter.account), claimant: matter.claimant)
        matter.offers = known?.offers ?? []
    }

    private func gather(transaction id: String, into matter: inout Matter) {
        let family = conclusions.family(of: id).filter { $0.id != id }
        matter.transactions = ([conclusions[id]].compactMap { $0 } + family)
        matter.isKnown = !matter.transactions.isEmpty
        matter.charges = judged(
            matter.transactions.filter(\.isCharge) + restored(from: matter.transactions, for: nil),
            claimant: matter.claimant)
        matter.orders = linkedOrders(of: matter)
        matter.account = matter.charges.first?.transaction.owner?.account
        matter.offers = offers(of: id, by: matter.claimant)
    }

    /// The proof that a claimant sent of a transaction; what cannot be read may have been one.
    private func offers(of id: String, by claimant: String?) -> [KnownOffer] {
        guard let claimant else { return [] }
        let orders = knowledge.orders.filter { conclusions.account(ofOrder: $0.key) == claimant }
        let all = (knowledge.accounts[claimant]?.offers ?? []) + orders.values.flatMap(\.offers)
        return all.filter { $0.transactionId == id || $0.transactionId == nil }
    }

    private func gather(
        account: String, _ description: Matter.Description?, into matter: inout Matter
    ) {
        let known = knowledge.accounts[account]
        matter.account = account
        matter.claimant = matter.claimant ?? account
        matter.orders = (known?.orders ?? []).sorted().filter { fits($0, description) }
        matter.transactions = transactions(of: account, matter.orders)
        let fitting = matter.transactions.filter { fits($0, description) }
        let mine = fitting.filter { $0.isCharge && $0.owner?.account == account }
        let sent = fitting.filter { transaction in
            transaction.known.senders[account] != nil || transaction.owner?.account == account
        }
        matter.charges = judged(
            mine.filter { !isLoose($0) } + restored(from: sent, for: account),
            claimant: matter.claimant)
        matter.loose = mine.filter(isLoose)
        matter.offers =
            matter.orders.flatMap { knowledge.orders[$0]?.offers ?? [] } + (known?.offers ?? [])
        matter.isKnown =
            description == nil ? known != nil : !matter.orders.isEmpty || !fitting.isEmpty
    }

    // MARK: Parts

    /// Each charge once, a subscription as one, by purchase.
    private func judged(_ charges: [Conclusion], claimant: String?) -> [JudgedCharge] {
        var seen: Set<String> = []
        return charges.sorted { $0.purchase < $1.purchase }.filter { charge in
            let isSubscription = charge.snapshot?.isSubscription == true
            return seen.insert(isSubscription ? charge.originalId : charge.id).inserted
        }.map { judge($0, claimant: claimant) }
            .sorted { $0.transaction.purchase < $1.transaction.purchase }
    }

    /// What restores lead to; what is known to be another account's is left out.
    private func restored(from transactions: [Conclusion], for account: String?) -> [Conclusion] {
        transactions.compactMap { $0.restoredId.flatMap { conclusions[$0] } }.filter { original in
            guard original.isCharge else { return false }
            guard let account, let owner = original.owner else { return true }
            return owner.account == account
        }
    }

    /// Nothing but who sent it says whose it is.
    private func isLoose(_ charge: Conclusion) -> Bool {
        guard charge.links.isEmpty else { return false }
        switch charge.owner?.basis {
        case .order, .token, .username, .delivery: return false
        case .sender, nil: return true
        }
    }

    /// Everything that stands under an order: named with it, carrying its token, delivered for it,
    /// and what belongs to the same subscriptions or restores the same.
    func transactions(under number: String) -> [Conclusion] {
        let known = knowledge.orders[number]
        var ids = known?.transactions ?? []
        for conclusion in conclusions.transactions.values
        where !knowledge.namesAreAccounts && conclusion.snapshot?.token == number {
            ids.insert(conclusion.id)
        }
        for delivery in known?.deliveries ?? [] {
            if let index = knowledge.life.deliveries[delivery].transaction {
                ids.insert(knowledge.life.transactions[index].id)
            }
        }
        for id in ids {
            guard let transaction = conclusions[id] else { continue }
            for original in [transaction.originalId] + transaction.known.originals.keys {
                ids.insert(original)
                ids.formUnion(conclusions.family(of: original).map(\.id))
            }
        }
        return ids.sorted().compactMap { conclusions[$0] }
    }

    private func transactions(of account: String, _ orders: [String]) -> [Conclusion] {
        var ids = knowledge.accounts[account]?.transactions ?? []
        for number in orders { ids.formUnion(transactions(under: number).map(\.id)) }
        if knowledge.namesAreAccounts {
            for conclusion in conclusions.transactions.values
            where conclusion.snapshot?.token == account
                || conclusion.known.usernames[account] != nil
            {
                ids.insert(conclusion.id)
            }
        }
        for delivery in knowledge.accounts[account]?.deliveries ?? [] {
            if let index = knowledge.life.deliveries[delivery].transaction {
                ids.insert(knowledge.life.transactions[index].id)
            }
        }
        return ids.sorted().compactMap { conclusions[$0] }
    }

    private func linkedOrders(of matter: Matter) -> [String] {
        let all = matter.transactions + matter.charges.map(\.transaction)
        return Set(all.compactMap(\.order)).sorted()
    }

    // MARK: What a customer describes

    private func fits(_ transaction: Conclusion, _ description: Matter.Description?) -> Bool {
        guard let description else { return true }
        let snapshot = transaction.snapshot
        let product = snapshot.map { $0.transaction.product.id(in: knowledge.life.app) }
        if let wanted = description.product, wanted != product { return false }
        if let amount = description.amount, let price = snapshot?.price, amount != price {
            return false
        }
        if let currency = description.currency, let signed = snapshot?.currency,
            currency != signed
        {
            return false
        }
        guard let claimedAt = description.claimedAt, let snapshot else { return true }
        return abs(claimedAt - snapshot.transaction.purchaseDate) <= OraclePolicy.candidateWindow
    }

    private func fits(_ number: String, _ description: Matter.Description?) -> Bool {
        guard let description, let known = knowledge.orders[number] else {
            return description == nil
        }
        let products = products(of: number)
        if let wanted = description.product, !products.isEmpty, !products.contains(wanted) {
            return false
        }
        guard let claimedAt = description.claimedAt else { return true }
        return claimedAt + OraclePolicy.candidateWindow >= known.firstSeen
            && claimedAt - OraclePolicy.candidateWindow <= known.lastSeen
    }

    /// The products that the platform and the devices named with an order.
    func products(of number: String) -> Set<String> {
        guard let known = knowledge.orders[number] else { return [] }
        var products = known.products
        if known.created != nil, let order = order(number) {
            products.insert(order.product.id(in: knowledge.life.app))
        }
        return products
    }

    /// The order's terms; they count only once the platform told them.
    func order(_ number: String) -> World.Order? {
        knowledge.life.orders.first { ($0.token ?? $0.number) == number }
    }
}
