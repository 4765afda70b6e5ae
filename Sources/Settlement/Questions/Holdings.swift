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
    let ids = unique(readings.compactMap(\.entitlementId)).sorted(by: bytesPrecede)
    return Holdings(
        entitlements: ids.compactMap { file.entitlement($0) },
        disputes: unique(readings.map(\.id)).sorted(by: bytesPrecede)
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
}

/// What the views keep of one entitlement: what its own evidence says, without what deliveries and
/// orders add.
public struct HoldingRows: Sendable {
    /// The entitlement; `nil` when nothing proves one any more.
    public let entitlement: Entitlement?
    /// The first later instant at which time alone changes it: milliseconds since 1970 UTC.
    public let reviewAt: Int64?
}

/// The row of an entitlement, from the facts of its identity (as a transaction and as a
/// subscription) and of all transactions of the subscription.
public func entitlementRow(
    _ key: EntityKey, _ dossier: Dossier, settings: Settings, now: Int64
) -> HoldingRows {
    let file = CaseFile(dossier, bundle: key.bundle, settings: settings, clock: Clock(now: now))
    let entitlement = file.entitlement(key.id)
    return HoldingRows(entitlement: entitlement, reviewAt: file.clock.nextChange)
}

/// The row of a dispute, from the facts of its transaction alone.
public func disputeRow(
    _ key: EntityKey, _ facts: Facts, settings: Settings, now: Int64
) -> (dispute: Dispute?, reviewAt: Int64?) {
    var dossier = Dossier()
    dossier.supply([key: facts], for: [key])
    let file = CaseFile(dossier, bundle: key.bundle, settings: settings, clock: Clock(now: now))
    let dispute = file.reading(key.id).flatMap { file.dispute(of: $0) }
    return (dispute, file.clock.nextChange)
}
