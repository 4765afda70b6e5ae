/// What a customer may use under a name, and what Apple was asked to give back.
public struct Holdings: Sendable, Equatable {
    /// By identity.
    public let entitlements: [Entitlement]
    /// By transaction.
    public let disputes: [Dispute]
}

/// The entitlements and disputes that belong to a question, as of `now` (milliseconds since 1970
/// UTC), from the dossier that answers it: a pure function.
public func holdings(
    _ question: Question, _ dossier: Dossier, settings: Settings, now: Int64
) -> Holdings {
    let file = CaseFile(
        dossier, bundle: question.bundle, settings: settings, clock: Clock(now: now))
    let subject = Subject(question, in: file)
    let readings = subject.holders
    let disputable = readings + subject.earlierPeriods
    let ids = unique(readings.compactMap(\.entitlementId)).sorted(by: bytesPrecede)
    return Holdings(
        entitlements: ids.compactMap { file.entitlement($0) },
        disputes: unique(disputable.map(\.id)).sorted(by: bytesPrecede)
            .compactMap { file.reading($0) }.compactMap { file.dispute(of: $0) })
}

extension Subject {
    /// The transactions that give somebody something under the name: the charges found, what nobody
    /// paid for, and what nothing names yet.
    fileprivate var holders: [TransactionReading] {
        let others = transactions.filter { reading in
            switch reading.kind {
            case .shared: true
            case .unverified, .elsewhere, .restore, .unclear, .charge: false
            }
        }
        return charges.map(\.reading) + loose + others
    }

    /// What was paid for a subscription before the period that stands for it: its dispute goes on.
    fileprivate var earlierPeriods: [TransactionReading] {
        let found = charges.map(\.reading.originalId)
        return transactions.filter { reading in
            reading.isCharge && found.contains { sameBytes($0, reading.originalId) }
        }
    }
}

/// Under which identities a transaction or a subscription may entitle somebody, whichever of its
/// copies holds. Empty for anything else.
public func entitlementKeys(of key: EntityKey, _ facts: Facts) -> [EntityKey] {
    switch facts {
    case .subscription: [.transaction(key.bundle, key.id)]
    case .transaction(let transaction):
        ([key.id] + transaction.roots.keys).map { .transaction(key.bundle, $0) }
    case .order, .token, .account, .delivery, .installation, .appleOrder, .claim: []
    }
}

/// The transactions that an entitlement may rest on, beside the one whose id it has.
public func membersOf(subscription facts: Facts?, bundle: String) -> [EntityKey] {
    guard case .subscription(let subscription)? = facts else { return [] }
    return subscription.transactions.keys.map { .transaction(bundle, $0) }
}

/// A row of the views, which rests on the evidence alone: whose it is, and what stands delivered,
/// rests on orders and deliveries too.
public struct HoldingRow<Value: Sendable>: Sendable {
    /// The entitlement or the dispute; `nil` when nothing proves one any more.
    public let value: Value?
    /// The first later instant at which time alone changes it: milliseconds since 1970 UTC.
    public let reviewAt: Int64?
}

/// The row of an entitlement.
/// - Parameter facts: Those of its identity as a transaction and as a subscription, and of the
///   subscription's transactions.
public func entitlementRow(
    _ key: EntityKey, _ facts: [EntityKey: Facts], settings: Settings, now: Int64
) -> HoldingRow<Entitlement> {
    let file = caseFile(key, facts, settings, now)
    let entitlement = file.entitlement(key.id)
    return HoldingRow(value: entitlement, reviewAt: file.clock.nextChange)
}

/// The row of a dispute, from the facts of its transaction.
public func disputeRow(
    _ key: EntityKey, _ facts: Facts, settings: Settings, now: Int64
) -> HoldingRow<Dispute> {
    let file = caseFile(key, [key: facts], settings, now)
    let dispute = file.reading(key.id).flatMap { file.dispute(of: $0) }
    return HoldingRow(value: dispute, reviewAt: file.clock.nextChange)
}

private func caseFile(
    _ key: EntityKey, _ facts: [EntityKey: Facts], _ settings: Settings, _ now: Int64
) -> CaseFile {
    var dossier = Dossier()
    dossier.supply(facts, for: Array(facts.keys))
    return CaseFile(dossier, bundle: key.bundle, settings: settings, clock: Clock(now: now))
}
