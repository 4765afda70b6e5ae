/// Evidence that was offered, with the judgement that holds now.
struct Offer {
    let digest: String
    let first: Stamp?
    let judgement: Judgement
    let isVerified: Bool

    /// The reasons that speak of forgery; every other one accuses nobody (app-store.md, 3.3).
    static let forgery = [
        "bad-signature", "untrusted-chain", "wrong-certificate-purpose", "bad-algorithm",
    ]

    var isRefused: Bool { !isVerified && judgement.status == "refused" }
    var isForgery: Bool { isRefused && Self.forgery.contains(judgement.reason ?? "") }
    /// Nobody could read it, or nobody judged it.
    var isUnreadable: Bool {
        guard !isVerified else { return false }
        switch judgement.reason {
        case "malformed", "unknown-kind", "too-large", "unsigned", nil: return true
        default: return false
        }
    }
}

extension Subject {
    /// What was offered, with the latest judgement: one that was refused may have been verified
    /// since, by another road or after a setting was mended.
    func offers(in file: CaseFile) -> [Offer] {
        offered.map { digest, evidence in
            let judgement = evidence.judgement.told ?? Judgement()
            let sameElsewhere = judgement.transactionId.flatMap { file.transaction($0) }
                .map { $0.digests.members[digest] != nil }
            return Offer(
                digest: digest, first: evidence.first.stamp, judgement: judgement,
                isVerified: judgement.status == "verified" || sameElsewhere == true)
        }
    }

    /// The facts of the orders; in the account convention also what stands under the account as a
    /// user name.
    func orderFacts(in file: CaseFile) -> [OrderFacts] {
        let username = isAboutAccount && file.namesAreAccounts ? account : nil
        return unique(orders + [username].compactMap { $0 }).compactMap { file.order($0) }
    }

    /// Whether a transaction that was named here too belongs to an order that was not asked about:
    /// what was delivered for it was delivered there.
    private func isAnotherOrders(_ reading: TransactionReading) -> Bool {
        guard !isAboutAccount, let number = reading.links.best?.orderNumber else { return false }
        return !orders.contains { sameBytes($0, number) }
    }

    /// The deliveries that name what was asked about.
    func deliveries(in file: CaseFile) -> [(id: String, facts: DeliveryFacts)] {
        var ids = FactsMap<Earliest>()
        for order in orderFacts(in: file) {
            for id in order.deliveries.keys { ids.tell(id, Earliest()) }
        }
        for reading in transactions where !isAnotherOrders(reading) {
            for id in reading.facts.deliveries.keys { ids.tell(id, Earliest()) }
        }
        if isAboutAccount, let account, let facts = file.account(account) {
            for id in facts.deliveries.keys { ids.tell(id, Earliest()) }
        }
        return ids.keys.compactMap { id in file.delivery(id).map { (id, $0) } }
    }
}

extension NoChargeConditions {
    init(
        _ subject: Subject, candidates: [Candidate], attempts: AttemptSummary, coverage: Coverage,
        in file: CaseFile
    ) {
        let offers = subject.offers(in: file)
        let claimant = subject.claimant ?? subject.account
        let verified = subject.transactions.filter(\.isVerified)
        let here = verified.filter { $0.kind != .elsewhere }
        hasLikelyCandidate = candidates.contains(where: \.isLikely)
        isElsewhere =
            here.isEmpty
            && (verified.contains { $0.snapshot.environment != nil }
                || offers.contains { Self.isElsewhere($0, subject.question.bundle, file.settings) })
        isShared = !here.isEmpty && here.allSatisfy { $0.kind == .shared }
        isDelivered = subject.deliveries(in: file).contains { delivery in
            guard delivery.facts.standing > 0 else { return false }
            guard let claimant, let account = delivery.facts.account else { return true }
            return sameBytes(claimant, account)
        }
        offersAnothersProof = Self.offersAnothersProof(subject, offers, claimant, in: file)
        offersForgeries =
            !offers.isEmpty && !subject.isOfferedCut && verified.isEmpty
            && offers.allSatisfy(\.isForgery)
        isDenied = verified.isEmpty && Self.isDenied(subject.question, coverage)
        isDeferred = Self.isDeferred(attempts, in: file)
        isCovered =
            verified.isEmpty
            && Self.isCovered(subject, attempts, candidates, coverage, file.policy)
        isKnown = subject.isKnown
    }

    /// Whether what was offered has a good signature and is of another place.
    private static func isElsewhere(_ offer: Offer, _ bundle: String, _ settings: Settings) -> Bool
    {
        let other = offer.judgement.bundle.flatMap { sameBytes($0, bundle) ? nil : $0 }
        if offer.isVerified { return other.map(settings.accepts(bundle:)) ?? false }
        switch offer.judgement.reason {
        case "xcode-signed", "wrong-environment": return true
        case "wrong-bundle": return other.map { settings.bundles[$0] != nil } ?? false
        default: return false
        }
    }

    /// Whether somebody offers genuine proof of a charge that is known to be another's.
    private static func offersAnothersProof(
        _ subject: Subject, _ offers: [Offer], _ claimant: String?, in file: CaseFile
    ) -> Bool {
        guard let claimant else { return false }
        var ids = offers.filter(\.isVerified).compactMap(\.judgement.transactionId)
        if subject.isAboutAccount {
            ids += subject.transactions.filter { $0.facts.senders[claimant] != nil }.map(\.id)
        }
        return ids.compactMap { file.reading($0) }.contains { reading in
            let charge = reading.restoredId.flatMap { file.reading($0) } ?? reading
            guard charge.isCharge, let owner = charge.owner else { return false }
            return !sameBytes(owner.account, claimant)
        }
    }

    private static func isDenied(_ question: Question, _ coverage: Coverage) -> Bool {
        switch question.subject {
        case .transaction(let id), .appleOrder(let id): coverage.denied.contains(id)
        case .order, .token, .account: false
        }
    }

    private static func isDeferred(_ attempts: AttemptSummary, in file: CaseFile) -> Bool {
        guard attempts.mark == .deferred, attempts.isLast, let since = attempts.since else {
            return false
        }
        return !file.clock.hasReached(shifted(since, by: file.policy.deferredStuck))
    }

    /// A payment is denied only when Apple's history is complete beyond the last attempt, and holds
    /// no charge that might be this one.
    private static func isCovered(
        _ subject: Subject, _ attempts: AttemptSummary, _ candidates: [Candidate],
        _ coverage: Coverage, _ policy: Policy
    ) -> Bool {
        guard let last = attempts.lastStamp, attempts.mark != .none, !attempts.isReported,
            !subject.transactions.contains(where: \.isReported), candidates.isEmpty,
            let until = coverage.appleUntil
        else { return false }
        return until >= shifted(last.receivedAt, by: policy.coverageMargin)
    }
}
