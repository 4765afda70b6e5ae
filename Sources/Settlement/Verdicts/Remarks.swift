/// Collects the remarks of an answer.
struct Remarks {
    static let eventsMax = 64
    static let subjectsMax = 64
    /// Remarks of one code.
    static let remarksMax = 64

    private var found: [RemarkCode: [Remark]] = [:]

    /// The remarks in the order of the vocabulary; those of one code in the order they were found.
    var all: [Remark] { RemarkCode.allCases.flatMap { found[$0] ?? [] } }

    mutating func add(
        _ code: RemarkCode, _ subjects: [String], isWeak: Bool = false, _ stamps: [Stamp?]
    ) {
        let remark = Remark(
            code: code, subjects: Array(unique(subjects).prefix(Self.subjectsMax)), isWeak: isWeak,
            events: eventKeys(stamps, max: Self.eventsMax))
        if found[code, default: []].count < Self.remarksMax {
            found[code, default: []].append(remark)
        }
    }
}

/// The keys of the events, each once, oldest first.
func eventKeys(_ stamps: [Stamp?], max count: Int) -> [[UInt8]] {
    Set(stamps.compactMap { $0 }).sorted().prefix(count).map(\.key)
}

extension Remarks {
    init(
        _ subject: Subject, attempts: AttemptSummary, isCut: Bool, in file: CaseFile
    ) {
        if isCut { add(.incomplete, [], []) }
        for number in subject.orders {
            if let facts = file.order(number) { order(number, facts, subject, in: file) }
        }
        if subject.isAboutAccount, file.namesAreAccounts, let account = subject.account,
            let facts = file.order(account)
        {
            installations(account, facts, in: file)
        }
        stuck(subject, attempts, in: file)
        offers(subject.offers(in: file))
        let charges = subject.charges.map(\.reading)
        let known = Set(subject.transactions.map { EntityKey.transaction(file.bundle, $0.id) })
        let others = charges.filter { !known.contains(.transaction(file.bundle, $0.id)) }
        for reading in subject.transactions + others { transaction(reading, in: file) }
        for charge in subject.charges { self.charge(charge, in: file) }
        floods(subject, in: file)
    }

    // MARK: Orders

    private mutating func order(
        _ number: String, _ facts: OrderFacts, _ subject: Subject, in file: CaseFile
    ) {
        if facts.cancelled.first != nil { add(.orderCancelled, [number], [facts.cancelled.first]) }
        installations(number, facts, in: file)
        unpaidDeliveries(number, facts, subject, in: file)
    }

    /// What stands delivered under the order and falls on no charge.
    private mutating func unpaidDeliveries(
        _ number: String, _ facts: OrderFacts, _ subject: Subject, in file: CaseFile
    ) {
        let charges = file.charges(linkedTo: number)
        let shares = file.shares(ofOrder: number)
        let named = facts.deliveries.keys.filter { id in
            guard let delivery = file.delivery(id), delivery.standing > 0,
                !delivery.transactions.isEmpty
            else { return false }
            return delivery.transactions.keys.allSatisfy {
                (file.reading($0)?.kind ?? .unverified) == .unverified
            }
        }
        for id in named + shares.surplus.map(\.deliveryId) {
            guard let delivery = file.delivery(id), delivery.goodwill.stamp == nil,
                facts.goodwill.stamp == nil
            else { continue }
            let fits = charges.contains { delivery.covers($0.snapshot.productId) }
            add(
                fits && delivery.transactions.isEmpty ? .deliveredTwice : .deliveredNotPaid,
                [number, id], [delivery.succeeded.first])
        }
    }

    /// A purchase of the same product that stood bought and unfinished when this one was tried.
    private mutating func installations(_ number: String, _ facts: OrderFacts, in file: CaseFile) {
        for (name, attempts) in facts.attempts {
            guard let installation = file.installation(name) else { continue }
            for (id, installed) in installation.transactions
            where !sameBytes(file.reading(id)?.links.best?.orderNumber, number)
                || file.namesAreAccounts
            {
                let product = installed.product.told
                guard facts.products.contains(where: { sameBytes($0.key, product) }) else {
                    continue
                }
                for tried in [attempts.purchasing, attempts.failed] {
                    guard let grade = isBlocked(tried, by: installed) else { continue }
                    add(
                        .unfinishedBlocksRepurchase, [id], isWeak: grade == .weak,
                        [installed.purchased.span.first, tried.span.first])
                }
            }
        }
    }

    private enum Grade { case strong, weak }

    /// By the installation's own counter where all have one, else by our clock, graded weak.
    private func isBlocked(_ tried: Moments, by installed: InstalledTransaction) -> Grade? {
        guard tried.isTold, installed.purchased.isTold else { return nil }
        if let last = tried.sequenceLast, let bought = installed.purchased.sequenceFirst,
            !installed.finished.isTold || installed.finished.sequenceFirst != nil
        {
            let finished = installed.finished.sequenceFirst ?? .max
            return bought < last && last < finished ? .strong : nil
        }
        guard let last = tried.span.last, let bought = installed.purchased.span.first else {
            return nil
        }
        let isOpen = installed.finished.span.first.map { last < $0 } ?? true
        return bought < last && isOpen ? .weak : nil
    }

    private mutating func stuck(_ subject: Subject, _ attempts: AttemptSummary, in file: CaseFile) {
        guard subject.charges.isEmpty, !attempts.isReported, let since = attempts.since else {
            return
        }
        let limit: (code: RemarkCode, time: Int64)
        switch attempts.mark {
        case .purchasing: limit = (.stuckPurchasing, file.policy.purchasingStuck)
        case .deferred: limit = (.stuckDeferred, file.policy.deferredStuck)
        case .none, .cancelled, .failed: return
        }
        guard file.clock.hasReached(shifted(since, by: limit.time)) else { return }
        add(limit.code, subject.orders, attempts.stamps)
    }

    private mutating func offers(_ offers: [Offer]) {
        let refused = offers.filter(\.isRefused)
        guard !refused.isEmpty else { return }
        add(.evidenceRefused, refused.compactMap(\.judgement.reason), refused.map(\.first))
    }

    // MARK: Floods

    private mutating func floods(_ subject: Subject, in file: CaseFile) {
        var names = FactsMap<Earliest>()
        for order in subject.orderFacts(in: file) {
            for name in order.attempts.keys { names.tell(name, Earliest()) }
        }
        for reading in subject.transactions {
            for name in reading.facts.reports.keys { names.tell(name, Earliest()) }
        }
        for name in names.keys {
            for (_, callbacks) in file.installation(name)?.callbacks ?? FactsMap() {
                flood(callbacks.members.map(\.value), file.policy)
            }
        }
    }

    private mutating func flood(_ callbacks: [Callback], _ policy: Policy) {
        let sorted = callbacks.filter { $0.at.stamp != nil }
            .sorted { ($0.at.stamp?.receivedAt ?? 0) < ($1.at.stamp?.receivedAt ?? 0) }
        guard let needed = Int(exactly: policy.floodCallbacks), sorted.count >= needed else {
            return
        }
        let isFlood = (needed - 1..<sorted.count).contains { last in
            guard let first = sorted[last - needed + 1].at.stamp, let end = sorted[last].at.stamp
            else {
                return false
            }
            return distance(first.receivedAt, end.receivedAt) <= UInt64(policy.floodWindow)
        }
        guard isFlood else { return }
        add(.replayFlood, sorted.compactMap(\.transactionId.told), sorted.map(\.at.stamp))
    }
}
