/// An instant as it stands in a `timestamptz`, in whole milliseconds.
///
/// PostgreSQL counts microseconds since 2000-01-01 UTC; here milliseconds since 1970-01-01 UTC are
/// used everywhere. Writing is exact. Reading rounds towards the past, so that an instant that
/// PostgreSQL itself took (`now()`) is never later here than there. `infinity` has no milliseconds
/// and is refused.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// Milliseconds since 1970-01-01 UTC.
    public let milliseconds: Int64

    /// Any instant; whether PostgreSQL can hold it (`range`) is asked when it is written.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// What `timestamptz` holds: from 4714-11-24 BC to the end of 294276 AD.
    public static let range: Range<Int64> = -210_866_803_200_000..<9_224_318_016_000_000

    /// The earlier is the lesser.
    public static func < (left: Self, right: Self) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// 2000-01-01 UTC in milliseconds since 1970.
    private static let epoch: Int64 = 946_684_800_000

    /// Microseconds since 2000-01-01 UTC.
    func microseconds() throws -> Int64 {
        guard Self.range.contains(milliseconds) else {
            throw PostgreSQLError(.datetimeFieldOverflow)
        }
        return (milliseconds - Self.epoch) * 1000
    }

    init(microseconds: Int64) throws {
        guard microseconds != .min, microseconds != .max else {
            throw PostgreSQLError(.datetimeFieldOverflow)
        }
        let whole = microseconds / 1000
        let floor = microseconds % 1000 < 0 ? whole - 1 : whole
        self.init(milliseconds: floor + Self.epoch)
    }
}
