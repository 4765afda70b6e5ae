/// Remarks about transactions and charges.
extension Remarks {
    mutating func transaction(_ reading: TransactionReading, in file: CaseFile) {
        finishedBeforeVerified(reading)
        links(reading, in: file)
        reuse(reading, in: file)
        let facts = reading.facts
        if facts.snapshots.count > 1 {
            add(.environmentConflict, [reading.id], facts.snapshots.map(\.value.stamp.stamp))
        }
        if reading.kind == .elsewhere {
            add(.sandboxInProduction, [reading.id], [reading.snapshotStamp])
        }
        let words = reading.isVerified ? reading.snapshot.unknownWords : []
        if !words.isEmpty { add(.unknownVocabulary, words, [reading.snapshotStamp]) }
    }

    /// P1: the proof may be gone. A restore is no payment and may be finished at once.
    private mutating func finishedBeforeVerified(_ reading: TransactionReading) {
        let reports = reading.facts.reports.map(\.value)
        guard let finished = reports.compactMap(\.finished.span.first).min(),
            reading.kind != .restore,
            reports.contains(where: { $0.purchased.isTold || !$0.restored.isTold })
        else { return }
        let unacknowledged = reports.compactMap(\.unacknowledged.stamp).min()
        let isEarly = reading.facts.verified.stamp.map { finished < $0 } ?? true
        guard isEarly || unacknowledged != nil else { return }
        add(
            .finishedBeforeVerified, [reading.id],
            [finished, unacknowledged, reading.facts.verified.stamp])
    }

    private mutating func links(_ reading: TransactionReading, in file: CaseFile) {
        let named = reading.links.all.filter { $0.strength != .inherited }
        guard let best = named.first else { return }
        let numbers = unique(named.map(\.orderNumber))
        let isOpen: Bool
        switch best.strength {
        case .agent: isOpen = reading.links.isContested
        case .signed:
            isOpen = reading.links.isContested
            let signed = named.filter { $0.strength == .signed }.map(\.orderNumber)
            let others = numbers.filter { number in !signed.contains { sameBytes($0, number) } }
            if !others.isEmpty {
                add(.tokenMismatch, [reading.id] + numbers, named.map(\.stamp))
            }
        case .platform, .device, .inherited: isOpen = numbers.count > 1
        }
        if isOpen { add(.linkConflict, [reading.id] + numbers, named.map(\.stamp)) }
    }

    /// Several accounts sent it, and nothing else shows that they are one customer of Apple's.
    private mutating func reuse(_ reading: TransactionReading, in file: CaseFile) {
        var senders = reading.facts.senders
        if file.namesAreAccounts && reading.isVerified {
            for (name, mentions) in reading.facts.names where !file.isPlaceholder(name) {
                if mentions.device.stamp != nil { senders.tell(name, mentions.device) }
            }
        }
        guard senders.count > 1 else { return }
        let customers = senders.keys.map { customersOf($0, besides: reading.id, in: file) }
        let common = customers.dropFirst().reduce(customers[0]) { $0.intersection($1) }
        guard common.isEmpty else { return }
        add(.transactionReused, [reading.id], senders.map(\.value.stamp))
    }

    /// Apple's customers that the account is known to be, leaving out what the transaction itself
    /// says: that is the same for whoever sends it.
    private func customersOf(
        _ account: String, besides id: String, in file: CaseFile
    ) -> Set<String> {
        guard let facts = file.account(account) else { return [] }
        let sent = facts.transactions.filter { !sameBytes($0.key, id) }
            .compactMap(\.value.customer.told)
        return Set(facts.customers.keys + sent)
    }

    // MARK: Charges

    mutating func charge(_ charge: ChargeCase, in file: CaseFile) {
        let id = charge.id
        let proof = charge.reading.snapshotStamp
        switch charge.snapshot.refundWord {
        case .refundedInPart: add(.refundedInPart, [id], [proof])
        case .withdrawn:
            let reason = charge.snapshot.revocationReason.map { "reason \($0)" }
            add(.withdrawn, [id] + [reason].compactMap { $0 }, [proof])
        case .none, .refunded, .upgraded, .familyRevoked: break
        }
        if charge.reading.links.best == nil, !file.namesAreAccounts {
            add(.lostOrderNumber, [id], [proof])
        }
        let standing = saturatingSum([charge.delivered, charge.misdelivered])
        let delivered = charge.shares.filter { $0.standing > 0 }.map(\.facts.succeeded.first)
        if charge.conditions.isRefunded && standing > 0 {
            add(.refundNotRevoked, [id], [proof] + delivered)
        }
        if standing > charge.reading.quantity { add(.deliveredTwice, [id], delivered) }
        unacknowledged(charge.reading, in: file)
        mismatches(charge, in: file)
    }

    private mutating func unacknowledged(_ reading: TransactionReading, in file: CaseFile) {
        let reports = reading.facts.reports.map(\.value)
        guard let bought = reports.compactMap(\.purchased.span.first).min(),
            !reports.contains(where: \.finished.isTold),
            file.clock.hasReached(
                shifted(bought.receivedAt, by: file.policy.finishUnacknowledged))
        else { return }
        add(.finishUnacknowledged, [reading.id], [bought])
    }

    /// The order against what was signed. A renewal, which only inherits its order, is not
    /// compared.
    private mutating func mismatches(_ charge: ChargeCase, in file: CaseFile) {
        guard let link = charge.reading.links.best, link.strength != .inherited,
            let facts = file.order(link.orderNumber), let terms = facts.created.told
        else { return }
        let signed = charge.snapshot
        let stamps = [facts.created.stamp, charge.reading.snapshotStamp]
        let subjects = [charge.id, link.orderNumber]
        if let product = terms.productId, let owed = signed.productId, !sameBytes(product, owed) {
            add(.productMismatch, subjects, stamps)
        }
        if let ordered = terms.quantity, max(1, ordered) != charge.reading.quantity {
            add(.quantityMismatch, subjects, stamps)
        }
        if let ordered = terms.currency, let paid = signed.currency, !sameBytes(ordered, paid) {
            add(.currencyMismatch, subjects, stamps)
        } else if let ordered = terms.price, let paid = signed.price, ordered != paid {
            let isExplained = signed.offerType != nil && paid < ordered
            if !isExplained { add(.priceMismatch, subjects, stamps) }
        }
    }
}
