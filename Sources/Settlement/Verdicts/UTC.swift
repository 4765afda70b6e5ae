/// Instants as people read them.
public enum UTC {
    /// An instant in milliseconds since 1970 UTC as `2026-03-01 09:30 UTC`.
    public static func text(_ milliseconds: Int64) -> String {
        let minutes = floorDivide(milliseconds, 60_000)
        let days = floorDivide(minutes, 1_440)
        let minuteOfDay = minutes - days * 1_440
        let date = civil(days)
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2)) "
            + "\(padded(minuteOfDay / 60, 2)):\(padded(minuteOfDay % 60, 2)) UTC"
    }

    /// The Gregorian date of a day counted from 1970-01-01: years are counted from March, so that
    /// a leap day comes last.
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : -((-(value + 1)) / divisor) - 1
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
