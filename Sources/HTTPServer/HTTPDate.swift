internal import Glibc

/// The `Date` of answers that the guard gives (RFC 9110, section 5.6.7).
enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    static func text(secondsSince1970 seconds: Int) -> String {
        var instant = seconds
        var parts = tm()
        gmtime_r(&instant, &parts)
        let day = days[Int(parts.tm_wday)]
        let month = months[Int(parts.tm_mon)]
        let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits)
        return "\(day), \(twoDigits(parts.tm_mday)) \(month) \(1900 + Int(parts.tm_year)) "
            + time.joined(separator: ":") + " GMT"
    }

    private static func twoDigits(_ number: Int32) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
