import EventLog
import Intake
import JSON
import PostgreSQL
import Simulator
import TestKit
import Testing

@Suite("The same evidence again", .fewAtOnce)
struct ReplayTests {
    private static let replays = Effort.times(3, full: 100)

    private func size(_ sql: String, _ bringing: Import) async throws -> Int64 {
        try await bringing.fresh.connect().perform { connection in
            try connection.query(Statement(name: "size", sql: "select (\(sql))::bigint")).first?
                .value(at: 0) ?? 0
        }
    }

    @Test("a megabyte receipt in many replays is stored once, in bytes of the table too")
    func storedOnce() async throws {
        let bringing = try await Import()
        let receipt = TestApple.receipt((0..<5_000).map { "20000000000\($0)" })
        #expect(receipt.count > 1_000_000 && receipt.count < 2_000_000)
        let empty = try await size("pg_total_relation_size('evidence')", bringing)
        let texts = (0..<Self.replays).map { number in
            EventText(
                "storekit.purchased", id: "\(number)", source: "device",
                [
                    "bundleId": TestApple.bundle, "productId": "gems.60", "account": "anna",
                    "transactionId": "200000000000", "receipt": receipt.text,
                ]
            ).bytes
        }
        let counts = try await bringing.take(lines: texts)
        #expect(counts.appended == Self.replays && counts.refusedParts == 0)
        #expect(try await size("select count(*) from evidence", bringing) == 1)
        let grown = try await size("pg_total_relation_size('evidence')", bringing) - empty
        #expect(grown < Int64(receipt.count) * 6 / 5, "grew by \(grown) bytes")
        #expect(try await size("select max(length(body)) from event_log", bringing) < 1_000)
        let last = try #require(try await bringing.events().last)
        #expect(try await bringing.fresh.log.received(last) == texts.last)
    }

    @Test("a receipt by itself, spelled otherwise, is the same event and the same evidence")
    func spelledOtherwise() async throws {
        let bringing = try await Import()
        let receipt = TestApple.receipt(["7"])
        let broken = receipt.text.enumerated().map { index, letter in
            index % 64 == 63 ? "\(letter)\r\n" : "\(letter)"
        }.joined()
        #expect(try await bringing.take(receipt).appended == 1)
        #expect(try await bringing.take(Array(broken.utf8)).duplicates == 1)
        #expect(try await size("select count(*) from evidence", bringing) == 1)
    }
}
