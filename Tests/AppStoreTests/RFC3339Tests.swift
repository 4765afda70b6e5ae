import AppStoreModel
import Testing

@Suite("Instants as text")
struct RFC3339Tests {
    @Test(
        "in UTC, with a fraction only where there is one",
        arguments: [
            (Int64(0), "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00Z"),
            (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00Z"),
            (-62_135_596_800_000, "0001-01-01T00:00:00Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ])
    func text(instant: Int64, text: String) {
        #expect(RFC3339.text(instant) == text)
        #expect(RFC3339.milliseconds(text) == instant)
    }

    @Test(
        "beyond the years of four digits they are bare milliseconds",
        arguments: [
            (253_402_300_800_000, "253402300800000 ms"),
            (-62_167_219_200_001, "-62167219200001 ms"),
            (Int64.min, "-9223372036854775808 ms"), (Int64.max, "9223372036854775807 ms"),
        ])
    func beyond(instant: Int64, text: String) {
        #expect(RFC3339.text(instant) == text)
        #expect(RFC3339.milliseconds(text) == nil)
    }

    @Test("what is written is read back, for random instants")
    func roundTrip() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let instant = Int64.random(
                in: -62_167_219_200_000...253_402_300_799_999, using: &generator)
            let text = RFC3339.text(instant)
            #expect(RFC3339.milliseconds(text) == instant, "\(text)")
        }
    }

    /// TPInAppReceipt#72, PR#60, purchases-ios#491: an offset, with or without its colon.
    @Test(
        "offsets are counted off",
        arguments: [
            ("2020-07-22T18:33:15+0100", Int64(1_595_439_195_000)),
            ("2020-07-22T18:33:15+01:00", 1_595_439_195_000),
            ("2020-07-22T17:33:15+0000", 1_595_439_195_000),
            ("2020-07-22T12:03:15-0530", 1_595_439_195_000),
            ("2020-07-22t17:33:15z", 1_595_439_195_000),
            ("2020-07-22T17:33:15.1239Z", 1_595_439_195_123),
            ("2020-07-22T17:33:15.5Z", 1_595_439_195_500),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000),
        ])
    func offsets(text: String, instant: Int64) {
        #expect(RFC3339.milliseconds(text) == instant)
    }

    /// RMStore#57: nothing depends on a locale, and nothing is guessed.
    @Test(
        "anything else is no instant",
        arguments: [
            "", "2020", "2020-07-22", "2020-07-22T17:33:15", "2020-07-22 17:33:15Z",
            "2020-07-22T5:33:15 PM", "2020-02-30T00:00:00Z", "2021-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z", "2020-13-01T00:00:00Z", "2020-00-01T00:00:00Z",
            "2020-01-00T00:00:00Z", "2020-07-22T24:00:00Z", "2020-07-22T17:60:00Z",
            "2020-07-22T17:33:61Z", "2020-07-22T17:33:15.Z", "2020-07-22T17:33:15+24:00",
            "2020-07-22T17:33:15+01:60", "2020-07-22T17:33:15ZZ", " 2020-07-22T17:33:15Z",
            "+020-07-22T17:33:15Z", "２020-07-22T17:33:15Z", "2020-07-22T17:33:15+1:00",
        ])
    func refused(text: String) {
        #expect(RFC3339.milliseconds(text) == nil)
    }
}
