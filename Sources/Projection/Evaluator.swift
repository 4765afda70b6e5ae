internal import EventLog
internal import PostgreSQL
internal import Settlement

/// Asks the domain: gathers what a question needs, step by step, and has it answered.
struct Evaluator {
    let source: any FactSource
    let settings: Settings
    /// Milliseconds since 1970 UTC.
    let now: Int64

    func answer(_ question: Question, on connection: isolated Connection) throws -> Answer {
        Settlement.answer(
            question, try dossier(question, on: connection), settings: settings, now: now,
            coverage: Coverage())
    }

    /// The answer with the entitlements and disputes that belong to it.
    func examine(_ question: Question, on connection: isolated Connection) throws -> (
        answer: Answer, holdings: Holdings
    ) {
        let dossier = try dossier(question, on: connection)
        return (
            Settlement.answer(
                question, dossier, settings: settings, now: now, coverage: Coverage()),
            Settlement.holdings(question, dossier, settings: settings, now: now)
        )
    }

    /// Everything that the answer is made of.
    private func dossier(_ question: Question, on connection: isolated Connection) throws -> Dossier
    {
        var dossier = Dossier()
        while true {
            let wanted = dossier.wanted(for: question, settings: settings)
            if wanted.isEmpty { break }
            if !wanted.keys.isEmpty {
                dossier.supply(
                    try source.facts(wanted.keys, on: connection), for: wanted.keys)
            }
            for range in wanted.ranges {
                let ids = try sighted(range, on: connection)
                let page = Array(ids.prefix(Dossier.sightingsMax))
                dossier.supply(page, isWhole: page.count == ids.count, for: range)
            }
        }
        return dossier
    }

    /// The ids seen in a range: one more than a dossier takes tells that there are more.
    private func sighted(_ range: CandidateRange, on connection: isolated Connection) throws
        -> [String]
    {
        try connection.query(
            .viewFindSightings,
            [
                .text(range.kind.rawValue), .bytea(Array(range.bundle.utf8)),
                .bytea(Array(range.productId.utf8)),
                .timestamp(milliseconds: clamped(range.from)),
                .timestamp(milliseconds: clamped(range.to)), .int64(source.position),
                .int64(Int64(Dossier.sightingsMax + 1)),
            ]
        ).map { try $0.text("id") }
    }
}
