package import AppStore
package import EventLog
package import Settlement

/// Brings files into the log, in the order of their lines. Run again after an interruption it
/// appends what is missing and nothing twice.
package actor Importer {
    /// Most events in one append.
    static let batchEventsMax = 500
    /// Most received bytes in one append, in bytes.
    static let batchBytesMax = 8 << 20

    private let log: EventLog
    private let quarantine: Quarantine
    private let settings: @Sendable () async throws -> Settings
    private let makeDoor: @Sendable (Settings) -> Door
    private let report: @Sendable (ImportProblem) -> Void
    private var door: Door
    private var counts = ImportCounts()
    private var pending: [Pending] = []
    private var pendingBytes = 0

    private struct Pending {
        let place: ImportPlace
        let event: NewEvent
        let refusals: [EvidenceRefusal]
    }

    /// - Parameters:
    ///   - settings: reads the settings that the log holds now; asked again after one changed.
    ///   - makeDoor: the door for the settings.
    ///   - report: told of each line that was not simply appended, in order.
    package init(
        log: EventLog, settings: @escaping @Sendable () async throws -> Settings,
        makeDoor: @escaping @Sendable (Settings) -> Door,
        report: @escaping @Sendable (ImportProblem) -> Void
    ) async throws {
        self.log = log
        quarantine = Quarantine(of: log)
        self.settings = settings
        self.makeDoor = makeDoor
        self.report = report
        door = makeDoor(try await settings())
    }

    /// Brings in one file; `-` is standard input.
    /// - Returns: what became of everything so far, this file's included.
    package func bringIn(path: String) async throws -> ImportCounts {
        var input = try InputReader(path: path)
        var isEmpty = true
        while let item = try input.next() {
            isEmpty = false
            try await take(item, at: ImportPlace(file: path, line: item.line))
        }
        try await flush()
        if isEmpty {
            refuse(
                RefusalReason.malformed.rawValue, "the file is empty",
                at: ImportPlace(file: path, line: 1))
        }
        return counts
    }

    private func take(_ item: InputItem, at place: ImportPlace) async throws {
        guard !item.isTooLarge else {
            return refuse(
                RefusalReason.tooLarge.rawValue,
                "longer than \(InputReader.itemBytesMax) bytes; it was not kept",
                at: place)
        }
        for thing in Door.things(in: item.bytes) {
            switch door.read(thing) {
            case .event(let event, let refusals):
                try await add(Pending(place: place, event: event, refusals: refusals))
            case .refused(let refusal):
                try await flush()
                try await keep(refusal, at: place)
            }
        }
    }

    private func add(_ entry: Pending) async throws {
        pending.append(entry)
        pendingBytes += entry.event.received.count
        let changesSettings = Settings.eventTypes.contains(entry.event.type)
        if pending.count >= Self.batchEventsMax || pendingBytes >= Self.batchBytesMax
            || changesSettings
        {
            try await flush()
        }
        if changesSettings { door = makeDoor(try await settings()) }
    }

    private func flush() async throws {
        guard !pending.isEmpty else { return }
        let outcomes = try await log.append(pending.map(\.event))
        for (entry, outcome) in zip(pending, outcomes) { count(outcome, of: entry) }
        pending.removeAll(keepingCapacity: true)
        pendingBytes = 0
    }

    private func count(_ outcome: AppendOutcome, of entry: Pending) {
        switch outcome {
        case .appended(let position):
            counts.appended += 1
            for refusal in entry.refusals {
                counts.refusedParts += 1
                report(
                    ImportProblem(
                        place: entry.place,
                        kind: .partRefused(
                            path: refusal.path, reason: refusal.reason, position: position)))
            }
        case .duplicate:
            counts.duplicates += 1
        case .conflict(let first, let kept):
            counts.conflicts += 1
            report(ImportProblem(place: entry.place, kind: .conflict(first: first, kept: kept)))
        }
    }

    private func keep(_ refusal: Refusal, at place: ImportPlace) async throws {
        let outcome = try await quarantine.refuse([refusal]).first
        let note =
            switch outcome?.bytes {
            case .kept, .keptBefore: ""
            case .tooLarge, .doorIsFull, nil: "; the quarantine did not keep it"
            }
        refuse(refusal.reason, (refusal.detail ?? "") + note, at: place)
    }

    private func refuse(_ reason: String, _ detail: String, at place: ImportPlace) {
        counts.refused += 1
        report(ImportProblem(place: place, kind: .refused(reason: reason, detail: detail)))
    }
}

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
