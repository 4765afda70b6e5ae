internal import Cryptography
internal import JSON

/// What the events `subject.erased` tell of: `data.positions` and `data.evidence` (digests in
/// hexadecimal digits) name what they emptied.
struct Erasures: Sendable {
    static let type = "subject.erased"
    private static let pageMax = 1_000

    private(set) var positions: Set<Int64> = []
    private(set) var digests: Set<[UInt8]> = []

    /// Up to where the log was read.
    private var last: Int64 = 0

    /// Reads what the log tells of by now. What was emptied before that is told of, even where it
    /// was emptied after the verification had begun.
    mutating func readOn(from log: EventLog) async throws {
        while true {
            let events = try await log.read(
                types: [Self.type], after: last, limit: Self.pageMax)
            guard let end = events.last else { return }
            for event in events { take(event) }
            last = end.position
        }
    }

    private mutating func take(_ event: RecordedEvent) {
        let body = try? JSONValue(parsing: event.body, limits: RecordedEvent.jsonLimits)
        positions.formUnion(body?.at("data", "positions")?.array?.compactMap(\.int64) ?? [])
        digests.formUnion(
            (body?.at("data", "evidence")?.array ?? []).compactMap {
                $0.string.flatMap(Hexadecimal.decode)
            })
    }
}
