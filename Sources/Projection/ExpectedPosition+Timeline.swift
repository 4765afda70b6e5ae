package import EventLog
internal import PostgreSQL
package import Settlement

extension ExpectedPosition {
    /// How many positions are told at most.
    private static let positionsMax = 100
    /// How far the views may be behind the log while all appends wait for the answer.
    private static let tailMax = 10_000
    private static let pageMax = 1_000
    /// How many events that were set aside are looked at meanwhile.
    private static let asideMax = 1_000

    /// That no event after the position carries one of these names, wherever it stands in it: the
    /// timeline is asked as far as the views are, and then the log's own tail and what the views
    /// set aside.
    ///
    /// An append that expects it throws `ProjectionError.notYetInViews` where the views are too far
    /// behind the log for that, or set too much aside.
    /// - Parameters:
    ///   - position: up to where the log was looked at.
    ///   - epoch: the log's, as `LogHead` told it with the position; `nil` asks for none.
    ///   - keys: the names; bundles and kinds as the timeline has them.
    package init(
        nothingNewSince position: Int64, epoch: Int64? = nil, about keys: Set<TimelineKey>
    ) {
        self.init(nothingNewSince: position, epoch: epoch) { connection, after in
            let views = try Self.views(of: keys, after: after, on: connection)
            guard views.aside.count <= Self.asideMax else { throw ProjectionError.notYetInViews }
            var newer = views.positions
            if !views.aside.isEmpty {
                newer += try EventLog.read(positions: views.aside, on: connection)
                    .filter { Self.isAbout($0, keys) }.map(\.position)
            }
            newer += try Self.tail(after: max(after, views.end), about: keys, on: connection)
            return Array(Set(newer).sorted().prefix(Self.positionsMax))
        }
    }

    /// What the views tell of the names after a position, and up to where.
    private struct Views {
        /// Up to where they hold what the log holds; 0 where they are of another epoch.
        var end: Int64 = 0
        var positions: [Int64] = []
        /// What they could not take over, whatever it is about.
        var aside: [Int64] = []
    }

    private static func views(
        of keys: Set<TimelineKey>, after: Int64, on connection: isolated Connection
    ) throws -> Views {
        let keys = keys.sorted()
        let rows = try connection.query(
            .viewNewerPositions,
            [
                .texts(keys.map(\.kind.rawValue)), .byteas(keys.map { Array($0.bundle.utf8) }),
                .byteas(keys.map { Array($0.value.utf8) }), .int64(after),
                .text(ViewProjector.name), .int64(Int64(positionsMax)),
                .int64(Int64(asideMax) + 1),
            ])
        var views = Views()
        for row in rows {
            views.end = try row.value(at: 0)
            guard let position = try row.value(at: 1, as: Int64?.self) else { continue }
            if try row.value(at: 2) {
                views.aside.append(position)
            } else {
                views.positions.append(position)
            }
        }
        return views
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
