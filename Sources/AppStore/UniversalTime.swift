/// Instants as text in UTC.
enum UniversalTime {
    /// `2023-01-05 22:02:34.000 UTC`; an instant outside of the years 1 to 9999 as its
    /// milliseconds.
    static func text(_ milliseconds: Int64) -> String {
        guard (-62_135_596_800_000...253_402_300_799_999).contains(milliseconds) else {
            return "\(milliseconds) ms"
        }
        let day: Int64 = 86_400_000
        let time = (milliseconds % day + day) % day
        let (year, month, date) = civil(days: (milliseconds - time) / day)
        let clock = [(time / 3_600_000, 2), (time / 60_000 % 60, 2), (time / 1000 % 60, 2)]
        return [(year, 4), (month, 2), (date, 2)].map(padded).joined(separator: "-") + " "
            + clock.map(padded).joined(separator: ":") + "." + padded(time % 1000, 3) + " UTC"
    }

    /// Year, month and day of the proleptic Gregorian calendar, counted in years that begin in
    /// March so that the leap day is a year's last.
    private static func civil(days: Int64) -> (Int64, Int64, Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let date = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, date)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }
}
