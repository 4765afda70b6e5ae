/// Instants of the sample day: milliseconds since 1970 UTC, and how RFC 3339 writes them.
enum SampleInstant {
    static let minute: Int64 = 60_000
    static let hour: Int64 = 60 * minute
    static let day: Int64 = 24 * hour

    /// `2026-03-14T08:05:00.123Z`.
    static func text(_ milliseconds: Int64) -> String {
        let (days, rest) = milliseconds.floored(by: day)
        let date = civil(days: days)
        return "\(pad(date.year, 4))-\(pad(date.month, 2))-\(pad(date.day, 2))"
            + "T\(pad(rest / hour, 2)):\(pad(rest / minute % 60, 2)):\(pad(rest / 1000 % 60, 2))"
            + ".\(pad(rest % 1000, 3))Z"
    }

    /// Midnight UTC of `YYYY-MM-DD`; `nil` for any other form and for a date that does not exist.
    static func midnight(of text: String) -> Int64? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            text.utf8.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: "-") }),
            let year = Int64(parts[0]), let month = Int64(parts[1]), let day = Int64(parts[2])
        else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        guard civil(days: days) == (year, month, day) else { return nil }
        return days * Self.day
    }

    // The two conversions between days and dates are those of Howard Hinnant's
    // "chrono-Compatible Low-Level Date Algorithms": years begin in March, eras have 400 years.

    private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 719_468).floored(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).floored(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func pad(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Int64 {
    /// Quotient and remainder of the division that rounds down, so the remainder is never negative.
    fileprivate func floored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
