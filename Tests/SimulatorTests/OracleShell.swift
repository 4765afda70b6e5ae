import AppStore
import EventLog
import Intake
import JSON
import Settlement
import Simulator
import Synchronization

/// The service in memory: the door, the facts, the index of sightings and the answers, without a
/// database.
struct OracleShell: Sendable {
    private var facts: [EntityKey: Facts] = [:]
    private var seen: Set<EventKey> = []
    private var shelves: [Shelf: Set<Sighting>] = [:]
    private var sorted: [Shelf: [Sighting]] = [:]
    private(set) var settings = Settings()
    private(set) var claims: [String: Claim] = [:]
    private var events: [SettlementEvent] = []
    /// Indices into `events`.
    private var timelines: [TimelineKey: [Int]] = [:]
    private(set) var refusals: [String] = []
    private var door: Door
    private let makeDoor: @Sendable (Settings) -> Door
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
            let expectations = Expectations(
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
        for key in timelineKeys(of: event) {
            timelines[key, default: []].append(events.count)
        }
        events.append(event)
        if let claim = Claim(event) { claims[claim.claimId] = claim }
        settings.apply(event)
        if Settings.eventTypes.contains(event.type) { door = makeDoor(settings) }
    }

    private static func line(_ event: SettlementEvent) -> String {
        let names = [
            "account", "applicationUsername", "orderNumber", "transactionId", "deliveryId",
            "quantity", "sequence", "errorCode",
        ]
        let told = names.compactMap { name in
            event.data[name].flatMap { $0.identifier }.map { "\(name) \($0)" }
        }
        let proofs = event.parts.map { part in
            let status = part.at("verification", "status")?.string ?? "unjudged"
            let id = part.at("payload", "transactionId")?.string ?? ""
            return "\(part["kind"]?.string ?? "?") \(status) \(id)"
        }
        return "\(event.receivedAt) \(event.type) " + (told + proofs).joined(separator: ", ")
    }

    // MARK: Asking

    func ask(_ question: Question, rules: Rules = .domain) -> Answer {
        Settlement.answer(
            question, dossier(question), settings: settings, now: now, rules: rules)
    }

    /// What was gathered for a question, which is the same under any rules.
    private final class Gathered: Sendable {
        let dossiers = Mutex<[Question: Dossier]>([:])
    }

    private func dossier(_ question: Question) -> Dossier {
        if let known = gathered.dossiers.withLock({ $0[question] }) { return known }
        let dossier = gather(question)
        gathered.dossiers.withLock { $0[question] = dossier }
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

    /// The answer to a claim: of the first question that finds something, else of the first.
    func claim(_ id: String, rules: Rules = .domain) -> Answer? {
        var first: Answer?
        for question in claims[id]?.questions ?? [] {
            let given = ask(question, rules: rules)
            if given.foundSomething { return given }
            first = first ?? given
        }
        return first
    }

    /// What the service says of an order or a claim.
    func answer(
        to subject: Expectation.Subject, in bundle: String, rules: Rules = .domain
    ) -> GivenAnswer? {
        answered(subject, in: bundle, rules: rules).map { given in
            GivenAnswer(
                subject: subject, bundle: bundle, verdict: given.verdict.code.rawValue,
                status: given.status.headline.rawValue,
                remarks: given.verdict.remarks.map(\.code.rawValue),
                charges: given.charges.map { charge in
                    GivenAnswer.Charge(
                        transactionId: charge.transactionId, verdict: charge.verdict.rawValue,
                        owner: charge.owner?.account, missing: charge.missing)
                }, askedAt: now)
        }
    }

    private func answered(
        _ subject: Expectation.Subject, in bundle: String, rules: Rules
    ) -> Answer? {
        switch subject {
        case .order(let number): ask(.order(bundle, number), rules: rules)
        case .claim(let id): claim(id, rules: rules)
        }
    }

    /// The events behind an answer, one a line, for whoever looks into a miss.
    func history(of subject: Expectation.Subject, in bundle: String) -> String {
        let answer = answered(subject, in: bundle, rules: .domain)
        let transactions =
            (answer?.charges.map(\.transactionId) ?? [])
            + (answer?.candidates.filter(\.isLikely).map(\.transactionId) ?? [])
        var names: [(TimelineKey.Kind, String)] = transactions.map { (.transaction, $0) }
        names += (answer?.orders ?? []).map { (.order, $0) }
        switch subject {
        case .order(let number): names.append((.order, OrderNumber.folded(number)))
        case .claim(let id): names.append((.claim, id))
        }
        let found = names.flatMap { kind, value in
            timelines[TimelineKey(kind: kind, bundle: bundle, value: value)] ?? []
        }
        let lines = Set(found).sorted().map { Self.line(events[$0]) }
        let asked = answer.map { "asked \($0.question)" } ?? "nothing was asked"
        return (lines + [asked]).map { "  | \($0)" }.joined(separator: "\n")
    }
}
