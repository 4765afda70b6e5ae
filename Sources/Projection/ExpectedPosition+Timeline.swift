package import EventLog
internal import PostgreSQL
package import Settlement

extension ExpectedPosition {
    /// How many positions are told at most.
    private static let positionsMax = 100
    /// How far the views may be behind the log while all appends wait for the answer.
    private static let tailMax = 10_000
    private static let pageMax = 1_000

    /// That no event after the position carries one of these names, wherever it stands in it: the
    /// timeline is asked as far as the views are, and then the log's own tail.
    ///
    /// An append that expects it throws `ProjectionError.notYetInViews` where the views are too far
    /// behind the log for that.
    package init(nothingNewSince position: Int64, about keys: Set<TimelineKey>) {
        self.init(nothingNewSince: position) { connection, after in
            let checkpoint = max(after, try Self.checkpoint(on: connection))
            var newer = try Self.positions(of: keys, after: after, upTo: checkpoint, on: connection)
            newer += try Self.tail(after: checkpoint, about: keys, on: connection)
            return Array(newer.prefix(Self.positionsMax))
        }
    }

    /// Up to where the views hold what the log holds; 0 where they are of another epoch.
    private static func checkpoint(on connection: isolated Connection) throws -> Int64 {
        let head = try EventLog.head(on: connection)
        let row = try connection.query(.viewReadCheckpoint, [.text(ViewProjector.name)]).first
        guard let row, try row.value("log_epoch") == head.epoch else { return 0 }
        return min(head.size, try row.value("position"))
    }

    private static func positions(
        of keys: Set<TimelineKey>, after: Int64, upTo checkpoint: Int64,
        on connection: isolated Connection
    ) throws -> [Int64] {
        guard after < checkpoint else { return [] }
        let keys = keys.sorted()
        return try connection.query(
            .viewNewerPositions,
            [
                .texts(keys.map(\.kind.rawValue)), .byteas(keys.map { Array($0.bundle.utf8) }),
                .byteas(keys.map { Array($0.value.utf8) }), .int64(after), .int64(checkpoint),
                .int64(Int64(positionsMax)),
            ]
        ).map { try $0.value(at: 0) }
    }

    private static func tail(
        after checkpoint: Int64, about keys: Set<TimelineKey>, on connection: isolated Connection
    ) throws -> [Int64] {
        guard try EventLog.head(on: connection).size - checkpoint <= Int64(tailMax) else {
            throw ProjectionError.notYetInViews
        }
        var newer: [Int64] = []
        var last = checkpoint
        while true {
            let events = try EventLog.read(after: last, limit: pageMax, on: connection)
            guard let end = events.last else { return newer }
            for event in events where isAbout(event, keys) { newer.append(event.position) }
            last = end.position
        }
    }

    private static func isAbout(_ event: RecordedEvent, _ keys: Set<TimelineKey>) -> Bool {
        // What nobody can read carries no name, in the views neither.
        guard let event = try? SettlementEvent(event) else { return false }
        return !keys.isDisjoint(with: timelineKeys(of: event))
    }
}
