import AppStore
import HTTPServer
import JSON
import Testing

@testable import Simulator

@Suite("A served App Store is read")
struct AppStoreReadingTests {
    @Test(
        "histories, refunds and order ids are answered as the world's files have them, page by page"
    )
    func pages() async throws {
        let world = try ServedFolder.shared()
        let server = try world.server()
        var pages = 0
        for name in ["transactions", "refunds", "orders"] {
            for line in try world.lines("history/\(name).ndjson") {
                let path = try #require(line["path"]?.string)
                let body = try #require(line["body"])
                let signed = body["signedTransactions"]?.array?.first?.string
                let bundle = signed.flatMap(JSONValue.init(payloadOf:))?["bundleId"]?.string
                let answer = try await server.ask(.get, path, as: bundle ?? "com.example.lantern")
                #expect(answer.status == 200)
                #expect(answer.json == body, "\(path)")
                if body["hasMore"]?.boolean == true { pages += 1 }
            }
        }
        #expect(pages > 0)
    }

    @Test("a customer's whole history is found from any of the transactions in it")
    func anyTransaction() async throws {
        let world = try ServedFolder.shared()
        let server = try world.server()
        let all = Dictionary(grouping: try ServedFolder.transactions()) {
            $0["appTransactionId"]?.string ?? ""
        }
        let mine = try #require(all.values.max { $0.count < $1.count })
        let bundle = try #require(mine.first?["bundleId"]?.string)
        let ids = mine.compactMap { $0["transactionId"]?.string }
        #expect(ids.count > 20)
        var found: [String] = []
        var revision: String?
        while found.count <= ids.count {
            let query = revision.map { "?revision=\($0)" } ?? ""
            let answer = try await server.ask(
                .get, "/inApps/v2/history/\(ids[7])\(query)", as: bundle)
            found += answer.transactionIds
            revision = answer.json?["revision"]?.string
            if answer.json?["hasMore"]?.boolean == false { break }
        }
        #expect(found == ids)
        let backwards = try await server.ask(
            .get, "/inApps/v2/history/\(ids[0])?sort=DESCENDING", as: bundle)
        #expect(backwards.transactionIds == Array(ids.reversed().prefix(20)))
    }

    @Test(
        "a history is filtered",
        arguments: [
            ("productType=CONSUMABLE", "type", "Consumable"),
            ("productType=NON_RENEWABLE&productType=CONSUMABLE", "type", "Consumable"),
            ("inAppOwnershipType=PURCHASED", "inAppOwnershipType", "PURCHASED"),
            ("productId=com.example.lantern.gems.100", "productId", "com.example.lantern.gems.100"),
        ])
    func filters(query: String, member: String, value: String) async throws {
        let world = try ServedFolder.shared()
        let server = try world.server()
        let all = try ServedFolder.transactions()
        let sample = try #require(
            all.first {
                $0["bundleId"]?.string == "com.example.lantern" && $0[member]?.string == value
            })
        let id = try #require(sample["transactionId"]?.string)
        let answer = try await server.ask(.get, "/inApps/v2/history/\(id)?\(query)")
        let customer = sample["appTransactionId"]?.string
        let expected = all.filter {
            let isWanted =
                $0[member]?.string == value
                || query.contains("NON_RENEWABLE")
                    && $0["type"]?.string == "Non-Renewing Subscription"
            return $0["appTransactionId"]?.string == customer && isWanted
        }
        #expect(
            answer.transactionIds
                == Array(expected.compactMap { $0["transactionId"]?.string }.prefix(20)))
    }

    @Test("version 1 leaves out consumables that were not taken back; `revoked` chooses")
    func revoked() async throws {
        let world = try ServedFolder.shared()
        let server = try world.server()
        let sample = try ServedFolder.transactions().first {
            $0["type"]?.string == "Consumable" && $0["revocationDate"] != nil
        }
        let refunded = try #require(sample?["transactionId"]?.string)
        let bundle = try #require(sample?["bundleId"]?.string)
        let ask = { (path: String) in
            try await server.ask(.get, "/inApps/\(path)", as: bundle)
        }
        let old = try await ask("v1/history/\(refunded)")
        let payloads = (old.json?["signedTransactions"]?.array ?? []).compactMap {
            $0.string.flatMap(JSONValue.init(payloadOf:))
        }
        #expect(old.transactionIds.contains(refunded))
        #expect(
            payloads.allSatisfy {
                $0["type"]?.string != "Consumable" || $0["revocationDate"] != nil
            })
        let none = try await ask("v2/history/\(refunded)?revoked=false")
        #expect(!none.transactionIds.contains(refunded) && none.status == 200)
        let only = try await ask("v2/history/\(refunded)?revoked=true")
        #expect(only.transactionIds.contains(refunded))
    }

    @Test(
        "what the API does not know it refuses with Apple's code",
        arguments: [
            ("/inApps/v2/history/999", 404, 4_040_010), ("/inApps/v2/history/x", 400, 4_000_006),
            ("/inApps/v1/transactions/999", 404, 4_040_010),
            ("/inApps/v1/subscriptions/999", 404, 4_040_010),
            ("/inApps/v2/refund/lookup/999", 404, 4_040_010),
            ("/inApps/v2/history/ID?revision=x", 400, 4_000_005),
            ("/inApps/v2/history/ID?revision=r99999", 400, 4_000_005),
            ("/inApps/v2/history/ID?sort=UP", 400, 4_000_021),
            ("/inApps/v2/history/ID?productType=GOLD", 400, 4_000_022),
            ("/inApps/v2/history/ID?revoked=maybe", 400, 4_000_030),
            ("/inApps/v2/history/ID?inAppOwnershipType=STOLEN", 400, 4_000_026),
            ("/inApps/v2/history/ID?startDate=-1", 400, 4_000_015),
            ("/inApps/v2/history/ID?endDate=tomorrow", 400, 4_000_016),
            ("/inApps/v2/history/ID?startDate=2&endDate=1", 400, 4_000_013),
            ("/inApps/v1/subscriptions/ID?status=6", 400, 4_000_031),
        ] as [(String, Int, Int64)])
    func refusals(path: String, status: Int, code: Int64) async throws {
        let world = try ServedFolder.shared()
        let id = try #require(
            try ServedFolder.transactions().first {
                $0["bundleId"]?.string == "com.example.lantern"
            }?[
                "transactionId"]?.string)
        let target = path.split(separator: "ID", omittingEmptySubsequences: false)
            .joined(separator: id)
        let server = try world.server()
        let answer = try await server.ask(.get, target)
        #expect(answer.status == status)
        #expect(answer.errorCode == code)
        let foreign = try await server.ask(
            .get, "/inApps/v1/transactions/\(id)", as: "com.example.harbor")
        #expect(foreign.errorCode == 4_040_010)
    }

    @Test("an order id that is not the app's has status 1")
    func unknownOrder() async throws {
        let answer = try await ServedFolder.shared().server().ask(.get, "/inApps/v1/lookup/MNOPE")
        #expect(answer.status == 200)
        #expect(answer.json?["status"]?.int64 == 1)
    }

    @Test("the states of subscriptions are told with their last transactions and renewals")
    func statuses() async throws {
        let world = try ServedFolder.shared()
        let server = try world.server()
        let reader = try ServedFolder.reader()
        let periods = try ServedFolder.transactions().filter {
            $0["type"]?.string == "Auto-Renewable Subscription"
                && $0["bundleId"]?.string == "com.example.lantern"
        }
        let sample = try #require(periods.first)
        let id = try #require(sample["transactionId"]?.string)
        let answer = try await server.ask(.get, "/inApps/v1/subscriptions/\(id)")
        let groups = try #require(answer.json?["data"]?.array)
        let told = groups.flatMap { $0["lastTransactions"]?.array ?? [] }
        let originals = Set(
            periods.filter {
                $0["appTransactionId"]?.string == sample["appTransactionId"]?.string
            }.compactMap { $0["originalTransactionId"]?.string })
        #expect(Set(told.compactMap { $0["originalTransactionId"]?.string }) == originals)
        for subscription in told {
            let status = try #require(subscription["status"]?.int64)
            #expect((1...5).contains(status))
            for name in ["signedTransactionInfo", "signedRenewalInfo"] {
                let jws = try #require(subscription[name]?.string)
                let part = reader.read(jws: Array(jws.utf8))
                #expect(part.verification.status == .verified, "\(name) \(part.verification)")
                #expect(
                    part.payload?["originalTransactionId"] == subscription["originalTransactionId"])
            }
            let only = try await server.ask(
                .get, "/inApps/v1/subscriptions/\(id)?status=\(status)")
            let same = (only.json?["data"]?.array ?? []).flatMap {
                $0["lastTransactions"]?.array ?? []
            }
            #expect(same.allSatisfy { $0["status"]?.int64 == status } && !same.isEmpty)
        }
    }
}
