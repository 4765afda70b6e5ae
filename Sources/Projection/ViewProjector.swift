package import EventLog
package import PostgreSQL
internal import Settlement

/// Keeps the views up with the log: reads what is new, merges it, and commits rows and checkpoint
/// together, so that each event is in the views exactly once, wherever it is interrupted.
package struct ViewProjector: Sendable {
    /// The name of its row in `projection_checkpoint`.
    static let name = "views"
    /// Most events in one transaction.
    static let batchEventsMax = 500
    /// Most orders, entitlements or disputes re-derived in one transaction.
    static let reviewOrdersMax = 200

    let log: EventLog
    /// How to reach the log for listening to it.
    let options: ConnectionOptions
    /// Milliseconds since 1970 UTC: the instant for which derived columns hold.
    let now: @Sendable () -> Int64
    /// How long it waits for the log to tell that it grew before it looks by itself.
    package var pollMilliseconds = 1000

    /// A projector of a log's views.
    package init(
        log: EventLog, options: ConnectionOptions, now: @escaping @Sendable () -> Int64
    ) {
        self.log = log
        self.options = options
        self.now = now
    }

    /// Takes over all that the log holds, tries again what was set aside and is due, and re-derives
    /// what time alone has changed.
    /// - Returns: how many events were taken over.
    @discardableResult
    package func catchUp() async throws -> Int {
        try await prepare()
        var total = 0
        while true {
            let count = try await step(limit: Self.batchEventsMax)
            guard count > 0 else { break }
            total += count
        }
        try await retryFailures()
        while try await review() == Self.reviewOrdersMax {}
        while try await reviewHoldings() >= Self.reviewOrdersMax {}
        return total
    }

    /// Catches up again and again, woken by the log, until the task is cancelled.
    package func follow() async throws {
        while true {
            do {
                try await followUntilLost()
            } catch let error as PostgreSQLError
                where error.isConnectionLost || error.isTransient
            {
                try await Task.sleep(for: .milliseconds(pollMilliseconds))
            }
        }
    }

    /// Follows on one connection until that is lost.
    private func followUntilLost() async throws {
        let listener = try await Connection.open(options)
        try await listener.perform { try $0.listen(log.ledger.channel) }
        while true {
            try await catchUp()
            _ = try await listener.perform {
                try $0.waitForNotification(timeoutMilliseconds: pollMilliseconds)
            }
        }
    }

    private func prepare() async throws {
        try await log.pool.withConnection { connection in
            let head = try EventLog.head(on: connection)
            _ = try connection.query(
                .viewCreateCheckpoint, [.text(Self.name), .int64(head.epoch)])
        }
    }

    // MARK: Events

    /// Takes over the next events; one that cannot be taken over is found by halving and set aside.
    /// - Returns: by how many events the checkpoint moved.
    private func step(limit: Int) async throws -> Int {
        do {
            return try await transaction { try Self.takeOver(limit: limit, now: now(), on: $0) }
        } catch let error where Self.isOfTheEvents(error) {
            guard limit == 1 else { return try await step(limit: limit / 2) }
            return try await transaction { try Self.setAsideNext(error, on: $0) }
        }
    }

    /// Whether an error comes from what the events hold rather than from where they are kept.
    private static func isOfTheEvents(_ error: any Error) -> Bool {
        // Classes 22, 23 and 54 of SQLSTATE: a value that a column or an index does not take.
        if let error = error as? PostgreSQLError {
            return ["22", "23", "54"].contains(error.code.category)
        }
        return !(error is CancellationError || error is ProjectionError)
    }

    private static func takeOver(limit: Int, now: Int64, on connection: isolated Connection) throws
        -> Int
    {
        let checkpoint = try lockedCheckpoint(on: connection)
        let events = try EventLog.read(after: checkpoint, limit: limit, on: connection)
        guard let last = events.last else { return 0 }
        try store(events, upTo: last.position, now: now, on: connection)
        _ = try connection.query(
            .viewAdvanceCheckpoint, [.text(name), .int64(last.position)])
        return events.count
    }

    private static func lockedCheckpoint(on connection: isolated Connection) throws -> Int64 {
        guard let row = try connection.query(.viewLockCheckpoint, [.text(name)]).first else {
            throw ProjectionError.noCheckpoint
        }
        let head = try EventLog.head(on: connection)
        let position: Int64 = try row.value("position")
        guard try row.value("log_epoch", as: Int64.self) == head.epoch, position <= head.size else {
            throw ProjectionError.aheadOfLog
        }
        return position
    }

    private static func store(
        _ events: [RecordedEvent], upTo position: Int64, now: Int64,
        on connection: isolated Connection
    ) throws {
        var batch = ViewBatch()
        for event in events { try batch.fold(event) }
        let (prior, merged) = try batch.store(on: connection)
        let settings = try SettingsReader.settings(upTo: position, on: connection)
        let deriver = OrderDeriver(settings: settings, now: now, position: position)
        try deriver.derive(
            changed: batch.facts, prior: prior, merged: merged, on: connection)
        if events.contains(where: { Settings.eventTypes.contains($0.type) }) {
            try deriver.rulesChanged(on: connection)
        }
    }

    // MARK: What could not be taken over

    private static func setAsideNext(_ error: any Error, on connection: isolated Connection) throws
        -> Int
    {
        let checkpoint = try lockedCheckpoint(on: connection)
        // The name of the error's type: what it says may quote the event.
        _ = try connection.query(
            .viewSetAside, [.int64(checkpoint + 1), .text(String(describing: type(of: error)))])
        _ = try connection.query(
            .viewAdvanceCheckpoint, [.text(name), .int64(checkpoint + 1)])
        return 1
    }

    /// Facts commute, so an event that is taken over late gives the same rows.
    private func retryFailures() async throws {
        for failure in try await failures() where failure.isDue {
            do {
                try await transaction { connection in
                    let checkpoint = try Self.lockedCheckpoint(on: connection)
                    let events = try EventLog.read(positions: [failure.position], on: connection)
                    try Self.store(events, upTo: checkpoint, now: now(), on: connection)
                    _ = try connection.query(.viewClearFailure, [.int64(failure.position)])
                }
            } catch let error where Self.isOfTheEvents(error) {
                try await transaction { connection in
                    _ = try connection.query(
                        .viewSetAside,
                        [.int64(failure.position), .text(String(describing: type(of: error)))])
                }
            }
        }
    }

    // MARK: Time

    /// Re-derives the orders that are due.
    private func review() async throws -> Int {
        try await transaction { connection in
            let checkpoint = try Self.lockedCheckpoint(on: connection)
            let now = now()
            let rows = try connection.query(
                .viewDueOrders,
                [.timestamp(milliseconds: now), .int64(Int64(Self.reviewOrdersMax))])
            let keys = try rows.map { row in
                EntityKey.order(try row.text("bundle"), try row.text("order_number"))
            }
            let settings = try SettingsReader.settings(upTo: checkpoint, on: connection)
            try OrderDeriver(settings: settings, now: now, position: checkpoint)
                .derive(keys, on: connection)
            return keys.count
        }
    }

    /// Re-derives the entitlements and disputes that are due.
    private func reviewHoldings() async throws -> Int {
        try await transaction { connection in
            let checkpoint = try Self.lockedCheckpoint(on: connection)
            let settings = try SettingsReader.settings(upTo: checkpoint, on: connection)
            return try HoldingsDeriver(settings: settings, now: now())
                .deriveDue(limit: Self.reviewOrdersMax, on: connection)
        }
    }

    private func transaction<R: Sendable>(
        _ body: @Sendable (isolated Connection) throws -> R
    ) async throws -> R {
        try await log.pool.withConnection { connection in
            try connection.transaction { try body($0) }
        }
    }
}
