internal import AppStoreModel

/// Spans and instants of the sample day, in milliseconds.
enum SampleInstant {
    static let hour: Int64 = 3_600_000
    static let day: Int64 = 24 * hour

    /// Midnight UTC of `YYYY-MM-DD`; `nil` for any other form and for a date that does not exist.
    static func midnight(of day: String) -> Int64? {
        guard day.utf8.count == 10 else { return nil }
        return RFC3339.milliseconds("\(day)T00:00:00Z")
    }
}
