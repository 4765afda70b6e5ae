/// What becomes of each event of a group, decided under the log's lock.
///
/// Pure: it is told what the log holds and answers with the rows to write.
struct AppendPlan {
    /// The event that has the key already.
    private enum First {
        /// It stands in the log.
        case stored(Int64, erased: Bool)
        /// It is an earlier event of the same group.
        case pending(index: Int)
    }

    private enum Finding {
        case new
        /// This very call stored it, before its connection broke.
        case own(Int64)
        case same(First)
        case other(First, conflictId: String)
    }

    private let events: [PreparedEvent]
    private let findings: [Finding]

    /// The keys under which the conflicts of this group would be kept.
    let conflictKeys: [EventKey]

    /// - Parameters:
    ///   - events: a group, in the order in which it came.
    ///   - stored: the events of the log that have one of their keys.
    init(_ events: [PreparedEvent], stored: [EventKey: RecordedEvent]) throws {
        var pending: [EventKey: Int] = [:]
        var findings: [Finding] = []
        findings.reserveCapacity(events.count)
        for (index, event) in events.enumerated() {
            if let first = stored[event.key] {
                findings.append(try Self.compare(event, with: first))
            } else if let first = pending[event.key] {
                findings.append(Self.compare(event, with: events[first], index: first))
            } else {
                pending[event.key] = index
                findings.append(.new)
            }
        }
        self.events = events
        self.findings = findings
        conflictKeys = findings.compactMap { finding in
            switch finding {
            case .other(_, let id): EventKey(source: ConflictEvent.source, id: id)
            case .new, .own, .same: nil
            }
        }
    }

    /// The rows to write after the head, in their order, and what to answer for each event.
    /// - Parameter kept: where conflicts of these keys are kept already.
    func rows(after head: Int64, kept: [EventKey: Int64]) throws(InvalidEvent)
        -> (rows: [PreparedEvent], outcomes: [AppendOutcome])
    {
        var rows: [PreparedEvent] = []
        var kept = kept
        var positions = [Int64](repeating: 0, count: events.count)
        var outcomes: [AppendOutcome] = []
        outcomes.reserveCapacity(events.count)
        for (index, event) in events.enumerated() {
            switch findings[index] {
            case .new:
                rows.append(event)
                positions[index] = head + Int64(rows.count)
                outcomes.append(.appended(positions[index]))
            case .own(let position): outcomes.append(.appended(position))
            case .same(let first): outcomes.append(.duplicate(position(of: first, in: positions)))
            case .other(let first, let id):
                let key = EventKey(source: ConflictEvent.source, id: id)
                let position = position(of: first, in: positions)
                if kept[key] == nil {
                    rows.append(
                        try ConflictEvent.make(
                            of: event, id: id, first: position, firstIsErased: isErased(first)))
                    kept[key] = head + Int64(rows.count)
                }
                outcomes.append(.conflict(first: position, kept: kept[key] ?? 0))
            }
        }
        return (rows, outcomes)
    }

    private func position(of first: First, in positions: [Int64]) -> Int64 {
        switch first {
        case .stored(let position, _): position
        case .pending(let index): positions[index]
        }
    }

    private func isErased(_ first: First) -> Bool {
        switch first {
        case .stored(_, let erased): erased
        case .pending: false
        }
    }

    // MARK: Comparing

    private static func compare(_ event: PreparedEvent, with first: RecordedEvent) throws -> Finding
    {
        if first.salt == event.salt { return .own(first.position) }
        let place = First.stored(first.position, erased: first.isErased)
        let evidence = Dictionary(
            zip(event.columns.evidence, event.event.evidence.map(\.bytes))
        ) { bytes, _ in bytes }
        // A piece of evidence that this event lacks makes them differ, whatever the texts say.
        let text = try first.comparableText(evidence: evidence) ?? first.body
        let isSame = EventContent(columns: first.columns, text: text).isSame(
            as: EventContent(columns: event.columns, text: event.event.received),
            erased: first.isErased)
        return isSame
            ? .same(place) : .other(place, conflictId: conflictId(event, salt: first.salt))
    }

    private static func compare(_ event: PreparedEvent, with first: PreparedEvent, index: Int)
        -> Finding
    {
        let isSame = EventContent(columns: first.columns, text: first.event.received).isSame(
            as: EventContent(columns: event.columns, text: event.event.received), erased: false)
        return isSame
            ? .same(.pending(index: index))
            : .other(.pending(index: index), conflictId: conflictId(event, salt: first.salt))
    }

    /// A name for what a conflicting event says. The salt of the first keeps its personal values
    /// from being guessed out of the name; where the first was erased they do not count.
    private static func conflictId(_ event: PreparedEvent, salt: [UInt8]?) -> String {
        let text = salt == nil ? event.textWithoutPersonalValues : event.event.received
        let content = EventContent(columns: event.columns, text: text)
        return content.name(secret: salt ?? [])
    }
}

/// What became of an event.
public enum AppendOutcome: Sendable, Equatable {
    /// Stored by this call, at that position.
    case appended(Int64)
    /// The log holds the same event, at that position.
    case duplicate(Int64)
    /// The log holds another event of the same source and id, at `first`; this one was refused, and
    /// is kept as `ingest.conflicted` at `kept`.
    case conflict(first: Int64, kept: Int64)
}
