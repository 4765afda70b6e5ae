/// The instant of an answer; it notes the first later instant that anything was compared with.
final class Clock {
    /// Milliseconds since 1970 UTC.
    let now: Int64
    private(set) var nextChange: Int64?

    init(now: Int64) { self.now = now }

    /// Whether `instant` has come.
    func hasReached(_ instant: Int64) -> Bool {
        if instant <= now { return true }
        nextChange = min(nextChange ?? instant, instant)
        return false
    }
}

/// `instant` and some milliseconds more (or fewer); at the ends of time it stays there.
func shifted(_ instant: Int64, by milliseconds: Int64) -> Int64 {
    let (sum, overflow) = instant.addingReportingOverflow(milliseconds)
    return overflow ? (milliseconds < 0 ? .min : .max) : sum
}

/// A sum of quantities; beyond the greatest number it stays there.
func saturatingSum(_ values: some Sequence<Int64>) -> Int64 {
    values.reduce(0) { shifted($0, by: $1) }
}

/// How far two instants are apart.
func distance(_ left: Int64, _ right: Int64) -> UInt64 {
    let (low, high) = left < right ? (left, right) : (right, left)
    return UInt64(bitPattern: high &- low)
}
