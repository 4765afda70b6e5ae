/// Everything that an answer is made of, gathered step by step.
///
/// Pure: the shell asks what is wanted, reads it wherever it is kept, supplies it, and asks again
/// until nothing is wanted. What is read is bounded; where a bound was hit the answer carries the
/// remark `incomplete`.
public struct Dossier: Sendable {
    /// The greatest number of entities read for one answer.
    public static let keysMax = 20_000
    /// The greatest number of rounds.
    public static let roundsMax = 24
    /// The greatest number of sightings that the shell should supply for one range.
    public static let sightingsMax = 200

    private(set) var facts: [EntityKey: Facts] = [:]
    private var asked: Set<EntityKey> = []
    private var sightings: [CandidateRange: SightingPage] = [:]
    private var rounds = 0

    /// Nothing read yet.
    public init() {}

    /// What to read next.
    public struct Wanted: Sendable, Equatable {
        /// Entities whose facts are needed, sorted.
        public var keys: [EntityKey] = []
        /// Ranges of the sighting index to search, sorted.
        public var ranges: [CandidateRange] = []

        /// Whether the dossier is ready for the answer.
        public var isEmpty: Bool { keys.isEmpty && ranges.isEmpty }
    }

    /// What is missing for an answer to `question`; empty when all is here or a bound was hit.
    public func wanted(for question: Question, settings: Settings) -> Wanted {
        guard rounds < Self.roundsMax else { return Wanted() }
        var wanted = missing(for: question, settings: settings)
        wanted.keys = Array(wanted.keys.prefix(max(0, Self.keysMax - asked.count)))
        return wanted
    }

    /// Supplies what was read for `keys`: an entity that has no entry in `read` has no facts.
    public mutating func supply(_ read: [EntityKey: Facts], for keys: [EntityKey]) {
        rounds += 1
        asked.formUnion(keys)
        facts.merge(read) { _, new in new }
    }

    /// Supplies what the index has in a range: at most `sightingsMax` identifiers. A shell whose
    /// view knows which charges are linked may leave those out.
    /// - Parameter isWhole: Whether nothing was left off.
    public mutating func supply(_ ids: [String], isWhole: Bool, for range: CandidateRange) {
        sightings[range] = SightingPage(ids: ids, isWhole: isWhole)
    }

    // MARK: What is here

    /// Whether something was left out: a bound was hit.
    func isCut(for question: Question, settings: Settings, search: CandidateSearch) -> Bool {
        !missing(for: question, settings: settings, search: search).isEmpty
            || sightings.values.contains { !$0.isWhole }
    }

    func page(_ range: CandidateRange) -> SightingPage? { sightings[range] }

    /// - Parameter known: The search among what is here, where it was made already.
    private func missing(
        for question: Question, settings: Settings, search known: CandidateSearch? = nil
    ) -> Wanted {
        var closure = Closure(dossier: self, bundle: question.bundle, settings: settings)
        closure.start(question)
        var keys = closure.keys.subtracting(asked)
        guard keys.isEmpty else { return Wanted(keys: keys.sorted()) }
        let search =
            known
            ?? CandidateSearch(
                CaseFile(
                    self, bundle: question.bundle, settings: settings, clock: Clock(now: .max)),
                question)
        let ranges = search.ranges.filter { sightings[$0] == nil }
        guard ranges.isEmpty else { return Wanted(ranges: ranges.sorted()) }
        for id in search.sighted(.charge) { closure.consider(id) }
        for number in search.sighted(.attempt) { closure.need(.order(question.bundle, number)) }
        keys = closure.keys.subtracting(asked)
        guard keys.isEmpty else { return Wanted(keys: keys.sorted()) }
        return Wanted()
    }
}

/// A range of the sighting index.
public struct CandidateRange: Hashable, Sendable, Comparable {
    /// What to search for.
    public let kind: Sighting.Kind
    /// Apple's bundle identifier.
    public let bundle: String
    /// Apple's product identifier.
    public let productId: String
    /// Both ends are included: milliseconds since 1970 UTC.
    public let from: Int64
    /// The end; see `from`.
    public let to: Int64

    /// By kind, bundle, product and ends.
    public static func < (left: CandidateRange, right: CandidateRange) -> Bool {
        (left.kind.rawValue, left.bundle, left.productId, left.from, left.to)
            < (right.kind.rawValue, right.bundle, right.productId, right.from, right.to)
    }
}

/// What the index had in a range.
struct SightingPage: Sendable {
    let ids: [String]
    let isWhole: Bool
}
