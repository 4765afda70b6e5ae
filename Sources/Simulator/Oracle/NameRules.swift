/// The verdict on what stands under a name (domain, section 6).
extension Judge {
    func verdict(on matter: Matter) -> ExpectedVerdict {
        let rollUp: [ExpectedVerdict] = [
            .paidNotDelivered, .deliveredToOther, .pending, .notClaimants, .lapsed, .delivered,
            .refunded,
        ]
        for verdict in rollUp where matter.charges.contains(where: { $0.verdict == verdict }) {
            return verdict == .paidNotDelivered && isChargedTwice(matter) ? .chargedTwice : verdict
        }
        return withoutCharge(matter)
    }

    /// Beside a charge that is owed, one of the same order and product stands delivered, and the
    /// order asked for one.
    private func isChargedTwice(_ matter: Matter) -> Bool {
        matter.charges.contains { owed in
            guard owed.verdict == .paidNotDelivered, let number = owed.transaction.order,
                quantity(of: number) == 1
            else { return false }
            return matter.charges.contains { other in
                other.verdict == .delivered && other.transaction.order == number
                    && other.transaction.snapshot?.transaction.product
                        == owed.transaction.snapshot?.transaction.product
            }
        }
    }

    private func quantity(of number: String) -> Int64 {
        guard knowledge.orders[number]?.created != nil else { return 1 }
        return order(number)?.quantity ?? 1
    }

    // MARK: No charge

    private func withoutCharge(_ matter: Matter) -> ExpectedVerdict {
        let proven = matter.transactions.filter { $0.snapshot != nil }
        let here = proven.filter { $0.kind != .elsewhere }
        if hasCandidate(matter) { return .paymentUnlinked }
        if !proven.isEmpty, here.isEmpty { return .wrongEnvironment }
        if !here.isEmpty, here.allSatisfy({ $0.kind == .shared }) { return .shared }
        if isServed(matter) { return .delivered }
        if offersAnothersProof(matter) { return .notClaimants }
        if !matter.offers.isEmpty, proven.isEmpty,
            matter.offers.allSatisfy({ $0.judgement == .forgery })
        {
            return .forged
        }
        if awaitsApproval(matter) { return .pending }
        // Nothing here tells that Apple's history is complete, so no charge is ever denied.
        return matter.isKnown ? .unproven : .unknown
    }

    /// Whose claim it is: the claimant's, else that of the account asked about.
    private func person(_ matter: Matter) -> String? { matter.claimant ?? matter.account }

    /// A delivery to the claimant stands.
    private func isServed(_ matter: Matter) -> Bool {
        deliveries(of: matter).contains { index in
            guard knowledge.deliveries[index]?.stands == true else { return false }
            let account = knowledge.life.accounts[knowledge.life.deliveries[index].account].id
            return person(matter).map { $0 == account } ?? true
        }
    }

    /// The deliveries of what was asked about: those that name it, or a transaction that is not
    /// another order's.
    func deliveries(of matter: Matter) -> Set<Int> {
        var deliveries = Set(matter.orders.flatMap { knowledge.orders[$0]?.deliveries ?? [] })
        let own = matter.transactions.filter { transaction in
            transaction.order.map { matter.isAboutAccount || matter.orders.contains($0) } ?? true
        }
        deliveries.formUnion(own.flatMap(\.known.deliveries))
        if matter.isAboutAccount, let account = matter.account {
            deliveries.formUnion(knowledge.accounts[account]?.deliveries ?? [])
        }
        return deliveries
    }

    /// Genuine proof of a charge that is another's.
    private func offersAnothersProof(_ matter: Matter) -> Bool {
        guard let person = person(matter) else { return false }
        var ids = matter.offers.filter { $0.judgement == .verified }.compactMap(\.transactionId)
        if matter.isAboutAccount {
            ids += matter.transactions.filter { $0.known.senders[person] != nil }.map(\.id)
        }
        return ids.compactMap { conclusions[$0] }.contains { offered in
            let charge = offered.restoredId.flatMap { conclusions[$0] } ?? offered
            guard charge.isCharge, let owner = charge.owner else { return false }
            return owner.account != person
        }
    }

    /// The last word is that a parent is asked, and it is young.
    private func awaitsApproval(_ matter: Matter) -> Bool {
        guard let last = lastAttempt(in: attempts(of: matter), withOutcomes: true),
            last.state == .deferred
        else { return false }
        return now < last.stamp.receivedAt + OraclePolicy.deferredStuck
    }

    // MARK: Attempts

    func attempts(of matter: Matter) -> [KnownAttempt] {
        var attempts = matter.orders.flatMap { knowledge.orders[$0]?.attempts ?? [] }
        if matter.isAboutAccount, let account = matter.account {
            attempts += knowledge.accounts[account]?.attempts ?? []
        }
        return attempts
    }

    /// An installation's own counter orders its events; between installations only our clock does.
    func lastAttempt(in attempts: [KnownAttempt], withOutcomes: Bool) -> KnownAttempt? {
        let counted = attempts.filter { withOutcomes || !$0.state.isOutcome }
        let byInstallation = Dictionary(grouping: counted, by: \.installation)
        return byInstallation.values.compactMap { told in
            told.max { $0.sequence < $1.sequence }
        }.max { $0.stamp < $1.stamp }
    }

    // MARK: Candidates

    /// Whether a charge that nothing names fits: by product and time, and by price or account.
    private func hasCandidate(_ matter: Matter) -> Bool {
        if !matter.loose.isEmpty { return true }
        for number in matter.orders where fits(number, person(matter)) { return true }
        if case .account(let account, let description?) = matter.question {
            return fits(description, account)
        }
        return false
    }

    private func fits(_ number: String, _ claimant: String?) -> Bool {
        guard let known = knowledge.orders[number] else { return false }
        let terms = known.created == nil ? nil : order(number)
        let attempts = known.attempts.filter { attempt in
            switch attempt.state {
            case .purchasing, .deferred, .failed, .cancelled, .purchased: true
            case .restored, .finished: false
            }
        }
        let instants =
            [known.created?.receivedAt].compactMap { $0 } + attempts.map(\.stamp.receivedAt)
        return hasCandidate(
            products: products(of: number), around: instants, price: terms?.price,
            currency: terms?.storefront.currency,
            account: conclusions.account(ofOrder: number) ?? claimant)
    }

    private func fits(_ description: Matter.Description, _ account: String) -> Bool {
        guard let product = description.product, let claimedAt = description.claimedAt else {
            return false
        }
        return hasCandidate(
            products: [product], around: [claimedAt], price: description.amount,
            currency: description.currency, account: account)
    }

    private func hasCandidate(
        products: Set<String>, around instants: [Int64], price: Int64?, currency: String?,
        account: String?
    ) -> Bool {
        let window = OraclePolicy.candidateWindow
        let own = conclusions.transactions.values.contains { charge in
            guard charge.isCharge, charge.links.isEmpty, let snapshot = charge.snapshot,
                products.contains(snapshot.transaction.product.id(in: knowledge.life.app)),
                instants.contains(where: { abs($0 - snapshot.transaction.purchaseDate) <= window })
            else { return false }
            if let owner = charge.owner, owner.isNamed, let account, owner.account != account {
                return false
            }
            if let price, price == snapshot.price,
                (currency ?? snapshot.currency) == snapshot.currency
            {
                return true
            }
            return account.map { names($0, charge) } ?? false
        }
        if own { return true }
        guard let price else { return false }
        return products.contains { product in
            let shelf = OrphanIndex.Shelf(bundle: knowledge.life.app.bundle, product: product)
            return instants.contains { instant in
                orphans.holds(
                    on: shelf, instant - window...instant + window, price: price,
                    currency: currency, outside: knowledge.life.circle)
            }
        }
    }

    private func names(_ account: String, _ charge: Conclusion) -> Bool {
        charge.owner?.account == account || charge.known.senders[account] != nil
            || charge.known.reporters.contains(account) || charge.known.bearers.contains(account)
    }
}
