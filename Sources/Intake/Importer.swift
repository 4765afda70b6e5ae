internal import AppStore
package import EventLog
package import Settlement

/// Brings files into the log, in the order of their lines. While one group of events is appended
/// the next lines are read and verified, on all cores; memory is bounded whatever the file's size.
/// Run again after an interruption it goes on where it was, and appends nothing twice.
package actor Importer {
    /// How many batches are read ahead.
    static let batchesAhead = 16
    /// How many bytes make what is read ahead full, in bytes; one batch is always read.
    static let bytesAheadMax = 16 << 20
    /// How many bytes make a group full, in bytes.
    static let groupBytesMax = 8 << 20
    private let log: EventLog
    private let quarantine: Quarantine
    private let settings: @Sendable () async throws -> Settings
    private let makeDoor: @Sendable (Settings) -> Door
    private let report: @Sendable (ImportProblem) -> Void
    private let progress: @Sendable (ImportProgress) -> Void
    private let markPause: Duration
    private let options: [UInt8]
    private var door: Door
    private var counts = ImportCounts()
    private var group = ImportGroup()
    private var appending: Appending?

    /// A group on its way into the log.
    private struct Appending {
        let group: ImportGroup
        let task: Task<[AppendOutcome], any Error>
    }

    /// A batch that is read meanwhile.
    private struct Ahead {
        let batch: ImportBatch
        let task: Task<ImportBatch.Reading, any Error>
    }

    /// - Parameters:
    ///   - settings: reads the settings that the log holds now; asked again after one changed.
    ///   - makeDoor: the door for the settings.
    ///   - options: all that makes a door judge otherwise but the log's settings: which roots are
    ///     trusted, an instant of receipt that was given. A file whose import was interrupted under
    ///     other options is read from its beginning.
    ///   - report: told of each line that was not simply appended, in order.
    ///   - markPause: how often it is noted how far the import is.
    ///   - progress: told of that, at the start, at the end, and each time it was noted.
    package init(
        log: EventLog, settings: @escaping @Sendable () async throws -> Settings,
        makeDoor: @escaping @Sendable (Settings) -> Door, options: [UInt8] = [],
        report: @escaping @Sendable (ImportProblem) -> Void,
        markPause: Duration = .seconds(2),
        progress: @escaping @Sendable (ImportProgress) -> Void = { _ in }
    ) async throws {
        self.log = log
        quarantine = Quarantine(of: log)
        self.settings = settings
        self.makeDoor = makeDoor
        self.options = options
        self.report = report
        self.progress = progress
        self.markPause = markPause
        door = makeDoor(try await settings())
    }

    /// Brings in one file; `-` is standard input.
    /// - Returns: what became of everything so far, this file's included.
    package func bringIn(path: String) async throws -> ImportCounts {
        var file = try await ImportFile(
            path: path, log: log, options: options, countsBefore: counts)
        if let mark = file.mark { counts.add(mark.counts) }
        tell(file)
        do {
            try await bringIn(&file)
        } catch {
            // What is on its way is neither lost nor waited for by anybody else.
            _ = try? await appending?.task.value
            appending = nil
            group = ImportGroup()
            throw error
        }
        try await file.finish(in: log)
        if file.isEmpty {
            refuse(
                RefusalReason.malformed.rawValue, "the file is empty",
                at: ImportPlace(file: path, line: 1))
        }
        return counts
    }

    private func bringIn(_ file: inout ImportFile) async throws {
        var ahead: [Ahead] = []
        defer { for next in ahead { next.task.cancel() } }
        while true {
            try Task.checkCancellation()
            // What a slow pipe brought does not wait for what it brings next.
            if ahead.isEmpty, file.mustWait { try await flush() }
            while hasRoom(ahead), ahead.isEmpty || !file.mustWait,
                let batch = try file.nextBatch()
            {
                ahead.append(start(batch))
            }
            guard !ahead.isEmpty else { break }
            let next = ahead.removeFirst()
            let reading = try await next.task.value
            for step in reading.steps { try await take(step, path: file.path) }
            if let rest = reading.rest {
                try await flush()
                door = makeDoor(try await settings())
                ahead.insert(start(ImportBatch(things: rest, end: next.batch.end)), at: 0)
                for index in ahead.indices.dropFirst() {
                    ahead[index].task.cancel()
                    ahead[index] = start(ahead[index].batch)
                }
            } else {
                try await mark(&file, at: next.batch.end)
            }
        }
        try await flush()
        tell(file)
    }

    private func hasRoom(_ ahead: [Ahead]) -> Bool {
        ahead.isEmpty
            || (ahead.count < Self.batchesAhead
                && ahead.reduce(0) { $0 + $1.batch.byteCount } < Self.bytesAheadMax)
    }

    private func start(_ batch: ImportBatch) -> Ahead {
        let door = door
        // What appends must not wait for a thread until a batch is read.
        let task = Task.detached(priority: .utility) {
            try ImportBatch.read(batch.things, door: door)
        }
        return Ahead(batch: batch, task: task)
    }

    /// Notes from time to time how far the import is, once all that came before is in the log.
    private func mark(_ file: inout ImportFile, at end: InputPlace) async throws {
        guard file.isMarkDue(after: markPause) else { return }
        try await flush()
        try await file.mark(end, counts: counts, in: log)
        tell(file)
    }

    private func tell(_ file: borrowing ImportFile) {
        progress(
            ImportProgress(
                file: file.path, readBytes: file.readBytes, bytes: file.bytes, counts: counts,
                resumedAt: file.mark.map { Int($0.line) }))
    }

    // MARK: Steps

    private func take(_ step: ImportBatch.Step, path: String) async throws {
        switch step {
        case .events(let batch, let origins):
            if group.isFull(with: batch) { try await ship() }
            group.add(batch, origins.map { ($0, ImportPlace(file: path, line: $0.line)) })
        case .refused(let refusals, let lines):
            try await flush()
            try await keep(refusals, at: lines.map { ImportPlace(file: path, line: $0) })
        case .tooLarge(let line):
            try await flush()
            refuse(
                RefusalReason.tooLarge.rawValue,
                "longer than \(InputReader.itemBytesMax) bytes; it was not kept",
                at: ImportPlace(file: path, line: line))
        }
    }

    /// Sends the group on its way, after the one before has arrived.
    private func ship() async throws {
        try await arrive()
        guard group.count > 0 else { return }
        let batches = group.batches
        appending = Appending(group: group, task: Task { try await log.append(batches) })
        group = ImportGroup()
    }

    private func arrive() async throws {
        guard let appending else { return }
        let outcomes = try await appending.task.value
        self.appending = nil
        for (origin, outcome) in zip(appending.group.origins, outcomes) {
            count(outcome, of: origin)
        }
    }

    private func flush() async throws {
        try await ship()
        try await arrive()
    }

    private func count(_ outcome: AppendOutcome, of origin: ImportGroup.Origin) {
        switch outcome {
        case .appended(let position):
            counts.appended += 1
            for refusal in origin.refusals {
                counts.refusedParts += 1
                report(
                    ImportProblem(
                        place: origin.place,
                        kind: .partRefused(
                            path: refusal.path, reason: refusal.reason, position: position)))
            }
        case .duplicate:
            counts.duplicates += 1
        case .conflict(let first, let kept):
            counts.conflicts += 1
            report(ImportProblem(place: origin.place, kind: .conflict(first: first, kept: kept)))
        }
    }

    private func keep(_ refusals: [Refusal], at places: [ImportPlace]) async throws {
        let outcomes = try await quarantine.refuse(refusals)
        for (index, refusal) in refusals.enumerated() {
            let note =
                switch outcomes[index].bytes {
                case .kept, .keptBefore: ""
                case .tooLarge, .doorIsFull: "; the quarantine did not keep it"
                }
            refuse(refusal.reason, (refusal.detail ?? "") + note, at: places[index])
        }
    }

    private func refuse(_ reason: String, _ detail: String, at place: ImportPlace) {
        counts.refused += 1
        report(ImportProblem(place: place, kind: .refused(reason: reason, detail: detail)))
    }
}

/// Events that go into the log in one transaction.
struct ImportGroup {
    struct Origin {
        let place: ImportPlace
        let refusals: [EvidenceRefusal]
    }

    private(set) var batches: [PreparedBatch] = []
    private(set) var origins: [Origin] = []
    private var byteCount = 0

    var count: Int { origins.count }

    /// Whether the batch is to go with the next group.
    func isFull(with batch: PreparedBatch) -> Bool {
        count > 0
            && (count + batch.count > PreparedBatch.eventsMax
                || byteCount + batch.byteCount > Importer.groupBytesMax)
    }

    mutating func add(
        _ batch: PreparedBatch, _ origins: [(ImportBatch.Origin, ImportPlace)]
    ) {
        batches.append(batch)
        self.origins += origins.map { Origin(place: $1, refusals: $0.refusals) }
        byteCount += batch.byteCount
    }
}
