import AppStore
import EventLog
import Intake
import JSON
import Settlement
import Simulator

/// The service in memory: the door, the facts, the index of sightings and the answers, without a
/// database.
struct OracleShell {
    private var facts: [EntityKey: Facts] = [:]
    private var seen: Set<EventKey> = []
    private var shelves: [Shelf: Set<Sighting>] = [:]
    private var sorted: [Shelf: [Sighting]] = [:]
    private(set) var settings = Settings()
    private(set) var claims: [String: Claim] = [:]
    private(set) var timelines: [TimelineKey: [String]] = [:]
    private(set) var refusals: [String] = []
    private var door: Door
    private let makeDoor: (Settings) -> Door
    private let now: Int64
    private let gathered = Gathered()

    private struct Shelf: Hashable {
        let kind: Sighting.Kind
        let bundle: String
        let product: String
    }

    /// Brings in all that reached the service in a world.
    init(_ world: World) throws {
        let writer = EventWriter(world)
        let end = world.configuration.end
        let anchors = try TrustAnchors.apple.adding(writer.signer.chain.rootDER)
            .adding(writer.signer.receipts.rootDER)
        now = end
        makeDoor = { settings in
            let expectations = AppStore.Expectations(
                bundles: Set(settings.bundles.keys),
                appAppleIds: settings.bundles.compactMapValues(\.appAppleId))
            return Door(
                name: "import",
                evidence: EvidenceReader(
                    anchors: anchors, expectations: expectations, at: .signed, now: { end }),
                settings: settings, receivedAt: end)
        }
        door = makeDoor(settings)
        var log = WorldLog(world)
        while let stretch = log.nextStretch() {
            for entry in stretch.entries {
                let (arrival, life) = stretch[entry]
                try take(writer.cloudEvent(arrival, of: life))
            }
        }
        sorted = shelves.mapValues { shelf in
            shelf.sorted { ($0.instant, $0.id) < ($1.instant, $1.id) }
        }
    }

    private mutating func take(_ bytes: [UInt8]) throws {
        switch door.read(bytes) {
        case .refused(let refusal): refusals.append(refusal.reason)
        case .event(let new, _):
            if seen.insert(new.key).inserted { try take(new) }
        }
    }

    private mutating func take(_ new: NewEvent) throws {
        let event = SettlementEvent(
            key: new.key.bytes, source: new.source, type: new.type, receivedAt: new.receivedAt,
            data: try JSONValue(parsing: new.received)["data"] ?? JSONValue(.null),
            parts: new.parts.isEmpty ? [] : try JSONValue(parsing: new.parts).array ?? [])
        for (key, told) in contributions(of: event) {
            if facts[key]?.merge(told) == nil { facts[key] = told }
        }
        for sighting in sightings(of: event) {
            let shelf = Shelf(
                kind: sighting.kind, bundle: sighting.bundle, product: sighting.productId)
            shelves[shelf, default: []].insert(sighting)
        }
        for key in timelineKeys(of: event)
        where key.kind == .order || key.kind == .transaction || key.kind == .claim
            || key.kind == .account
        {
            timelines[key, default: []].append(Self.line(event))
        }
        if let claim = Claim(event) { claims[claim.claimId] = claim }
        settings.apply(event)
        if Settings.eventTypes.contains(event.type) { door = makeDoor(settings) }
    }

    private static func line(_ event: SettlementEvent) -> String {
        let told = [
            "account", "applicationUsername", "orderNumber", "transactionId", "deliveryId",
            "quantity", "sequence", "errorCode",
        ]
        .compactMap { name in
            event.data[name].flatMap { $0.identifier }.map { "\(name) \($0)" }
        }
        let proofs = event.parts.map { part in
            "\(part["kind"]?.string ?? "?") \(part.at("verification", "status")?.string ?? "unjudged")"
                + " \(part.at("payload", "transactionId")?.string ?? "")"
        }
        return "\(event.receivedAt) \(event.type) " + (told + proofs).joined(separator: ", ")
    }

    // MARK: Asking

    func ask(_ question: Question, rules: Rules = .domain) -> Answer {
        Settlement.answer(
            question, dossier(question), settings: settings, now: now, rules: rules)
    }

    /// What was gathered for a question, which is the same under any rules.
    private final class Gathered {
        var dossiers: [Question: Dossier] = [:]
    }

    private func dossier(_ question: Question) -> Dossier {
        if let known = gathered.dossiers[question] { return known }
        let dossier = gather(question)
        gathered.dossiers[question] = dossier
        return dossier
    }

    private func gather(_ question: Question) -> Dossier {
        var dossier = Dossier()
        for _ in 0..<Dossier.roundsMax * 2 {
            let wanted = dossier.wanted(for: question, settings: settings)
            if wanted.isEmpty { break }
            let read = wanted.keys.compactMap { key in facts[key].map { (key, $0) } }
            if !wanted.keys.isEmpty {
                dossier.supply(Dictionary(uniqueKeysWithValues: read), for: wanted.keys)
            }
            for range in wanted.ranges {
                let ids = ids(in: range)
                dossier.supply(
                    Array(ids.prefix(Dossier.sightingsMax)),
                    isWhole: ids.count <= Dossier.sightingsMax, for: range)
            }
        }
        return dossier
    }

    private func ids(in range: CandidateRange) -> [String] {
        let shelf = Shelf(kind: range.kind, bundle: range.bundle, product: range.productId)
        var ids: Set<String> = []
        return (sorted[shelf] ?? []).filter { (range.from...range.to).contains($0.instant) }
            .compactMap { ids.insert($0.id).inserted ? $0.id : nil }
    }

    /// The answer to a claim: of the first question that finds something, else of the last.
    func claim(_ id: String, rules: Rules = .domain) -> Answer? {
        var last: Answer?
        for question in claims[id]?.questions ?? [] {
            let given = ask(question, rules: rules)
            if given.foundSomething { return given }
            last = given
        }
        return last
    }

    /// What the service says of an order or a claim.
    func answer(
        to subject: Expectation.Subject, in bundle: String, rules: Rules = .domain
    ) -> GivenAnswer? {
        let (given, key): (Answer?, TimelineKey) =
            switch subject {
            case .order(let number):
                (
                    ask(.order(bundle, number), rules: rules),
                    TimelineKey(kind: .order, bundle: bundle, value: OrderNumber.folded(number))
                )
            case .claim(let id):
                (claim(id, rules: rules), TimelineKey(kind: .claim, bundle: bundle, value: id))
            }
        return given.map { given in
            GivenAnswer(
                subject: subject, bundle: bundle, verdict: given.verdict.code.rawValue,
                status: given.status.headline.rawValue,
                remarks: given.verdict.remarks.map(\.code.rawValue),
                charges: given.charges.map { charge in
                    GivenAnswer.Charge(
                        transactionId: charge.transactionId, verdict: charge.verdict.rawValue,
                        owner: charge.owner?.account, missing: charge.missing)
                }, askedAt: now, timeline: timeline(key, given, bundle))
        }
    }

    private func timeline(_ key: TimelineKey, _ answer: Answer, _ bundle: String) -> [String] {
        let names =
            [key]
            + answer.orders.map { TimelineKey(kind: .order, bundle: bundle, value: $0) }
            + answer.charges.map {
                TimelineKey(kind: .transaction, bundle: bundle, value: $0.transactionId)
            }
            + answer.candidates.filter(\.isLikely).map {
                TimelineKey(kind: .transaction, bundle: bundle, value: $0.transactionId)
            }
        return Set(names.flatMap { timelines[$0] ?? [] }).sorted() + ["asked: \(answer.question)"]
    }
}
