internal import EventLog
internal import Settlement

/// What a run of events adds to the views, folded in memory.
struct ViewBatch {
    private(set) var facts: [EntityKey: Facts] = [:]
    private(set) var timeline: Set<TimelineRow> = []
    private(set) var sightings: [ChargeSighting: Int64] = [:]
    private(set) var claims: [OpenedClaim] = []

    /// A claim as the claims view keeps it.
    struct OpenedClaim {
        let bundle: String
        let claimId: String
        let position: Int64
        let receivedAt: Int64
    }

    /// Folds one event.
    /// - Throws: whatever makes the event unreadable; nothing of it has been folded then.
    mutating func fold(_ recorded: RecordedEvent) throws {
        let event = try SettlementEvent(recorded)
        let added = contributions(of: event)
        for (key, addition) in added {
            facts[key, default: addition].merge(addition)
            timeline.insert(
                TimelineRow(
                    kind: key.kind.rawValue, bundle: key.bundle, key: key.id,
                    position: recorded.position))
        }
        for key in timelineKeys(of: event) {
            timeline.insert(
                TimelineRow(
                    kind: key.kind.rawValue, bundle: key.bundle, key: key.value,
                    position: recorded.position))
        }
        for sighting in Settlement.sightings(of: event) {
            sightings[sighting] = min(sightings[sighting] ?? .max, recorded.position)
        }
        if let claim = Claim(event) {
            claims.append(
                OpenedClaim(
                    bundle: claim.bundle, claimId: claim.claimId, position: recorded.position,
                    receivedAt: event.receivedAt))
        }
    }
}

/// A row of the timeline: an event under one of its keys.
struct TimelineRow: Hashable {
    let kind: String
    let bundle: String
    let key: String
    let position: Int64
}
