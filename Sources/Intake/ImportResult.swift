package import AppStore

/// What became of the lines of an import.
package struct ImportCounts: Sendable, Equatable {
    /// Events that are new in the log.
    package var appended = 0
    /// Events that the log had already, with the same content.
    package var duplicates = 0
    /// Events whose id the log had with other content; kept as `ingest.conflicted`.
    package var conflicts = 0
    /// What is no event; kept in quarantine.
    package var refused = 0
    /// Signed parts of appended events that were refused; the events count as appended.
    package var refusedParts = 0

    package init() {}

    /// Whether something needs a look.
    package var hasProblems: Bool { conflicts + refused + refusedParts > 0 }

    /// All that came, refused parts aside.
    package var total: Int { appended + duplicates + conflicts + refused }
}

extension ImportCounts {
    /// As a mark keeps them.
    var list: [Int64] {
        [appended, duplicates, conflicts, refused, refusedParts].map { Int64($0) }
    }

    /// Adds what a mark kept.
    mutating func add(_ list: [Int64]) {
        let list = list.map { Int($0) }
        guard list.count == 5 else { return }
        appended += list[0]
        duplicates += list[1]
        conflicts += list[2]
        refused += list[3]
        refusedParts += list[4]
    }

    /// What came since an earlier count.
    func since(_ earlier: ImportCounts) -> [Int64] {
        zip(list, earlier.list).map { $0 - $1 }
    }
}

/// Where something stood.
package struct ImportPlace: Sendable {
    /// The path as it was given.
    package let file: String
    /// From 1.
    package let line: Int
}

/// A line that was not simply appended.
package struct ImportProblem: Sendable {
    package enum Kind: Sendable {
        case refused(reason: String, detail: String)
        /// The position of the first event with that id, and of the kept `ingest.conflicted`.
        case conflict(first: Int64, kept: Int64)
        /// The event was appended; a signed part of it was refused.
        case partRefused(path: String, reason: RefusalReason, position: Int64)
    }

    package let place: ImportPlace
    package let kind: Kind
}

/// How far the import of a file is.
package struct ImportProgress: Sendable {
    /// The path as it was given.
    package let file: String
    /// How many bytes of it were read, and how many it has; 0 where that is not known.
    package let readBytes, bytes: Int64
    /// What became of everything so far.
    package let counts: ImportCounts
    /// The line from which it goes on where it was interrupted; `nil` if it was not.
    package let resumedAt: Int?
}
