internal import AppStoreModel
internal import JSON

/// A day of a small shop, made of what its parties sent, with the right verdict of every claim.
///
/// Its parties are the platform, phones, Apple (with a certificate chain minted for this seed), a
/// delivery server and support. The same seed and day give the same bytes. Each claim is a story
/// built around one of the pitfalls or an ordinary case, so its verdict is known by construction.
public struct SampleDay: Sendable {
    /// The day that is told when none is named.
    public static let defaultDay = "2026-03-14"

    /// A file of the sample, by its path within the sample's folder.
    public struct File: Sendable {
        /// Relative, with `/` between its parts.
        public let path: String
        /// The whole content.
        public let bytes: [UInt8]
    }

    /// What the board must say of a claim at `SampleDay.asOf`.
    public struct Expectation: Sendable, Equatable {
        /// The `claimId` of the event that opened it.
        public let claimId: String
        /// The verdict's code.
        public let verdict: String
        /// A remark or finding that the verdict must be accompanied by, where one is the point.
        public let remark: String?
        /// The pitfall of the domain that the claim's story is about, 1 to 4; `nil` in ordinary
        /// cases.
        public let pitfall: Int?
    }

    /// The instant of the expectations: the end of the day, in milliseconds since 1970 UTC.
    public let asOf: Int64
    /// The right verdicts, in the order in which the claims were opened.
    public let expectations: [Expectation]
    /// Stands for the instant at which the unstamped notification bodies came: 22:00 of the day, in
    /// milliseconds since 1970 UTC.
    public let bodiesReceivedAt: Int64
    private let world: SampleWorld

    /// The years whose days can be told: certificates are valid from 2020 to the end of 2044, and
    /// subscriptions began up to 375 days before the day.
    private static let years: ClosedRange<String> = "2022"..."2044"

    /// - Parameter day: `YYYY-MM-DD`, in UTC, in the years 2022 to 2044.
    /// - Throws: `SampleDayError` for any other day and for one that does not exist.
    public init(seed: UInt64, day: String = SampleDay.defaultDay) throws {
        guard let start = SampleInstant.midnight(of: day),
            Self.years.contains(String(day.prefix(4)))
        else { throw SampleDayError(description: "not a day of 2022 to 2044 (YYYY-MM-DD): \(day)") }
        var world = SampleWorld(seed: seed, dayStart: start, chain: MintedChain(seed: seed))
        world.tellPitfalls()
        world.tellPayments()
        world.tellSubscriptions()
        world.tellDoubtfulProofs()
        world.tellCrowd()
        self.world = world
        asOf = start + SampleInstant.day
        bodiesReceivedAt = start + 22 * SampleInstant.hour
        expectations = world.expectations
    }

    /// The files of the sample:
    /// - `trust/root.der`: the root to trust for this sample, and for nothing else;
    /// - `events.ndjson`: CloudEvents with `recordedtime`, in the order in which they came;
    /// - `notifications.ndjson`: bodies of Apple's notifications that carry no instant of arrival;
    /// - `received-at`: the instant to give for those, RFC 3339;
    /// - `expected.ndjson`: the right verdict of each claim.
    public var files: [File] {
        let arrived = world.events.enumerated().sorted {
            ($0.element.receivedAt, $0.offset) < ($1.element.receivedAt, $1.offset)
        }
        return [
            File(path: "trust/root.der", bytes: world.chain.rootDER),
            File(path: "events.ndjson", bytes: lines(arrived.map(\.element.cloudEvent))),
            File(path: "notifications.ndjson", bytes: lines(world.bodies.map(\.data))),
            File(
                path: "received-at", bytes: Array("\(RFC3339.text(bodiesReceivedAt))\n".utf8)),
            File(path: "expected.ndjson", bytes: lines(expectations.map(line))),
        ]
    }

    private func lines(_ texts: [[UInt8]]) -> [UInt8] {
        texts.flatMap { $0 + [UInt8(ascii: "\n")] }
    }

    private func line(_ expectation: Expectation) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { json in
            json.member("claimId", expectation.claimId)
            json.member("verdict", expectation.verdict)
            if let remark = expectation.remark { json.member("remark", remark) }
            if let pitfall = expectation.pitfall { json.member("pitfall", "P\(pitfall)") }
            json.member("asOf", RFC3339.text(asOf))
        }
        return writer.bytes
    }
}

/// Why there is no such sample day.
public struct SampleDayError: Error, Sendable, CustomStringConvertible {
    /// One line for the person who asked for it.
    public let description: String
}
