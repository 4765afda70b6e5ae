import HTTPServer
import JSON
import Testing

@testable import Simulator

@Suite("A served App Store tells what it notified")
struct NotificationHistoryTests {
    private static let path = "/inApps/v1/notifications/history"
    /// 180 days before the world's end, and its end: 2026-03-01 and 300 days.
    private static let end = World.Configuration.defaultStart + 300 * 86_400_000
    private static let start = end - 180 * 86_400_000

    private func body(_ more: String = "") -> String {
        "{\"startDate\":\(Self.start),\"endDate\":\(Self.end)\(more)}"
    }

    /// All pages.
    private func all(_ server: WorldServer, _ body: String) async throws -> [JSONValue] {
        var found: [JSONValue] = []
        var query = ""
        for _ in 0..<1000 {
            let answer = try await server.ask(.post, Self.path + query, body: body)
            let page = try #require(answer.json?["notificationHistory"]?.array)
            #expect(page.count <= 20)
            found += page
            guard answer.json?["hasMore"]?.boolean == true else { return found }
            query = "?paginationToken=" + (answer.json?["paginationToken"]?.string ?? "")
        }
        return found
    }

    private func payload(_ entry: JSONValue) -> JSONValue? {
        entry["signedPayload"]?.string.flatMap(JSONValue.init(payloadOf:))
    }

    @Test("an app's notifications of 180 days are told in the file's order, page by page")
    func pages() async throws {
        let world = try ServedFolder.shared()
        let expected = try world.lines("history/notifications.ndjson").flatMap {
            $0.at("body", "notificationHistory")?.array ?? []
        }.filter { entry in
            let payload = payload(entry)
            return payload?.at("data", "bundleId")?.string == "com.example.lantern"
                && (payload?["signedDate"]?.int64).map { $0 >= Self.start && $0 < Self.end }
                    ?? false
        }
        #expect(expected.count > 20)
        #expect(try await all(world.server(), body()) == expected)
    }

    @Test("notifications are chosen by type, by transaction, and by failure")
    func filters() async throws {
        let server = try ServedFolder.shared().server()
        let everything = try await all(server, body())
        let refunds = try await all(server, body(",\"notificationType\":\"REFUND\""))
        #expect(!refunds.isEmpty)
        #expect(
            refunds == everything.filter { payload($0)?["notificationType"]?.string == "REFUND" })
        let failures = try await all(server, body(",\"onlyFailures\":true"))
        #expect(
            failures
                == everything.filter { entry in
                    !(entry["sendAttempts"]?.array ?? []).contains {
                        $0["sendAttemptResult"]?.string == "SUCCESS"
                    }
                })
        let id = try #require(
            refunds.first.flatMap(payload)?.at("data", "signedTransactionInfo")?.string
                .flatMap(JSONValue.init(payloadOf:))?["transactionId"]?.string)
        let ofOne = try await all(server, body(",\"transactionId\":\"\(id)\""))
        #expect(ofOne.count < everything.count && ofOne.contains(refunds[0]))
    }

    @Test(
        "a question that Apple would refuse is refused with its code",
        arguments: [
            ("{}", 4_000_015), ("{\"startDate\":\(start)}", 4_000_016), ("[]", 4_000_000),
            ("", 4_000_000), ("{\"startDate\":\(end),\"endDate\":\(start)}", 4_000_013),
            ("{\"startDate\":\(start - 1),\"endDate\":\(end)}", 4_000_012),
            (
                "{\"startDate\":\(start),\"endDate\":\(end),\"notificationType\":\"REFUND\","
                    + "\"transactionId\":\"1\"}", 4_000_019
            ),
            (
                "{\"startDate\":\(start),\"endDate\":\(end),\"notificationSubtype\":\"A\"}",
                4_000_018
            ),
            ("{\"startDate\":\(start),\"endDate\":\(end),\"transactionId\":\"1\"}", 4_040_010),
        ] as [(String, Int64)])
    func refusals(body: String, code: Int64) async throws {
        let server = try ServedFolder.shared().server()
        #expect(try await server.ask(.post, Self.path, body: body).errorCode == code)
        let page = try await server.ask(
            .post, Self.path + "?paginationToken=p99999", body: self.body())
        #expect(page.errorCode == 4_000_014)
    }
}
