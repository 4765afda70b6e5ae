import JSON
import Testing

import Simulator

@Suite("The sample day")
struct SampleDayTests {
    static let seeds: [UInt64] = [1, 2, 20_260_314]

    @Test("the same seed and day give the same bytes", arguments: seeds)
    func deterministic(seed: UInt64) throws {
        let first = try SampleDay(seed: seed).files
        let second = try SampleDay(seed: seed).files
        #expect(first.map(\.path) == second.map(\.path))
        #expect(first.map(\.bytes) == second.map(\.bytes))
    }

    @Test("another seed or another day shares no event with it")
    func different() throws {
        let days = try [
            SampleDay(seed: 1), SampleDay(seed: 2), SampleDay(seed: 1, day: "2026-03-15"),
        ]
        let ids = try days.map { day in
            Set(
                try Self.events(of: day).map {
                    "\($0["source"]?.string ?? "") \($0["id"]?.string ?? "")"
                })
        }
        #expect(ids[0].isDisjoint(with: ids[1]))
        #expect(ids[0].isDisjoint(with: ids[2]))
    }

    @Test("every line is a CloudEvent with its instant, in the order of arrival", arguments: seeds)
    func envelopes(seed: UInt64) throws {
        var last = ""
        for event in try Self.events(of: SampleDay(seed: seed)) {
            for member in ["specversion", "source", "id", "type", "recordedtime"] {
                #expect(event[member]?.string?.isEmpty == false)
            }
            let received = try #require(event["recordedtime"]?.string)
            // Without milliseconds a text sorts after the same second with them.
            let comparable = received.count == 20 ? received.dropLast() + ".000Z" : received[...]
            #expect(last <= comparable)
            last = String(comparable)
        }
    }

    @Test("no event comes twice under one id", arguments: seeds)
    func uniqueIds(seed: UInt64) throws {
        let ids = try Self.events(of: SampleDay(seed: seed)).map {
            "\($0["source"]?.string ?? "") \($0["id"]?.string ?? "")"
        }
        #expect(Set(ids).count == ids.count)
    }

    @Test("each claim that was opened has one expectation, and each expectation a claim")
    func expectations() throws {
        let day = try SampleDay(seed: 3)
        let opened = try Self.events(of: day).filter { $0["type"]?.string == "claim.opened" }
            .compactMap { $0.at("data", "claimId")?.string }
        #expect(opened == day.expectations.map(\.claimId))
        #expect(Set(opened).count == opened.count)
    }

    @Test("every verdict that this input can have is expected of some claim")
    func everyVerdict() throws {
        let reachable: Set<String> = [
            "not-claimants", "refunded", "delivered-to-other", "lapsed", "delivered", "pending",
            "paid-not-delivered", "charged-twice", "payment-unlinked", "wrong-environment",
            "shared",
            "forged", "unproven", "unknown",
        ]
        #expect(Set(try SampleDay(seed: 4).expectations.map(\.verdict)) == reachable)
    }

    @Test("each pitfall has its claims, and there are ordinary ones")
    func pitfalls() throws {
        let claims = Dictionary(grouping: try SampleDay(seed: 6).expectations, by: \.pitfall)
        #expect(Set(claims.keys) == [nil, 1, 2, 3, 4])
        #expect(claims[2]?.map(\.verdict) == ["payment-unlinked", "charged-twice"])
    }

    @Test("a device's events are numbered without gaps by its installation")
    func sequences() throws {
        var last: [String: Int64] = [:]
        for event in try Self.events(of: SampleDay(seed: 5)) {
            guard event["source"]?.string == "device" else { continue }
            let installation = try #require(event.at("data", "installation")?.string)
            let sequence = try #require(event.at("data", "sequence")?.int64)
            last[installation] = max(last[installation] ?? 0, sequence)
        }
        let counts = Dictionary(
            grouping: try Self.events(of: SampleDay(seed: 5)).compactMap {
                $0.at("data", "installation")?.string
            }, by: \.self
        ).mapValues { Int64($0.count) }
        #expect(last == counts)
    }

    @Test(
        "a day that does not exist is refused",
        arguments: [
            "2026-02-30", "2026-3-14", "tomorrow", "2026-03-14T00:00:00Z", "2021-12-31",
            "2045-01-01", "",
        ])
    func badDay(day: String) {
        #expect(throws: SampleDayError.self) { try SampleDay(seed: 1, day: day) }
    }

    static func events(of day: SampleDay) throws -> [JSONValue] {
        try values(of: day, in: "events.ndjson")
    }

    /// The lines of a file of the sample.
    static func values(of day: SampleDay, in path: String) throws -> [JSONValue] {
        let file = try #require(day.files.first { $0.path == path })
        return try file.bytes.split(separator: UInt8(ascii: "\n")).map {
            try JSONValue(parsing: Array($0))
        }
    }
}
