/// What the log refuses, or cannot do.
public enum EventLogError: Error, Sendable, Equatable, CustomStringConvertible {
    /// An event that the log does not take; `index` is its place in the call, from 0.
    case invalidEvent(index: Int, InvalidEvent)
    /// The database would acknowledge what it can still lose.
    case unsafeDurability(setting: String)
    /// The schema is not the one that this program was built for.
    case schema(SchemaProblem)
    /// No such ledger name: 1 to 55 of a to z, 0 to 9 and `_`, not beginning with a digit or `pg_`.
    case badLedgerName
    /// A row of the log does not hold together: the place says which.
    case damaged(position: Int64, String)
    /// The tree of an older log is not built to its end; nothing can be appended before.
    case treeIncomplete(size: Int64, treeSize: Int64)
    /// A position or a size that the tree, which covers `size` events, does not reach.
    case outsideTree(size: Int64)
    /// Too many wait for their events to be written; the same again may succeed.
    case overloaded
    /// More events than one transaction takes, which must be appended together.
    case tooMany
    /// Nobody has said yet how many positions a partition of this log is to have.
    case notPartitioned
    /// The database cannot hold a ledger.
    case unsuitableDatabase(String)

    /// One line that holds no personal data.
    public var description: String {
        switch self {
        case .invalidEvent(let index, let reason): "event \(index + 1): \(reason.rawValue)"
        case .unsafeDurability(let setting):
            "the database has \(setting) off and could lose what it acknowledged"
        case .schema(let problem): problem.description
        case .badLedgerName:
            "a ledger's name is 1 to 55 of a-z, 0-9 and _, not beginning with a digit or pg_"
        case .damaged(let position, let what): "the event at \(position) is damaged: \(what)"
        case .treeIncomplete(let size, let treeSize):
            "the tree covers \(treeSize) of the log's \(size) events: run `quittance schema up`"
        case .outsideTree(let size): "the tree covers the positions 1 to \(size)"
        case .overloaded: "too many events wait to be written"
        case .tooMany: "more events than can be appended together"
        case .notPartitioned: "this log has no partitions yet: say how many events one is to have"
        case .unsuitableDatabase(let why): why
        }
    }
}

/// Why an event cannot be taken.
public enum InvalidEvent: String, Error {
    case badSource = "source is empty, too long or holds U+0000"
    case badId = "id is empty, too long or holds U+0000"
    case badType = "type is empty, too long or holds U+0000"
    case badSubject = "subject is too long or holds U+0000"
    case badActor = "actor is too long or holds U+0000"
    case badInstant = "an instant is outside the years 1 to 9999"
    case tooLarge = "larger than the log takes"
    case badRange = "a cut is empty or outside the text"
    case overlappingRanges = "two cuts overlap"
}
