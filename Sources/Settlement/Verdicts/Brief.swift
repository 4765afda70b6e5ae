/// What an agent's action, the customer's sentence and the proof are written from.
struct Brief {
    /// The greatest number of events in a proof.
    static let proofMax = 256

    let code: VerdictCode
    let subject: Subject
    let candidates: [Candidate]
    let attempts: AttemptSummary
    let coverage: Coverage
    let file: CaseFile

    /// The charges that the verdict is about.
    var charges: [ChargeCase] {
        let wanted = code == .chargedTwice ? .paidNotDelivered : code
        return subject.charges.filter { $0.verdict == wanted }
    }

    var likely: [Candidate] { candidates.filter(\.isLikely) }

    // MARK: Proof

    /// The stamps of the events that prove the verdict.
    var proof: [Stamp?] {
        guard subject.charges.isEmpty else {
            let told = charges.isEmpty || code == .chargedTwice ? subject.charges : charges
            return told.flatMap(proof(of:))
        }
        let orders = subject.orderFacts(in: file)
        var stamps: [Stamp?] = attempts.stamps + subject.traces
        stamps += orders.flatMap { [$0.created.stamp, $0.cancelled.first] }
        stamps += subject.offers(in: file).map(\.first)
        stamps += subject.deliveries(in: file).flatMap { proof(of: $0.facts) }
        for reading in subject.transactions {
            stamps += [reading.snapshotStamp, reading.facts.seen.first, reading.links.best?.stamp]
            stamps += reading.facts.reports.flatMap {
                [$0.value.purchased.span.first, $0.value.finished.span.first]
            }
        }
        stamps += likely.map { file.reading($0.transactionId)?.snapshotStamp }
        return stamps
    }

    private func proof(of charge: ChargeCase) -> [Stamp?] {
        let reading = charge.reading
        var stamps = [
            reading.snapshotStamp, reading.facts.verified.stamp, reading.links.best?.stamp,
        ]
        stamps += charge.shares.flatMap { proof(of: $0.facts) }
        if charge.subscription != nil {
            let renewals = file.subscription(reading.originalId)?.renewals
            stamps.append(renewals?[charge.snapshot.environment ?? ""]?.stamp.stamp)
        }
        return stamps
    }

    private func proof(of delivery: DeliveryFacts) -> [Stamp?] {
        [
            delivery.requested.last, delivery.succeeded.first, delivery.failed.last,
            delivery.reversed.last,
        ]
    }
}
