package import Settlement

/// The answer to "what do we know under this name?".
package struct OrderReport: Sendable {
    /// Something that the name names.
    package struct Match: Sendable, Equatable {
        /// `order`, `account`, `transactionId`, `originalTransactionId`, `appAccountToken` or
        /// `appleOrderId`.
        package let kind: String
        package let value: String
        package let bundle: String
        /// The verdict on the question as asked under this name.
        package let verdict: ProvenVerdict
    }

    /// A verdict with the positions of the events that prove it.
    package struct ProvenVerdict: Sendable, Equatable {
        package let verdict: Verdict
        /// Ascending.
        package let proof: [Int64]
    }

    /// An order with its charges and its events.
    package struct Order: Sendable {
        package let number: String
        package let bundle: String
        package let answer: Answer
        package let verdict: ProvenVerdict
        package let holdings: ReportedHoldings
        package let timeline: [TimelineEntry]
        /// Whether the timeline was cut.
        package let hasMoreEvents: Bool
    }

    /// A charge that belongs to no order.
    package struct Orphan: Sendable {
        package let bundle: String
        package let charge: ChargeAnswer
        package let answer: Answer
        package let verdict: ProvenVerdict
        package let holdings: ReportedHoldings
        package let timeline: [TimelineEntry]
    }

    /// An event of a timeline.
    package struct TimelineEntry: Sendable, Equatable {
        package let position: Int64
        package let type: String
        package let source: String
        /// When it came to our first door: milliseconds since 1970 UTC.
        package let receivedAt: Int64
        /// When the log took it: milliseconds since 1970 UTC.
        package let recordedAt: Int64
        package let transactionId: String?
    }

    /// Most orders, and most orphans, of one report.
    package static let entriesMax = 200
    /// Most events of one timeline.
    package static let timelineMax = 500

    package let name: String
    package let matches: [Match]
    package let orders: [Order]
    package let orphans: [Orphan]
    /// Whether orders or orphans were left out.
    package let isCut: Bool
    package let coverage: Coverage
    /// The last event that it takes into account.
    package let logPosition: Int64
    /// Whether no bundle is configured, so that every bundle is accepted.
    package let acceptsEveryBundle: Bool
}
