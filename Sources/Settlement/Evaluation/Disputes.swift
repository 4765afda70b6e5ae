extension CaseFile {
    /// Apple's side of the dispute about a transaction; `nil` when Apple said nothing of one.
    ///
    /// What the newest signed transaction says of the money holds; notifications tell of what it
    /// leaves out.
    func dispute(of reading: TransactionReading) -> Dispute? {
        let facts = reading.facts
        let word = reading.snapshot.refundWord
        let isGranted = word == .refunded || word == .refundedInPart
        guard isGranted || !facts.notices.isEmpty else { return nil }
        func instant(_ type: String) -> Int64? { facts.notices[type]?.snapshot.signedDate }
        let request = facts.notices[DisputeNotice.request]
        let requestedAt = request?.snapshot.signedDate
        let isAnswered = requestedAt.map { asked in
            facts.answered.last.map { $0.receivedAt >= asked } ?? false
        }
        let state = isGranted ? .refundGranted : Self.state(reading, isAnswered: isAnswered == true)
        let due = requestedAt.map { shifted($0, by: Dispute.answerMilliseconds) }
        let isAwaited = state == .consumptionRequested
        return Dispute(
            transactionId: reading.id, state: state, reason: request?.snapshot.reason,
            requestedAt: requestedAt, dueAt: isAwaited ? due : nil,
            isOverdue: isAwaited && (due.map { clock.hasReached($0) } ?? false),
            answeredAt: facts.answered.last?.receivedAt,
            grantedAt: isGranted
                ? reading.snapshot.revocationDate : instant(DisputeNotice.granted),
            declinedAt: instant(DisputeNotice.declined),
            reversedAt: instant(DisputeNotice.reversed),
            hasConsent: reading.owner.flatMap {
                account($0.account)?.consumptionConsent.told
            })
    }

    /// Where the newest signed transaction says nothing of a refund: the latest notification.
    private static func state(_ reading: TransactionReading, isAnswered: Bool) -> Dispute.State {
        let signedDate = reading.snapshot.signedDate ?? .min
        let told = DisputeNotice.types.compactMap { type in
            reading.facts.notices[type].map { (type: type, at: $0.snapshot.signedDate ?? .min) }
        }
        // `types` is in the order of events, so of one instant the later step speaks.
        let latest = told.reduce(nil as (type: String, at: Int64)?) { best, next in
            best.map { next.at >= $0.at ? next : $0 } ?? next
        }
        switch latest?.type {
        case DisputeNotice.declined: return .refundDeclined
        case DisputeNotice.reversed: return .refundReversed
        case DisputeNotice.granted:
            // A copy signed later that knows no refund any more has taken it back.
            let isGone = reading.snapshot.revocationDate == nil && (latest?.at ?? .min) < signedDate
            return isGone ? .refundReversed : .refundGranted
        default: return isAnswered ? .answered : .consumptionRequested
        }
    }
}
