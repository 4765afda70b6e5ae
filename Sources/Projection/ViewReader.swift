package import EventLog
internal import PostgreSQL
internal import Settlement

/// Answers questions from the views, or as of a position or an instant from the log itself.
package struct ViewReader: Sendable {
    /// For which moment an answer holds.
    package enum Moment: Sendable {
        /// As far as the views are, at this instant in milliseconds since 1970 UTC.
        case now(Int64)
        /// After the event at this position, at the instant at which it was recorded.
        case position(Int64)
        /// At this instant, in milliseconds since 1970 UTC, with what had been recorded by then.
        case instant(Int64)
    }

    let log: EventLog
    let moment: Moment

    /// A reader for one moment.
    package init(log: EventLog, moment: Moment) {
        self.log = log
        self.moment = moment
    }

    /// Runs `body` in one snapshot of the database, with what holds at the moment.
    func read<R: Sendable>(
        _ body: @Sendable (Evaluator, isolated Connection) throws -> R
    ) async throws -> R {
        try await log.pool.withConnection { connection in
            try connection.transaction(.snapshot) { connection in
                try body(try evaluator(on: connection), connection)
            }
        }
    }

    private func evaluator(on connection: isolated Connection) throws -> Evaluator {
        switch moment {
        case .now(let now):
            let position = try viewsPosition(on: connection)
            return try evaluator(StoredFacts(position: position), now: now, on: connection)
        case .position(let position):
            guard position > 0, let recordedAt = try recordedAt(position, on: connection) else {
                throw ProjectionError.notYetInLog
            }
            return try evaluator(asOf: position, now: recordedAt, on: connection)
        case .instant(let instant):
            let position = try lastPosition(at: instant, on: connection)
            return try evaluator(asOf: position, now: instant, on: connection)
        }
    }

    /// How far the views reach.
    private func viewsPosition(on connection: isolated Connection) throws -> Int64 {
        guard
            let row = try connection.query(.viewReadCheckpoint, [.text(ViewProjector.name)]).first
        else { return 0 }
        let position: Int64 = try row.value("position")
        let head = try EventLog.head(on: connection)
        guard try row.value("log_epoch", as: Int64.self) == head.epoch, position <= head.size else {
            throw ProjectionError.aheadOfLog
        }
        return position
    }

    /// The events of a prefix are found by the timeline, which must reach as far.
    private func evaluator(asOf position: Int64, now: Int64, on connection: isolated Connection)
        throws -> Evaluator
    {
        guard try position <= viewsPosition(on: connection) else {
            throw ProjectionError.notYetInViews
        }
        return try evaluator(PrefixFacts(position: position), now: now, on: connection)
    }

    private func evaluator(
        _ source: any FactSource, now: Int64, on connection: isolated Connection
    ) throws -> Evaluator {
        Evaluator(
            source: source,
            settings: try SettingsReader.settings(upTo: source.position, on: connection), now: now)
    }

    // MARK: Instants are prefixes

    private func recordedAt(_ position: Int64, on connection: isolated Connection) throws -> Int64?
    {
        try connection.query(.viewRecordedAt, [.int64(position)]).first
            .map { try $0.value("recorded_at", as: Timestamp.self).milliseconds }
    }

    /// The last position recorded by an instant: `recordedAt` never falls, so it is found by
    /// halving.
    private func lastPosition(at instant: Int64, on connection: isolated Connection) throws -> Int64
    {
        var low: Int64 = 0
        var high = try EventLog.head(on: connection).size
        while low < high {
            let middle = low + (high - low + 1) / 2
            guard let recorded = try recordedAt(middle, on: connection) else {
                throw ProjectionError.notYetInLog
            }
            if recorded <= instant { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
