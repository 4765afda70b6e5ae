import AppStore
import HTTPServer
import JSON
import Testing

@testable import Simulator

@Suite("A served App Store is written to")
struct AppStoreWritingTests {
    /// A transaction of an app, chosen by its payload.
    private func id(_ isWanted: (JSONValue) -> Bool) throws -> String {
        let found = try ServedFolder.transactions().first {
            $0["bundleId"]?.string == "com.example.lantern" && isWanted($0)
        }
        return try #require(found?["transactionId"]?.string)
    }

    private func consumable() throws -> String {
        try id { $0["type"]?.string == "Consumable" }
    }

    private func written(_ path: String) throws -> [JSONValue] {
        try ServedFolder.shared().lines("served/app-store.ndjson").filter {
            $0["path"]?.string == path
        }
    }

    @Test(
        "consumption information is judged by Apple's rules",
        arguments: [
            ("\"deliveryStatus\":\"DELIVERED\",\"consumptionPercentage\":50000", nil),
            ("\"deliveryStatus\":\"UNDELIVERED_OTHER\",\"consumptionPercentage\":0", nil),
            ("\"deliveryStatus\":\"DELIVERED\",\"refundPreference\":\"DECLINE\"", nil),
            (
                "\"deliveryStatus\":\"DELIVERED\",\"consumptionPercentage\":1,"
                    + "\"refundPreference\":\"GRANT_PRORATED\"", nil
            ),
            ("\"deliveryStatus\":\"LOST\"", 4_000_036), ("\"a\":1", 4_000_036),
            ("\"deliveryStatus\":\"DELIVERED\",\"consumptionPercentage\":100001", 4_000_000),
            ("\"deliveryStatus\":\"UNDELIVERED_OTHER\",\"consumptionPercentage\":1", 4_000_000),
            ("\"deliveryStatus\":\"DELIVERED\",\"refundPreference\":\"MAYBE\"", 4_000_000),
            ("\"deliveryStatus\":\"DELIVERED\",\"refundPreference\":\"GRANT_PRORATED\"", 4_000_000),
            ("\"deliveryStatus\":\"DELIVERED\",\"customerConsented\":1", 4_000_035),
            ("\"deliveryStatus\":\"DELIVERED\",\"sampleContentProvided\":\"no\"", 4_000_041),
        ] as [(String, Int64?)])
    func consumption(members: String, code: Int64?) async throws {
        var body = members
        for name in ["customerConsented", "sampleContentProvided"] where !body.contains(name) {
            body += ",\"\(name)\":true"
        }
        let path = "/inApps/v2/transactions/consumption/\(try consumable())"
        let answer = try await ServedFolder.shared().server().ask(.put, path, body: "{\(body)}")
        #expect(answer.status == (code == nil ? 202 : 400))
        #expect(answer.errorCode == code)
        let kept = try written(path).contains { $0["body"]?.string == "{\(body)}" }
        #expect(kept == (code == nil))
    }

    @Test("version 1 of consumption information needs every number")
    func consumptionVersion1() async throws {
        let server = try ServedFolder.shared().server()
        let path = "/inApps/v1/transactions/consumption/\(try consumable())"
        let numbers = [
            "accountTenure", "consumptionStatus", "deliveryStatus", "lifetimeDollarsPurchased",
            "lifetimeDollarsRefunded", "platform", "playTime", "userStatus",
        ].map { "\"\($0)\":1" }
        let start =
            "{\"customerConsented\":true,\"sampleContentProvided\":false,"
            + "\"appAccountToken\":\"\","
        let good = start + numbers.joined(separator: ",") + "}"
        #expect(try await server.ask(.put, path, body: good).status == 202)
        let short = start + numbers.dropLast().joined(separator: ",") + "}"
        #expect(try await server.ask(.put, path, body: short).errorCode == 4_000_042)
        let subscription = try id { $0["type"]?.string == "Auto-Renewable Subscription" }
        let other = "/inApps/v1/transactions/consumption/\(subscription)"
        #expect(try await server.ask(.put, other, body: good).errorCode == 4_000_043)
    }

    @Test("an account token that was set is in every later answer, well signed")
    func token() async throws {
        let server = try ServedFolder.shared().server()
        let id = try id {
            $0["appAccountToken"] == nil && $0["inAppOwnershipType"]?.string == "PURCHASED"
                && $0["transactionId"] == $0["originalTransactionId"]
        }
        let token = "5E09DCFC-205E-4EA1-9883-96676F394992"
        let set = try await server.ask(
            .put, "/inApps/v1/transactions/\(id)/appAccountToken",
            body: "{\"appAccountToken\":\"\(token)\"}")
        #expect(set.status == 200 && set.response.body.isEmpty)
        let answer = try await server.ask(.get, "/inApps/v1/transactions/\(id)")
        let jws = try #require(answer.json?["signedTransactionInfo"]?.string)
        let part = try ServedFolder.reader().read(jws: Array(jws.utf8))
        #expect(part.verification.status == .verified)
        #expect(part.payload?["appAccountToken"]?.string == token.lowercased())
        #expect(part.payload?["signedDate"]?.int64 == ServedFolder.now)
        let history = try await server.ask(.get, "/inApps/v2/history/\(id)?sort=DESCENDING")
        let others = try await server.ask(.get, "/inApps/v2/history/\(id)")
        let all = [history, others].flatMap { $0.json?["signedTransactions"]?.array ?? [] }
        #expect(all.contains { $0.string == jws } || all.count >= 40)
    }

    @Test("an account token is refused where Apple refuses it")
    func tokenRefused() async throws {
        let server = try ServedFolder.shared().server()
        let good = "{\"appAccountToken\":\"5e09dcfc-205e-4ea1-9883-96676f394992\"}"
        let ask = { (id: String, body: String) in
            try await server.ask(
                .put, "/inApps/v1/transactions/\(id)/appAccountToken", body: body
            ).errorCode
        }
        let consumable = try consumable()
        #expect(try await ask(consumable, "{\"appAccountToken\":\"order-17\"}") == 4_000_183)
        #expect(try await ask(consumable, "{}") == 4_000_183)
        #expect(try await ask("999", good) == 4_040_010)
        let renewal = try id { $0["transactionId"] != $0["originalTransactionId"] }
        #expect(try await ask(renewal, good) == 4_000_187)
        let shared = try ServedFolder.transactions().first {
            $0["inAppOwnershipType"]?.string == "FAMILY_SHARED"
                && $0["transactionId"] == $0["originalTransactionId"]
        }
        let id = try #require(shared?["transactionId"]?.string)
        let answer = try await server.ask(
            .put, "/inApps/v1/transactions/\(id)/appAccountToken",
            as: try #require(shared?["bundleId"]?.string), body: good)
        #expect(answer.errorCode == 4_000_185)
    }

    @Test("finishing is kept")
    func finish() async throws {
        let server = try ServedFolder.shared().server()
        let path = "/inApps/v1/transactions/\(try consumable())/finish"
        #expect(try await server.ask(.post, path).status == 200)
        #expect(try written(path).count >= 1)
        let unknown = try await server.ask(.post, "/inApps/v1/transactions/999/finish")
        #expect(unknown.errorCode == 4_040_010)
    }
}
