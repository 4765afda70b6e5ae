/// Instants as text: RFC 3339, to and from milliseconds since 1970 UTC.
///
/// Foundation's ISO 8601 style accepts 30 February and bytes after the instant, so the fields are
/// checked here.
public enum RFC3339 {
    /// The instant in milliseconds since 1970 UTC; `nil` for anything that is not an instant with
    /// its offset. A fraction beyond milliseconds is cut off. Apple writes some offsets without the
    /// colon (`+0100`); that is accepted (TPInAppReceipt#72, purchases-ios#491).
    public static func milliseconds(_ text: String) -> Int64? {
        var reader = FieldReader(bytes: Array(text.utf8))
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2),
            reader.take("-"), let day = reader.number(2), reader.take("T") || reader.take("t"),
            let hour = reader.number(2), reader.take(":"), let minute = reader.number(2),
            reader.take(":"), let second = reader.number(2),
            let fraction = reader.fraction(), let offset = reader.offsetMinutes(), reader.isAtEnd,
            (1...12).contains(month), (1...days(in: month, of: year)).contains(day),
            hour < 24, minute < 60, second < 61
        else { return nil }
        let minutes = (dayNumber(year, month, day) * 24 + hour) * 60 + minute - offset
        return Int64(minutes * 60 + second) * 1000 + Int64(fraction)
    }

    /// The instant in UTC, with three decimals only where it has milliseconds:
    /// `2026-03-14T12:00:00Z`. Years beyond 0000 to 9999 are written as the bare number of
    /// milliseconds, since RFC 3339 has no words for them.
    public static func text(_ milliseconds: Int64) -> String {
        let (seconds, fraction) = floored(milliseconds, by: 1000)
        let (day, secondOfDay) = floored(seconds, by: 86400)
        guard (-719_528...2_932_896).contains(day) else { return "\(milliseconds) ms" }
        let (year, month, dayOfMonth) = date(Int(day))
        let (hour, minute) = (secondOfDay / 3600, secondOfDay / 60 % 60)
        let clock = "\(pad(hour)):\(pad(minute)):\(pad(secondOfDay % 60))"
        let decimals = fraction == 0 ? "" : "." + pad(fraction, to: 3)
        return "\(pad(Int64(year), to: 4))-\(pad(Int64(month)))-\(pad(Int64(dayOfMonth)))"
            + "T\(clock)\(decimals)Z"
    }

    // MARK: The proleptic Gregorian calendar

    /// Days since 1970-01-01, counted in years that begin in March, so that the leap day is last.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let monthsFromMarch = (month + 9) % 12
        let leapDays =
            floored(marchYear, by: 4).0 - floored(marchYear, by: 100).0
            + floored(marchYear, by: 400).0
        return marchYear * 365 + leapDays + (monthsFromMarch * 153 + 2) / 5 + day - 1 - 719_468
    }

    private static func date(_ day: Int) -> (year: Int, month: Int, day: Int) {
        // The year is found by estimate and correction: 400 years have 146,097 days.
        var year = 1970 + floored(day * 400, by: 146_097).0
        while dayNumber(year + 1, 1, 1) <= day { year += 1 }
        while dayNumber(year, 1, 1) > day { year -= 1 }
        var rest = day - dayNumber(year, 1, 1)
        var month = 1
        while rest >= days(in: month, of: year) {
            rest -= days(in: month, of: year)
            month += 1
        }
        return (year, month, rest + 1)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        let isLeap =
            year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        switch month {
        case 2: return isLeap ? 29 : 28
        case 4, 6, 9, 11: return 30
        default: return 31
        }
    }

    private static func floored<Number: BinaryInteger>(_ value: Number, by divisor: Number)
        -> (Number, Number)
    {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static func pad(_ number: Int64, to width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// Reads the fields of an instant, one after the other.
private struct FieldReader {
    let bytes: [UInt8]
    var index = 0

    var isAtEnd: Bool { index == bytes.count }

    mutating func number(_ digits: Int) -> Int? {
        guard index + digits <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[index..<index + digits] {
            guard (48...57).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 48)
        }
        index += digits
        return value
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Milliseconds; 0 where there is no fraction; `nil` for a point without digits.
    mutating func fraction() -> Int? {
        guard take(".") else { return 0 }
        var milliseconds = 0
        var count = 0
        while let digit = number(1) {
            if count < 3 { milliseconds = milliseconds * 10 + digit }
            count += 1
        }
        guard count > 0 else { return nil }
        return (count..<max(count, 3)).reduce(milliseconds) { value, _ in value * 10 }
    }

    /// Minutes east of UTC.
    mutating func offsetMinutes() -> Int? {
        if take("Z") || take("z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+"), let hours = number(2) else { return nil }
        _ = take(":")
        guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
        return (isWest ? -1 : 1) * (hours * 60 + minutes)
    }
}
