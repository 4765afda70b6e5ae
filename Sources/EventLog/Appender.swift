internal import PostgreSQL

/// Appends for many at once: what waits while one group is committed forms the next, so that a
/// transaction and its flush to disk serve all of them. No timer is needed.
///
/// It may be used from any number of tasks; several processes may have one each. A server that
/// restarts costs time only: nothing is acknowledged before it is on disk, and what was stored
/// without an answer is recognised when it is sent again.
public actor Appender {
    /// What waits at most, and for how long the server may be away.
    public struct Limits: Sendable {
        /// How many events may wait to be written; whoever comes with more waits for room.
        public var eventsMax = 16_384
        /// How many bytes they may have together.
        public var bytesMax = 64 << 20
        /// How many calls may wait for room; the next one is refused.
        public var waitersMax = 4_096
        /// How many bytes those calls may bring together, unless there is only one.
        public var waitingBytesMax = 256 << 20
        /// For how long a group is tried again while the server is away.
        public var patience = EventLog.standardPatience

        /// Bounds for a service.
        public init() {}
    }

    /// What it has done so far.
    public struct Statistics: Sendable, Equatable {
        /// Transactions that were committed.
        public var groups: Int64 = 0
        /// Events in them, duplicates included.
        public var events: Int64 = 0
        /// How often one lost against another transaction (40001, 40P01) and was run again.
        public var retries: Int64 = 0
        /// How often one was sent again because its connection broke.
        public var reconnections: Int64 = 0
        /// Calls that were refused because too many were waiting.
        public var refused: Int64 = 0
    }

    private struct Submission {
        let id: Int
        let run: AppendRun
        let byteCount: Int
        let continuation: CheckedContinuation<CommandOutcome, any Error>
    }

    private struct Waiter {
        let id: Int
        let events: Int
        let bytes: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// How often those that were just answered get their turn before the next group is taken: who
    /// appends again at once belongs to it, or half of many callers would wait for the other half.
    private static let turns = 4

    /// The log it appends to.
    public let log: EventLog
    private let limits: Limits
    private var queue: [Submission] = []
    /// What waits or is being written.
    private var events = 0
    private var bytes = 0
    private var waiters: [Waiter] = []
    private var lastId = 0
    private var writing: Task<Void, Never>?
    /// Who waits until nothing is left to be written.
    private var drainers: [CheckedContinuation<Void, Never>] = []
    /// What it has done so far.
    public private(set) var statistics = Statistics()

    /// An appender to a log.
    public init(_ log: EventLog, limits: Limits = Limits()) {
        self.log = log
        self.limits = limits
    }

    /// Appends events in their order, each once, and returns when they are on disk.
    ///
    /// Many are split into several transactions; after an error those before it are stored, and the
    /// whole call may be made again.
    /// - Returns: the outcome of each event.
    /// - Throws: as `EventLog.append`; `EventLogError.overloaded`; `CancellationError` if it was
    ///   cancelled before it was written.
    public nonisolated func append(_ events: [NewEvent]) async throws -> [AppendOutcome] {
        var outcomes: [AppendOutcome] = []
        outcomes.reserveCapacity(events.count)
        for group in try EventLog.groups(of: events) {
            if case .appended(let part) = try await submit(AppendRun(events: group)) {
                outcomes += part
            }
        }
        return outcomes
    }

    /// Appends events together, if nothing new came about their subject.
    /// - Throws: as `append(_:)`; `EventLogError.tooMany` for more than one transaction takes.
    public nonisolated func append(_ events: [NewEvent], expecting expectation: ExpectedPosition)
        async throws -> CommandOutcome
    {
        let groups = try EventLog.groups(of: events)
        guard groups.count <= 1 else { throw EventLogError.tooMany }
        let run = AppendRun(events: groups.first ?? [], expectation: expectation)
        // The bounds of the queue are counted in events: what has none stays out of it.
        guard !run.events.isEmpty else {
            let written = try await log.write([run], patience: limits.patience)
            return written.outcomes.first ?? .appended([])
        }
        return try await submit(run)
    }

    /// Waits until all that was handed over is written or refused, what waits for room included.
    public func drain() async {
        guard events > 0 || !waiters.isEmpty else { return }
        await withCheckedContinuation { drainers.append($0) }
    }

    // MARK: The queue

    private func submit(_ run: AppendRun) async throws -> CommandOutcome {
        let byteCount = run.events.reduce(0) { $0 + $1.byteCount }
        lastId += 1
        let id = lastId
        try await reserve(id, events: run.events.count, bytes: byteCount)
        defer {
            events -= run.events.count
            bytes -= byteCount
            admit()
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<CommandOutcome, any Error>) in
                // A cancellation before this point has found nothing to take back.
                guard !Task.isCancelled else {
                    return continuation.resume(throwing: CancellationError())
                }
                queue.append(
                    Submission(id: id, run: run, byteCount: byteCount, continuation: continuation))
                startWriting()
            }
        } onCancel: {
            Task { await self.withdraw(id) }
        }
    }

    /// Waits for room, in the order in which they came.
    private func reserve(_ id: Int, events: Int, bytes: Int) async throws {
        if waiters.isEmpty, hasRoom(events: events, bytes: bytes) {
            self.events += events
            self.bytes += bytes
            return
        }
        let waiting = waiters.reduce(0) { $0 + $1.bytes }
        guard waiters.count < limits.waitersMax,
            waiters.isEmpty || waiting + bytes <= limits.waitingBytesMax
        else {
            statistics.refused += 1
            throw EventLogError.overloaded
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                guard !Task.isCancelled else {
                    return continuation.resume(throwing: CancellationError())
                }
                waiters.append(
                    Waiter(id: id, events: events, bytes: bytes, continuation: continuation))
            }
        } onCancel: {
            Task { await self.withdraw(id) }
        }
    }

    /// One that is larger than all that may wait has its turn when nothing does.
    private func hasRoom(events: Int, bytes: Int) -> Bool {
        self.events == 0
            || (self.events + events <= limits.eventsMax && self.bytes + bytes <= limits.bytesMax)
    }

    /// Gives room to those that wait for it; where nobody does and all is written, tells of that.
    private func admit() {
        while let next = waiters.first, hasRoom(events: next.events, bytes: next.bytes) {
            waiters.removeFirst()
            events += next.events
            bytes += next.bytes
            next.continuation.resume()
        }
        guard events == 0, waiters.isEmpty else { return }
        for drainer in drainers { drainer.resume() }
        drainers = []
    }

    /// Takes back what is not being written yet.
    private func withdraw(_ id: Int) {
        if let index = waiters.firstIndex(where: { $0.id == id }) {
            waiters.remove(at: index).continuation.resume(throwing: CancellationError())
            admit()
        }
        if let index = queue.firstIndex(where: { $0.id == id }) {
            queue.remove(at: index).continuation.resume(throwing: CancellationError())
        }
    }

    // MARK: Writing

    private func startWriting() {
        guard writing == nil else { return }
        writing = Task {
            while let group = takeGroup() {
                await write(group)
                for _ in 0..<Self.turns { await Task.yield() }
            }
            writing = nil
        }
    }

    /// What one transaction takes of what waits, in its order.
    private func takeGroup() -> [Submission]? {
        var count = 0
        var (events, bytes) = (0, 0)
        for submission in queue {
            events += submission.run.events.count
            bytes += submission.byteCount
            if count > 0, events > EventLog.Group.eventsMax || bytes > EventLog.Group.bytesMax {
                break
            }
            count += 1
        }
        guard count > 0 else { return nil }
        defer { queue.removeFirst(count) }
        return Array(queue.prefix(count))
    }

    private func write(_ group: [Submission]) async {
        do {
            let outcomes = try await commit(group.map(\.run))
            for (submission, outcome) in zip(group, outcomes) {
                submission.continuation.resume(returning: outcome)
            }
        } catch let error where group.count > 1 && Self.mayBeOfOne(error) {
            // What one is refused for must not take the others with it.
            let half = group.count / 2
            await write(Array(group[..<half]))
            await write(Array(group[half...]))
        } catch {
            for submission in group { submission.continuation.resume(throwing: error) }
        }
    }

    /// Whether a smaller group may succeed: not where the server was away for as long as patience
    /// lasts, nor where nobody can append at all.
    private static func mayBeOfOne(_ error: any Error) -> Bool {
        if error is CancellationError { return false }
        if let error = error as? PostgreSQLError { return !EventLog.mayPass(error) }
        guard let error = error as? EventLogError else { return true }
        switch error {
        case .unsafeDurability, .treeIncomplete: return false
        case .invalidEvent, .schema, .badLedgerName, .damaged, .outsideTree, .overloaded, .tooMany,
            .notPartitioned, .unsuitableDatabase:
            return true
        }
    }

    /// Appends runs in one transaction; those without a condition of their own as one.
    private func commit(_ runs: [AppendRun]) async throws -> [CommandOutcome] {
        var merged: [AppendRun] = []
        var counts: [[Int]] = []
        for run in runs {
            if run.expectation == nil, merged.last.map({ $0.expectation == nil }) == true {
                merged[merged.count - 1].events += run.events
                counts[counts.count - 1].append(run.events.count)
            } else {
                merged.append(run)
                counts.append([run.events.count])
            }
        }
        let written = try await log.write(merged, patience: limits.patience)
        statistics.groups += 1
        statistics.events += Int64(runs.reduce(0) { $0 + $1.events.count })
        statistics.retries += Int64(written.retries)
        statistics.reconnections += Int64(written.reconnections)
        return zip(written.outcomes, counts).flatMap { Self.split($0, $1) }
    }

    private static func split(_ outcome: CommandOutcome, _ counts: [Int]) -> [CommandOutcome] {
        guard case .appended(let outcomes) = outcome else { return [outcome] }
        var rest = outcomes[...]
        return counts.map { count in
            defer { rest = rest.dropFirst(count) }
            return .appended(Array(rest.prefix(count)))
        }
    }
}
