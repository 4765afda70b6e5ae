import Testing

@testable import AppStore

@Suite struct UniversalTimeTests {
    @Test(
        "instants in UTC",
        arguments: [
            (Int64(0), "1970-01-01 00:00:00.000 UTC"),
            (-1, "1969-12-31 23:59:59.999 UTC"),
            (951_782_400_000, "2000-02-29 00:00:00.000 UTC"),
            (1_709_251_199_999, "2024-02-29 23:59:59.999 UTC"),
            (4_107_542_400_000, "2100-03-01 00:00:00.000 UTC"),
            (-62_135_596_800_000, "0001-01-01 00:00:00.000 UTC"),
            (253_402_300_799_999, "9999-12-31 23:59:59.999 UTC"),
            (253_402_300_800_000, "253402300800000 ms"),
            (Int64.min, "-9223372036854775808 ms"),
            (Int64.max, "9223372036854775807 ms"),
        ])
    func text(instant: Int64, text: String) {
        #expect(UniversalTime.text(instant) == text)
    }
}
