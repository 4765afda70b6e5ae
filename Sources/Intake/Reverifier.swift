package import EventLog
internal import JSON

/// Judges anew what was refused before a setting or a root was mended. What comes out otherwise is
/// appended as `evidence.reverified`; the first judgement stays where it stands.
package struct Reverifier: Sendable {
    /// How many events are looked at between two appends.
    static let pageMax = 100
    /// How often the evidence of one event can be judged anew.
    static let numberMax = 1_000

    private let log: EventLog
    private let door: Door
    private let report: @Sendable (Reverification) -> Void

    /// - Parameters:
    ///   - door: with the settings and roots that hold now; it says when and by whom.
    ///   - report: told of each judgement that changed, in the log's order.
    package init(
        log: EventLog, door: Door, report: @escaping @Sendable (Reverification) -> Void
    ) {
        self.log = log
        self.door = door
        self.report = report
    }

    /// Looks through the whole log. Run again it finds what is left, and nothing twice.
    package func run() async throws -> ReverificationCounts {
        var counts = ReverificationCounts()
        var last: Int64 = 0
        while true {
            let events = try await log.readRefused(after: last, limit: Self.pageMax)
            guard let end = events.last?.position else { return counts }
            for event in events { try await judge(event, &counts) }
            last = end
        }
    }

    private func judge(_ event: RecordedEvent, _ counts: inout ReverificationCounts) async throws {
        var judgements = Judgements()
        try judgements.take(event)
        let number = try await takeLater(event, &judgements)
        guard number <= Self.numberMax else { return }
        let refused = event.evidence.filter { judgements.isRefused($0) }
        guard !refused.isEmpty else { return }
        counts.judged += refused.count
        let evidence = try await log.evidence(refused)
        counts.erased += refused.count - evidence.count
        guard
            let (new, changes) = try door.rejudge(
                event, number: number, evidence: evidence, judgements: judgements)
        else { return }
        // Somebody who judged at the same time was first: the next run sees what he found.
        guard case .appended? = try await log.append([new]).first else { return }
        for change in changes {
            counts.changed += 1
            if change.isVerified { counts.verified += 1 }
            report(change)
        }
    }

    /// Takes the judgements that came after the first.
    /// - Returns: the number of the next.
    private func takeLater(_ event: RecordedEvent, _ judgements: inout Judgements) async throws
        -> Int
    {
        var number = 1
        while number <= Self.numberMax {
            let key = ReverifiedEvent.key(of: event, number: number)
            guard let position = try await log.positions(eventKeys: [key])[key],
                let later = try await log.read(positions: [position]).first
            else { break }
            try judgements.take(later)
            number += 1
        }
        return number
    }
}

/// What became of the refused evidence of a log.
package struct ReverificationCounts: Sendable, Equatable {
    /// Pieces that were judged anew.
    package var judged = 0
    /// Parts of them of which another thing is believed now.
    package var changed = 0
    /// Of those, parts that are verified now.
    package var verified = 0
    /// Pieces that cannot be judged any more, since their bytes were erased.
    package var erased = 0

    package init() {}
}

/// A part of which another thing is believed than before.
package struct Reverification: Sendable, Equatable {
    /// Where the event stands that brought it.
    package let position: Int64
    /// Where it stood in that event.
    package let path: String
    /// Why it was refused, as a code.
    package let before: String
    /// Why it is refused now, or `verified`.
    package let now: String

    /// Whether it is believed now.
    package var isVerified: Bool { now == "verified" }
}
