public import PostgreSQL

extension EventLog {
    /// What one transaction takes at most.
    enum Group {
        static let eventsMax = 4_096
        static let bytesMax = 32 << 20
    }

    /// For how long an append is tried again while the server is away.
    public static let standardPatience = Duration.seconds(20)

    /// Appends events; each is in the log once, however often it is sent.
    ///
    /// Up to 4,096 events of together 32 MiB are one transaction; more are split into several, one
    /// after the other. After an error those before it are stored; the whole call may be made
    /// again. Who appends from many tasks at once uses an `Appender`.
    /// - Returns: the outcome of each event, in their order.
    /// - Throws: `EventLogError.invalidEvent`, `.unsafeDurability`, `.treeIncomplete`,
    ///   `PostgreSQLError`.
    public func append(_ events: [NewEvent]) async throws -> [AppendOutcome] {
        var outcomes: [AppendOutcome] = []
        outcomes.reserveCapacity(events.count)
        for group in try Self.groups(of: events) {
            let written = try await write(
                [AppendRun(events: group)], patience: Self.standardPatience)
            for case .appended(let part) in written.outcomes { outcomes += part }
        }
        return outcomes
    }

    /// Appends events that were prepared before, in one transaction.
    /// - Parameter batches: of together at most `PreparedBatch.eventsMax` events.
    /// - Returns: the outcome of each event, in their order.
    /// - Throws: as `append(_:)`.
    public func append(_ batches: [PreparedBatch]) async throws -> [AppendOutcome] {
        let run = AppendRun(events: batches.flatMap(\.events))
        precondition(run.events.count <= Group.eventsMax, "too many events for one transaction")
        let written = try await write([run], patience: Self.standardPatience)
        guard case .appended(let outcomes)? = written.outcomes.first else { return [] }
        return outcomes
    }

    /// Appends events if nothing new came about their subject.
    /// - Throws: as `append(_:)`.
    public func append(_ events: [NewEvent], expecting expectation: ExpectedPosition) async throws
        -> CommandOutcome
    {
        let run = try AppendRun(events: Self.prepare(events), expectation: expectation)
        let written = try await write([run], patience: Self.standardPatience)
        return written.outcomes.first ?? .appended([])
    }

    /// Appends within a transaction of the caller's, which holds the head's lock from here on.
    /// - Throws: as `append(_:)`; the transaction must then be rolled back.
    public func append(_ events: [NewEvent], on connection: isolated Connection) throws
        -> [AppendOutcome]
    {
        try append(Self.prepare(events), on: connection)
    }

    // MARK: Preparing

    /// The events that one transaction takes.
    static func prepare(_ events: [NewEvent]) throws(EventLogError) -> [PreparedEvent] {
        precondition(events.count <= Group.eventsMax, "too many events for one transaction")
        var prepared: [PreparedEvent] = []
        for (index, event) in events.enumerated() {
            prepared.append(try prepare(event, index: index))
        }
        return prepared
    }

    /// Any number of events, cut into what one transaction takes.
    static func groups(of events: [NewEvent]) throws(EventLogError) -> [[PreparedEvent]] {
        var groups: [[PreparedEvent]] = []
        var group: [PreparedEvent] = []
        var byteCount = 0
        for (index, event) in events.enumerated() {
            let prepared = try prepare(event, index: index)
            let isFull =
                group.count == Group.eventsMax || byteCount + prepared.byteCount > Group.bytesMax
            if isFull, !group.isEmpty {
                groups.append(group)
                group = []
                byteCount = 0
            }
            group.append(prepared)
            byteCount += prepared.byteCount
        }
        return group.isEmpty ? groups : groups + [group]
    }

    private static func prepare(_ event: NewEvent, index: Int) throws(EventLogError)
        -> PreparedEvent
    {
        do {
            return try PreparedEvent(event)
        } catch {
            throw .invalidEvent(index: index, error)
        }
    }

    // MARK: Writing

    /// What a group's transaction gave.
    struct Written: Sendable {
        let outcomes: [CommandOutcome]
        /// How often it lost against another transaction and was run again.
        let retries: Int
        /// How often its connection broke and it was sent again.
        var reconnections = 0
    }

    /// How often a group meets new partitions at most, before that is an error.
    private static let partitionChangesMax = 5

    /// Appends runs in one transaction. A lost connection leaves open whether COMMIT took place;
    /// keys and salts answer that, so the same is sent again until the patience is at its end.
    func write(_ runs: [AppendRun], patience: Duration) async throws -> Written {
        try await StalledAppends(pool.options).watch {
            try await writePatiently(runs, patience: patience)
        }
    }

    private func writePatiently(_ runs: [AppendRun], patience: Duration) async throws -> Written {
        let deadline = ContinuousClock.now + patience
        var pause = Duration.milliseconds(20)
        var reconnections = 0
        var partitionChanges = 0
        while true {
            do {
                var written = try await writeOnce(runs)
                written.reconnections = reconnections
                return written
            } catch let error as PostgreSQLError where Self.mayPass(error) {
                guard ContinuousClock.now + pause < deadline else { throw error }
                reconnections += 1
            } catch let error as PostgreSQLError where Self.isOfPartition(error) {
                guard partitionChanges < Self.partitionChangesMax else { throw error }
                partitionChanges += 1
            }
            try await Task.sleep(for: pause * Double.random(in: 0.5...1))
            pause = min(pause * 2, .milliseconds(500))
        }
    }

    /// Rows were on their way into the default partition while another was made for them. A
    /// partition's bounds are the only check that has no name.
    private static func isOfPartition(_ error: PostgreSQLError) -> Bool {
        error.code == .checkViolation && error.constraint == nil
    }

    /// Whether the same may succeed a little later, whatever the events are.
    static func mayPass(_ error: PostgreSQLError) -> Bool {
        let codes: Set<PostgreSQLError.Code> = [
            .tooManyConnections, .lockNotAvailable, .poolWaitExceeded, .poolQueueFull,
            // The time to hold the head without a word ran out.
            PostgreSQLError.Code(rawValue: "25P03"),
        ]
        return error.isConnectionLost || codes.contains(error.code)
    }

    private func writeOnce(_ runs: [AppendRun]) async throws -> Written {
        try await pool.withConnection { connection in
            let retries = connection.retryCount
            let outcomes = try connection.transaction(attempts: 10) { connection in
                try runs.map { try append($0, on: connection) }
            }
            return Written(outcomes: outcomes, retries: connection.retryCount - retries)
        }
    }

    private func append(_ run: AppendRun, on connection: isolated Connection) throws
        -> CommandOutcome
    {
        if let expectation = run.expectation {
            let head = try lockHead(on: connection)
            // A command that is sent again is not outrun by itself.
            let keys = run.events.map(\.key)
            let known = try Self.positions(eventKeys: keys, on: connection)
            if keys.isEmpty || !keys.allSatisfy({ known[$0] != nil }) {
                if let epoch = expectation.epoch, epoch != head.epoch { return .outrun(by: []) }
                if expectation.position < head.size {
                    let newer = try expectation.newer(connection, expectation.position)
                    if !newer.isEmpty { return .outrun(by: newer) }
                }
            }
        }
        return .appended(try append(run.events, on: connection))
    }

    private func append(_ group: [PreparedEvent], on connection: isolated Connection) throws
        -> [AppendOutcome]
    {
        if group.isEmpty { return [] }
        let head = try lockHead(on: connection)
        let plan = try AppendPlan(group, stored: Self.find(group.map(\.key), on: connection))
        let kept = try Self.positions(eventKeys: plan.conflictKeys, on: connection)
        let (rows, outcomes) = try plan.rows(after: head.size, kept: kept)
        if !rows.isEmpty {
            try RowWriter(rows, after: head).write(tellingOn: ledger.channel, on: connection)
        }
        return outcomes
    }

    /// Locks the head: nobody else appends until the transaction ends.
    func lockHead(on connection: isolated Connection) throws -> HeadLock {
        let head = try HeadLock.take(isDurable: !allowsUnsafeDurability, on: connection)
        guard head.edge.size == head.size else {
            throw EventLogError.treeIncomplete(size: head.size, treeSize: head.edge.size)
        }
        return head
    }

    private static func find(_ keys: [EventKey], on connection: isolated Connection) throws
        -> [EventKey: RecordedEvent]
    {
        let rows = try connection.query(.logFind, [.byteas(keys.map(\.bytes))])
        let events = try rows.map { try RecordedEvent(row: $0) }
        // A key that stands twice is for the verification to tell.
        return Dictionary(events.map { ($0.eventKey, $0) }) { first, _ in first }
    }
}
