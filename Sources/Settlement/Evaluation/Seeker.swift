/// What speaks for and against a charge for an order.
struct Match: Equatable {
    var reasons: [Candidate.Reason]
    var doubts: [Candidate.Doubt]

    var score: Int64 { reasons.reduce(0) { $0 + $1.weight } - Int64(doubts.count) }
}

/// What looks for its charge: an order that has none, or a purchase that a customer describes.
struct Seeker {
    let orderNumber: String?
    let products: [String]
    /// When it was created and attempted, or when the customer says: milliseconds since 1970 UTC.
    let instants: [Int64]
    let price: Int64?
    let currency: String?
    let account: String?
    let storefront: String?
    let installations: [String]

    /// An order; `nil` when nothing is known of it.
    init?(order number: String, claimant: String?, in file: CaseFile) {
        guard let facts = file.order(number) else { return nil }
        let terms = facts.created.told
        orderNumber = number
        products = unique([terms?.productId].compactMap { $0 } + facts.products.keys)
        instants =
            ([facts.created.stamp] + facts.attempts.flatMap { $0.value.instants })
            .compactMap { $0?.receivedAt }
        price = terms?.price
        currency = terms?.currency
        account = file.accountOfOrder(number) ?? claimant
        storefront = terms?.storefront
        installations = facts.attempts.keys
    }

    /// What a customer describes.
    init(_ purchase: PurchaseDescription, account: String, in file: CaseFile) {
        orderNumber = nil
        products = [purchase.productId].compactMap { $0 }
        instants = [purchase.claimedAt].compactMap { $0 }
        price = purchase.amount
        currency = purchase.currency
        self.account = account
        storefront = nil
        installations = []
    }

    /// The ranges of the index in which its charge may stand.
    func ranges(in file: CaseFile) -> [CandidateRange] {
        guard let first = instants.min(), let last = instants.max() else { return [] }
        let window = file.policy.candidateWindow
        return products.map { product in
            CandidateRange(
                kind: .charge, bundle: file.bundle, productId: product,
                from: shifted(first, by: -window), to: shifted(last, by: window))
        }
    }

    /// The charges there that no order has.
    func unlinkedCharges(in file: CaseFile) -> [TransactionReading] {
        var ids = FactsMap<Earliest>()
        for range in ranges(in: file) {
            for id in file.dossier.page(range)?.ids ?? [] { ids.tell(id, Earliest()) }
        }
        return ids.keys.compactMap { file.reading($0) }.filter {
            $0.isCharge && $0.links.best == nil
        }
    }

    /// Whether the charge may be its own, and what says so; `nil` when it cannot.
    func match(_ charge: TransactionReading, in file: CaseFile) -> Match? {
        let snapshot = charge.snapshot
        guard let product = snapshot.productId, let date = snapshot.purchaseDate,
            products.contains(where: { sameBytes($0, product) }),
            instants.contains(where: { distance($0, date) <= UInt64(file.policy.candidateWindow) }),
            !belongsToAnother(charge)
        else { return nil }
        var reasons: [Candidate.Reason] = [.product, .window]
        if let price, price == snapshot.price, currency == nil || currency == snapshot.currency {
            reasons.append(.price)
        }
        if let account {
            if names(account, charge, in: file) { reasons.append(.account) }
            if knows(account, charge, in: file) { reasons.append(.customer) }
        }
        if charge.facts.reports.keys.contains(where: { report in
            !report.isEmpty && installations.contains { sameBytes($0, report) }
        }) {
            reasons.append(.device)
        }
        if let storefront, storefront == snapshot.storefront { reasons.append(.storefront) }
        return Match(reasons: reasons, doubts: doubts(charge, in: file))
    }

    /// A token, a user name or a transfer gives it to another account: that rules it out. A
    /// delivery or a sender does not: goods do go astray.
    private func belongsToAnother(_ charge: TransactionReading) -> Bool {
        guard let owner = charge.owner else { return false }
        switch owner.basis {
        case .transfer, .order, .token, .username:
            return account.map { !sameBytes($0, owner.account) } ?? false
        case .delivery, .sender: return false
        }
    }

    private func names(_ account: String, _ charge: TransactionReading, in file: CaseFile) -> Bool {
        sameBytes(charge.owner?.account, account) || charge.facts.senders[account] != nil
            || file.account(account)?.transactions[charge.id] != nil
    }

    /// Whether the account is known to belong to the charge's customer at Apple.
    private func knows(_ account: String, _ charge: TransactionReading, in file: CaseFile) -> Bool {
        guard let customer = charge.snapshot.appTransactionId, let facts = file.account(account)
        else { return false }
        return facts.customers[customer] != nil
            || facts.transactions.contains {
                !sameBytes($0.key, charge.id) && sameBytes($0.value.customer.told, customer)
            }
    }

    private func doubts(_ charge: TransactionReading, in file: CaseFile) -> [Candidate.Doubt] {
        guard let account else { return [] }
        var doubts: [Candidate.Doubt] = []
        if charge.facts.senders.contains(where: { !sameBytes($0.key, account) }) {
            doubts.append(.sentByAnother)
        }
        let goesAstray = file.directShares(of: charge).contains { share in
            share.standing > 0 && share.facts.account.map { !sameBytes($0, account) } ?? false
        }
        if goesAstray { doubts.append(.deliveredToAnother) }
        return doubts
    }
}

extension Attempts {
    /// The first and last stamps of everything that was tried.
    var instants: [Stamp?] {
        [purchasing, deferred, failed, cancelled, purchased].flatMap {
            [$0.span.first, $0.span.last]
        }
    }
}

/// The texts, each once, in order.
func unique(_ texts: [String]) -> [String] {
    var result: [String] = []
    for text in texts where !result.contains(where: { sameBytes($0, text) }) { result.append(text) }
    return result
}
