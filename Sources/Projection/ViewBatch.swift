internal import EventLog
internal import PostgreSQL
internal import Settlement

/// What a run of events adds to the views, folded in memory.
struct ViewBatch {
    private(set) var facts: [EntityKey: Facts] = [:]
    private(set) var timeline: Set<TimelineRow> = []
    private(set) var sightings: [Sighting: Int64] = [:]
    private(set) var claims: [(claim: Claim, position: Int64)] = []

    /// Folds one event.
    /// - Throws: whatever makes the event unreadable; nothing of it has been folded then.
    mutating func fold(_ recorded: RecordedEvent) throws {
        let event = try SettlementEvent(recorded)
        let position = recorded.position
        for (key, told) in contributions(of: event) {
            facts.merge([key: told]) { known, new in known.merging(new) }
            timeline.insert(TimelineRow(name: .init(key), position: position))
        }
        for key in timelineKeys(of: event) {
            timeline.insert(TimelineRow(name: .init(key), position: position))
        }
        for sighting in Settlement.sightings(of: event) {
            sightings[sighting] = min(sightings[sighting] ?? position, position)
        }
        if let claim = Claim(event) { claims.append((claim, position)) }
    }

    /// Merges it with what is stored.
    /// - Returns: the touched facts as they stood and as they now stand.
    func store(on connection: isolated Connection) throws -> (
        prior: [EntityKey: Facts], merged: [EntityKey: Facts]
    ) {
        let known = try FactStore.load(facts.keys, on: connection)
        let merged = facts.merging(known) { told, known in known.merging(told) }
        try FactStore.store(merged, on: connection)
        try Timeline.add(timeline, on: connection)
        try storeSightings(on: connection)
        try storeClaims(on: connection)
        return (known, merged)
    }

    private func storeSightings(on connection: isolated Connection) throws {
        guard !sightings.isEmpty else { return }
        let rows = sightings.sorted { $0.key < $1.key }
        _ = try connection.query(
            .viewAddSightings,
            [
                .texts(rows.map(\.key.kind.rawValue)),
                .byteas(rows.map { Array($0.key.bundle.utf8) }),
                .byteas(rows.map { Array($0.key.productId.utf8) }),
                .timestamps(rows.map { Timestamp(milliseconds: clamped($0.key.instant)) }),
                .byteas(rows.map { Array($0.key.id.utf8) }), .int64s(rows.map(\.value)),
            ])
    }

    private func storeClaims(on connection: isolated Connection) throws {
        guard !claims.isEmpty else { return }
        _ = try connection.query(
            .viewAddClaims,
            [
                .byteas(claims.map { Array($0.claim.bundle.utf8) }),
                .byteas(claims.map { Array($0.claim.claimId.utf8) }),
                .int64s(claims.map(\.position)),
                .timestamps(claims.map { Timestamp(milliseconds: clamped($0.claim.openedAt)) }),
            ])
    }
}

/// An instant that `timestamptz` can hold: what a payload says may be anything.
func clamped(_ milliseconds: Int64) -> Int64 {
    min(max(milliseconds, Timestamp.range.lowerBound), Timestamp.range.upperBound - 1)
}
