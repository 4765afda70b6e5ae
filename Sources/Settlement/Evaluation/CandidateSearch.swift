/// Looks for charges that may belong to what was asked about, and for orders that a charge with
/// none may belong to.
struct CandidateSearch {
    let file: CaseFile
    let subject: Subject
    /// What looks for a charge: the orders without one, and what the customer described.
    let seekers: [Seeker]
    /// Charges that look for an order.
    let orphans: [TransactionReading]
    /// The charges that fit each seeker.
    private let matches: [(seeker: Seeker, charge: TransactionReading, match: Match)]

    /// How many orders, and how many charges, are searched for.
    private static let seekersMax = 50
    private static let orphansMax = 20

    init(_ file: CaseFile, _ question: Question) {
        self.init(file, Subject(question, in: file))
    }

    init(_ file: CaseFile, _ subject: Subject) {
        self.file = file
        self.subject = subject
        let claimant = subject.claimant ?? subject.account
        let paid = Set(
            subject.charges.compactMap(\.orderNumber).map { EntityKey.order(file.bundle, $0) })
        let unpaid = subject.orders.filter { !paid.contains(.order(file.bundle, $0)) }
        var seekers: [Seeker] = []
        if subject.charges.isEmpty || subject.isAboutAccount {
            seekers = unpaid.prefix(Self.seekersMax).compactMap {
                Seeker(order: $0, claimant: claimant, in: file)
            }
        }
        if case .account(let account, let purchase?) = subject.question.subject,
            subject.charges.isEmpty
        {
            seekers.append(Seeker(purchase, account: account, in: file))
        }
        self.seekers = seekers
        matches = seekers.flatMap { seeker in
            seeker.unlinkedCharges(in: file).compactMap { charge in
                seeker.match(charge, in: file).map { (seeker, charge, $0) }
            }
        }
        orphans =
            file.namesAreAccounts
            ? []
            : Array(
                (subject.charges.map(\.reading) + subject.loose).filter { $0.links.best == nil }
                    .prefix(Self.orphansMax))
    }

    // MARK: Ranges of the index

    /// The ranges to search, as far as it can be told now.
    var ranges: [CandidateRange] {
        var ranges = Set(seekers.flatMap { $0.ranges(in: file) })
        ranges.formUnion(orphans.compactMap(attempts(around:)))
        ranges.formUnion(likelyCharges.compactMap(attempts(around:)))
        return ranges.sorted()
    }

    /// The identifiers that the index had in those ranges.
    func sighted(_ kind: Sighting.Kind) -> [String] {
        ranges.filter { $0.kind == kind }.flatMap { file.dossier.page($0)?.ids ?? [] }
    }

    private func attempts(around charge: TransactionReading) -> CandidateRange? {
        guard let product = charge.snapshot.productId, let date = charge.snapshot.purchaseDate
        else {
            return nil
        }
        let window = file.policy.candidateWindow
        return CandidateRange(
            kind: .attempt, bundle: file.bundle, productId: product,
            from: shifted(date, by: -window), to: shifted(date, by: window))
    }

    private var likelyCharges: [TransactionReading] {
        matches.filter { isLikely($0.match) }.map(\.charge)
    }

    private func isLikely(_ match: Match) -> Bool { match.score >= file.policy.candidateScore }

    // MARK: Candidates

    /// All candidates, best first.
    var candidates: [Candidate] {
        let charges = matches.map { seeker, charge, match in
            candidate(charge, match, order: seeker.orderNumber)
        }
        let orders = orphans.flatMap { charge in
            rivals(for: charge, not: nil).map { candidate(charge, $0.match, order: $0.number) }
        }
        let loose = subject.loose.map { candidate($0, looseMatch, order: nil, isLikely: true) }
        return (charges + orders + loose).sorted(by: Self.isBetter)
    }

    /// What the account's own devices or Apple's look-up brought needs no further reason.
    private var looseMatch: Match {
        switch subject.question.subject {
        case .appleOrder: Match(reasons: [.appleLookUp], doubts: [])
        case .account, .order, .transaction, .token: Match(reasons: [.account], doubts: [])
        }
    }

    private static func isBetter(_ left: Candidate, _ right: Candidate) -> Bool {
        if left.score != right.score { return left.score > right.score }
        if left.purchaseDate != right.purchaseDate {
            return (left.purchaseDate ?? .min) < (right.purchaseDate ?? .min)
        }
        if !sameBytes(left.transactionId, right.transactionId) {
            return bytesPrecede(left.transactionId, right.transactionId)
        }
        return bytesPrecede(left.orderNumber ?? "", right.orderNumber ?? "")
    }

    private func candidate(
        _ charge: TransactionReading, _ match: Match, order: String?,
        isLikely isBrought: Bool = false
    ) -> Candidate {
        let isLikely = isBrought || isLikely(match)
        let others = isLikely ? rivals(for: charge, not: order) : []
        return Candidate(
            transactionId: charge.id, orderNumber: order, productId: charge.snapshot.productId,
            price: charge.snapshot.price, currency: charge.snapshot.currency,
            purchaseDate: charge.snapshot.purchaseDate, reasons: match.reasons,
            doubts: match.doubts, score: match.score, isLikely: isLikely,
            rivals: others.filter { self.isLikely($0.match) }.map(\.number))
    }

    /// The orders without a transaction that fit a charge.
    private func rivals(
        for charge: TransactionReading, not order: String?
    ) -> [(number: String, match: Match)] {
        guard let range = attempts(around: charge) else { return [] }
        var numbers = FactsMap<Earliest>()
        for number in file.dossier.page(range)?.ids ?? [] { numbers.tell(number, Earliest()) }
        return numbers.keys.compactMap { number in
            guard !sameBytes(number, order), let facts = file.order(number),
                facts.transactions.isEmpty, !file.isPlaceholder(number),
                let match = Seeker(order: number, claimant: nil, in: file)?.match(charge, in: file)
            else { return nil }
            return (number, match)
        }
    }
}
