internal import EventLog
internal import PostgreSQL
internal import Settlement

/// Where the facts for an answer come from: the rows, or the log up to a position.
protocol FactSource: Sendable {
    /// The position up to which the facts are complete.
    var position: Int64 { get }

    func facts(_ keys: [EntityKey], on connection: isolated Connection) throws
        -> [EntityKey: Facts]
}

/// The facts as the projector keeps them.
struct StoredFacts: FactSource {
    let position: Int64

    func facts(_ keys: [EntityKey], on connection: isolated Connection) throws
        -> [EntityKey: Facts]
    {
        try FactStore.load(keys, on: connection)
    }
}

/// The facts as a prefix of the log gives them, folded anew from the events of their keys.
struct PrefixFacts: FactSource {
    let position: Int64

    /// Most events that are folded for one step of an answer.
    static let eventsMax = 100_000
    private static let pageMax = 500

    func facts(_ keys: [EntityKey], on connection: isolated Connection) throws
        -> [EntityKey: Facts]
    {
        let wanted = Set(keys)
        let positions = try Timeline.positions(
            of: keys.map(TimelineRow.Name.init), upTo: position, limit: Self.eventsMax,
            on: connection)
        guard positions.count < Self.eventsMax else { throw ProjectionError.tooManyEvents }
        var facts: [EntityKey: Facts] = [:]
        for start in stride(from: 0, to: positions.count, by: Self.pageMax) {
            let page = Array(positions[start..<min(start + Self.pageMax, positions.count)])
            for event in try EventLog.read(positions: page, on: connection) {
                for (key, told) in contributions(of: try SettlementEvent(event))
                where wanted.contains(key) {
                    facts.merge([key: told]) { known, new in known.merging(new) }
                }
            }
        }
        return facts
    }
}

extension Facts {
    /// Both, joined.
    func merging(_ other: Facts) -> Facts {
        var merged = self
        merged.merge(other)
        return merged
    }
}
