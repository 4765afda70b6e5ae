/// What the service believes about `question`, as of `now` (milliseconds since 1970 UTC), from what
/// the dossier holds: a pure function.
///
/// Supply the dossier until it wants nothing more; what it lacks shows as the remark `incomplete`.
public func answer(
    _ question: Question, _ dossier: Dossier, settings: Settings, now: Int64,
    coverage: Coverage = Coverage()
) -> Answer {
    let file = CaseFile(
        dossier, bundle: question.bundle, settings: settings, clock: Clock(now: now))
    let subject = Subject(question, in: file)
    let attempts = AttemptSummary(subject.orderFacts(in: file))
    let search = CandidateSearch(file, subject)
    let candidates = search.candidates
    let noCharge = NoChargeConditions(
        subject, candidates: candidates, attempts: attempts, coverage: coverage, in: file)
    let code = verdictCode(subject, noCharge, in: file)
    let remarks = Remarks(
        subject, attempts: attempts,
        isCut: dossier.isCut(for: question, settings: settings, search: search),
        in: file)
    let brief = Brief(
        code: code, subject: subject, candidates: candidates, attempts: attempts,
        coverage: coverage, file: file)
    let verdict = Verdict(
        code: code, action: brief.action,
        alsoTrue: lowerRows(code, subject, noCharge, in: file), remarks: remarks.all,
        proof: eventKeys(brief.proof, max: Brief.proofMax), sentence: brief.sentence)
    return Answer(
        question: question, verdict: verdict, status: OrderStatus(subject, attempts, in: file),
        charges: subject.charges.map { ChargeAnswer($0) }, candidates: candidates,
        orders: subject.orders, account: subject.account, coverage: coverage,
        reviewAt: file.clock.nextChange)
}

/// The verdict: of the charges rolled up, or of the name when there is none.
private func verdictCode(
    _ subject: Subject, _ noCharge: NoChargeConditions, in file: CaseFile
) -> VerdictCode {
    let verdicts = subject.charges.map(\.verdict)
    guard let code = ChargeTable.rollUp.first(where: verdicts.contains) else {
        return NoChargeTable.verdict(noCharge)
    }
    return code == .paidNotDelivered && isChargedTwice(subject, in: file) ? .chargedTwice : code
}

/// What makes two charges look like one payment made twice.
private struct OrderedProduct: Hashable {
    let order: EntityKey
    let productId: String?

    init?(_ charge: ChargeCase, in file: CaseFile) {
        guard let number = charge.orderNumber else { return nil }
        order = .order(file.bundle, number)
        productId = charge.snapshot.productId
    }
}

/// Whether an undelivered charge has a delivered one of the same order and product beside it, while
/// the order asked for one.
private func isChargedTwice(_ subject: Subject, in file: CaseFile) -> Bool {
    let delivered = Set(
        subject.charges.filter { $0.verdict == .delivered }
            .compactMap { OrderedProduct($0, in: file) })
    return subject.charges.contains { missing in
        guard missing.verdict == .paidNotDelivered, let ordered = OrderedProduct(missing, in: file)
        else { return false }
        let asked = file.order(ordered.order.id)?.created.told?.quantity ?? 1
        return max(1, asked) == 1 && delivered.contains(ordered)
    }
}

/// The verdicts of lower rows that hold too.
private func lowerRows(
    _ code: VerdictCode, _ subject: Subject, _ noCharge: NoChargeConditions, in file: CaseFile
) -> [VerdictCode] {
    guard !subject.charges.isEmpty else {
        let holding = NoChargeTable.rows.filter { $0.holds(noCharge) }.map(\.verdict)
        return holding.filter { $0 != code && $0 != .unknown && $0 != .unproven }
    }
    var others = ChargeTable.rollUp.filter { row in subject.charges.contains { $0.verdict == row } }
    // An account may have an order whose payment got lost beside those that were paid.
    if noCharge.hasLikelyCandidate { others.append(.paymentUnlinked) }
    return others.filter { $0 != code }
}

extension ChargeAnswer {
    init(_ charge: ChargeCase) {
        let signed = charge.snapshot
        let links = charge.reading.links
        transactionId = charge.id
        originalTransactionId = charge.reading.originalId
        productId = signed.productId
        type = signed.type
        quantity = charge.reading.quantity
        price = signed.price
        currency = signed.currency
        environment = signed.environment
        purchaseDate = signed.purchaseDate
        expiresDate = signed.expiresDate
        link = links.best.map {
            LinkAnswer(
                strength: $0.strength, orderNumber: $0.orderNumber, isContested: links.isContested)
        }
        owner = charge.reading.owner
        refund = signed.refundWord
        delivered = charge.delivered
        missing = charge.verdict == .delivered ? 0 : charge.missing
        grant = 1 + charge.reversals
        deliveries = charge.shares.map {
            DeliveryAnswer(
                deliveryId: $0.deliveryId, standing: $0.standing, account: $0.facts.account,
                succeededAt: $0.facts.succeeded.first?.receivedAt)
        }
        verdict = charge.verdict
    }
}
