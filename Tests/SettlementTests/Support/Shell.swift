import Settlement
import Testing

/// An event and what it says: worked out once, since that is a pure function of the event.
struct Told {
    let event: SettlementEvent
    let contributions: [EntityKey: Facts]
    let sightings: [Sighting]

    init(_ event: SettlementEvent) {
        self.event = event
        contributions = Settlement.contributions(of: event)
        sightings = Settlement.sightings(of: event)
    }
}

/// What a projection keeps, in memory: merged facts, the index of sightings, the settings.
struct Shell {
    private(set) var facts: [EntityKey: Facts] = [:]
    private(set) var sightings: Set<Sighting> = []
    private(set) var settings = Settings()
    private(set) var claims: [String: Claim] = [:]

    init() {}

    init(_ history: History) { self.init(history.events) }

    init(_ events: [SettlementEvent]) {
        for event in events { take([Told(event)]) }
    }

    /// Folds a batch by itself and then joins it to what is kept, as a projector does.
    mutating func take(_ batch: [Told], throughStorage: Bool = false) {
        var folded: [EntityKey: Facts] = [:]
        for told in batch {
            for (key, contribution) in told.contributions {
                if folded[key]?.merge(contribution) == nil { folded[key] = contribution }
            }
            sightings.formUnion(told.sightings)
            settings.apply(told.event)
            if let claim = Claim(told.event) { claims[claim.claimId] = claim }
        }
        for (key, told) in folded {
            guard var known = facts[key] else {
                facts[key] = throughStorage ? stored(told) : told
                continue
            }
            known.merge(throughStorage ? stored(told) : told)
            facts[key] = known
        }
    }

    private func stored(_ facts: Facts) -> Facts {
        do { return try Facts(encoded: facts.encoded()) } catch {
            Issue.record("stored facts cannot be read: \(error)")
            return facts
        }
    }

    /// The bytes of everything that is kept.
    var bytes: [EntityKey: [UInt8]] { facts.mapValues { $0.encoded() } }

    /// Drives a dossier as a shell over a database does.
    func dossier(_ question: Question) -> Dossier {
        var dossier = Dossier()
        for _ in 0..<Dossier.roundsMax * 2 {
            let wanted = dossier.wanted(for: question, settings: settings)
            if wanted.isEmpty { break }
            let read = wanted.keys.compactMap { key in facts[key].map { (key, $0) } }
            if !wanted.keys.isEmpty {
                dossier.supply(Dictionary(uniqueKeysWithValues: read), for: wanted.keys)
            }
            for range in wanted.ranges {
                let found = sightings.filter { sighting in
                    sighting.kind == range.kind && sighting.bundle == range.bundle
                        && sighting.productId == range.productId
                        && (range.from...range.to).contains(sighting.instant)
                }
                let ids = Set(found.map(\.id)).sorted()
                dossier.supply(
                    Array(ids.prefix(Dossier.sightingsMax)),
                    isWhole: ids.count <= Dossier.sightingsMax, for: range)
            }
        }
        return dossier
    }

    func ask(_ question: Question, at minutes: Int, coverage: Coverage = Coverage()) -> Answer {
        answer(
            question, dossier(question), settings: settings, now: History.instant(minutes),
            coverage: coverage)
    }

    func order(_ number: String, at minutes: Int, claimant: String? = nil) -> Answer {
        ask(.order(History.bundle, number, claimant: claimant), at: minutes)
    }

    func transaction(_ id: String, at minutes: Int) -> Answer {
        ask(.transaction(History.bundle, id), at: minutes)
    }

    func account(_ account: String, at minutes: Int) -> Answer {
        ask(.account(History.bundle, account), at: minutes)
    }

    /// The claim's answer: of the first question that finds something, else of the last.
    func claim(_ id: String, at minutes: Int) -> Answer? {
        let answers = (claims[id]?.questions ?? []).map { ask($0, at: minutes) }
        return answers.first(where: \.foundSomething) ?? answers.last
    }
}

extension Answer {
    var code: VerdictCode { verdict.code }
    var remarks: Set<RemarkCode> { Set(verdict.remarks.map(\.code)) }
}
