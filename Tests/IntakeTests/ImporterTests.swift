import EventLog
import Intake
import JSON
import TestKit
import Testing

@Suite("Files are brought into the log", .fewAtOnce)
struct ImporterTests {
    private func event(_ id: String, _ order: String = "A-1") -> EventText {
        EventText("order.cancelled", id: id, ["bundleId": TestApple.bundle, "orderNumber": order])
    }

    private func purchased(_ id: String) -> EventText {
        EventText(
            "storekit.purchasing", id: id,
            [
                "bundleId": TestApple.bundle, "productId": "p", "applicationUsername": "anna",
            ])
    }

    private var convention: EventText {
        EventText(
            "settings.changed", id: "s", source: "operator",
            ["bundleId": TestApple.bundle, "convention": "account"])
    }

    @Test("in the order of their lines, each counted; again, all are duplicates")
    func again() async throws {
        let bringing = try await Import()
        let lines = (0..<1_203).map { event("\($0)").bytes }
        let first = try await bringing.take(lines: lines)
        #expect(first.appended == lines.count && !first.hasProblems)
        let second = try await bringing.take(lines: lines)
        #expect(second.duplicates == lines.count && second.appended == 0 && !second.hasProblems)
        let stored = try await bringing.fresh.log.read(after: 0, limit: 10_000)
        #expect(stored.map(\.id) == lines.indices.map { "\($0)" })
        #expect(bringing.problems.isEmpty)
    }

    @Test("a change of settings in the midst of a file holds for the lines after it")
    func settings() async throws {
        let bringing = try await Import()
        let counts = try await bringing.take(
            lines: [purchased("1"), convention, purchased("2")].map(\.bytes))
        #expect(counts.appended == 3)
        let stored = try await bringing.events()
        #expect(stored.map { $0.keys.orderNumber.text } == ["anna", nil, nil])
        #expect(stored[0].body.text.contains("anna") && !stored[2].body.text.contains("anna"))
    }

    @Test("and for the later elements of a JSON array")
    func settingsInArray() async throws {
        let bringing = try await Import()
        let texts = [purchased("1"), convention, purchased("2")].map(\.text)
        let counts = try await bringing.take(Array("[\(texts.joined(separator: ","))]".utf8))
        #expect(counts.appended == 3)
        #expect(try await bringing.events().map { $0.keys.orderNumber.text } == ["anna", nil, nil])
    }

    @Test("the members in another order, or received at another time, is a duplicate")
    func otherOrder() async throws {
        let bringing = try await Import()
        let first = event("1").bytes
        let second = Array(
            """
            {"data": {"orderNumber": "A-1", "bundleId": "\(TestApple.bundle)"}, "type": \
            "order.cancelled", "source": "platform", "id": "1", "specversion": "1.0", \
            "recordedtime": "2026-03-14T12:00:00Z"}
            """.utf8)
        let counts = try await bringing.take(lines: [first, second])
        #expect(counts.appended == 1 && counts.duplicates == 1 && !counts.hasProblems)
    }

    @Test("another value is a conflict, kept once and told each time")
    func conflict() async throws {
        let bringing = try await Import()
        let lines = [event("1"), event("1", "A-2"), event("2")].map(\.bytes)
        let counts = try await bringing.take(lines: lines)
        #expect(counts.appended == 2 && counts.conflicts == 1 && counts.hasProblems)
        #expect(try await bringing.take(lines: lines).conflicts == 1)
        #expect(bringing.problemTexts == ["2: conflict 1 2", "2: conflict 1 2"])
        #expect(
            try await bringing.events().map(\.type) == [
                "order.cancelled", "ingest.conflicted", "order.cancelled",
            ])
    }
}
