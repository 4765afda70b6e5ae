internal import Glibc
internal import JSON

/// For which instant certificate chains are to be checked.
public enum VerificationInstant: Sendable, Hashable {
    /// The payload's own date; without one, now.
    case signed
    /// Our clock.
    case now
    /// Milliseconds since 1970 UTC.
    case given(Int64)
}

/// An instant and where it came from.
struct CheckedInstant {
    let milliseconds: Int64
    let source: InstantSource

    /// Rounded down, as certificates count.
    var seconds: Int64 { milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0) }

    init(_ wanted: VerificationInstant, payload: JSONValue, now: Int64) {
        switch wanted {
        case .given(let instant): (milliseconds, source) = (instant, .given)
        case .now: (milliseconds, source) = (now, .now)
        case .signed:
            if let date = payload["signedDate"]?.int64 {
                (milliseconds, source) = (date, .signedDate)
            } else if let date = payload["receiptCreationDate"]?.int64 {
                (milliseconds, source) = (date, .receiptCreationDate)
            } else {
                (milliseconds, source) = (now, .now)
            }
        }
    }
}

/// The system's clock.
public enum SystemClock {
    /// Milliseconds since 1970 UTC.
    public static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
