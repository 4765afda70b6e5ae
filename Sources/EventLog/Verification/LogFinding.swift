/// Something in the log that is not as it was written.
public struct LogFinding: Sendable, Equatable {
    /// What is wrong.
    public enum Kind: String, Sendable, CaseIterable {
        /// Rows at a position below 1, or at one where another row stands.
        case position = "events stand at a position that is taken or below 1"
        /// Positions without an event.
        case missing = "events are missing"
        /// A row whose columns do not give the leaf that stands in it.
        case leaf = "an event was changed: its leaf is another"
        /// `event_key` is not that of `source` and `id`.
        case key = "an event's key is not that of its source and id"
        /// One `event_key` stands in several rows.
        case repeated = "an event stands in the log twice"
        /// The table of keys of a partitioned log holds keys of no event.
        case keyTableSurplus = "there are more keys than events"
        /// A partitioned log's table of keys does not tell where an event stands.
        case keyTable = "an event's key is missing among the log's keys, or told elsewhere"
        /// The personal values are not those that the leaf covers.
        case personal = "personal values were changed"
        /// Personal values are gone, and no `subject.erased` names the event.
        case emptied = "personal values are gone without an event that tells of it"
        /// Recorded before its predecessor.
        case order = "an event is recorded before its predecessor"
        /// A tile that does not hold the hashes of the rows or tiles below it.
        case tile = "a tile of the tree does not hold the log's hashes"
        /// A tile that is not there, or one too many.
        case tileCount = "tiles of the tree are missing or too many"
        /// The head's root or right edge is not that of the log.
        case root = "the root of the tree is not that of the log"
        /// The head and the rows end at different positions or instants.
        case head = "the head is not where the log ends"
        /// The tree of a checkpoint was another.
        case checkpoint = "the log is not the one of the checkpoint"
        /// A digest of which there is no row.
        case evidenceMissing = "evidence is missing"
        /// Bytes that do not have their digest.
        case evidence = "evidence was changed"
        /// Bytes that are gone, and no `subject.erased` names them.
        case evidenceEmptied = "evidence is gone without an event that tells of it"
    }

    /// What is wrong.
    public let kind: Kind
    /// The first position where it is; `nil` where it has none.
    public let position: Int64?
    /// At how many places.
    public let count: Int64
}

/// The findings of each kind: the first place, and how many there are.
struct LogFindings: Sendable {
    private var places: [LogFinding.Kind: (first: Int64?, count: Int64)] = [:]

    mutating func add(_ kind: LogFinding.Kind, at position: Int64?, count: Int64 = 1) {
        let known = places[kind]
        let first = [known?.first, position].compactMap(\.self).min()
        places[kind] = (first, (known?.count ?? 0) + count)
    }

    mutating func merge(_ other: LogFindings) {
        for (kind, place) in other.places { add(kind, at: place.first, count: place.count) }
    }

    /// By position; what has none comes last.
    var list: [LogFinding] {
        places.map { LogFinding(kind: $0, position: $1.first, count: $1.count) }.sorted {
            ($0.position ?? .max, $0.kind.rawValue) < ($1.position ?? .max, $1.kind.rawValue)
        }
    }
}
