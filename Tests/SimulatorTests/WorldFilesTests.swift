import Cryptography
import JSON
import Simulator
import TestKit
import Testing

@Suite("The files of a simulated world")
struct WorldFilesTests {
    private static let small = World.Configuration(seed: 11, orders: 60, days: 7)

    @Test("the same configuration gives the same bytes, another seed others")
    func deterministic() throws {
        let configuration =
            Effort.isFull ? World.Configuration(seed: 11, orders: 2_000) : Self.small
        let folders = try (0..<3).map { _ in try ScratchFolder() }
        try folders[0].write(configuration)
        try folders[1].write(configuration)
        var other = configuration
        other.seed += 1
        try folders[2].write(other)
        #expect(try folders[0].digest() == folders[1].digest())
        #expect(try folders[0].digest() != folders[2].digest())
    }

    @Test("a world that is written again replaces what was there")
    func again() throws {
        let folder = try ScratchFolder()
        try folder.write(World.Configuration(seed: 2, orders: 20))
        let before = try folder.digest()
        try folder.write(World.Configuration(seed: 2, orders: 20))
        #expect(try folder.digest() == before)
    }

    @Test("every event is a line with its instant, in order, and each notification a body too")
    func events() throws {
        let folder = try ScratchFolder()
        try folder.write(Self.small)
        let events = try folder.values(of: "events.ndjson")
        let instants = events.compactMap { $0["recordedtime"]?.string }.map(Self.comparable)
        #expect(instants.count == events.count)
        #expect(instants == instants.sorted())
        let told = events.filter { $0["type"]?.string == "appstore.notification" }
        let bodies = try folder.values(of: "notifications.ndjson")
        #expect(
            told.map { $0.at("data", "signedPayload")?.string }
                == bodies.map { $0["signedPayload"]?.string })
        let received = try folder.lines(of: "notifications-received-at.txt")
        #expect(
            told.compactMap { $0["recordedtime"]?.string }
                == received.map { String(decoding: $0, as: UTF8.self) })
    }

    /// Without milliseconds a text sorts after the same second with them.
    private static func comparable(_ instant: String) -> String {
        instant.utf8.count == 20 ? instant.dropLast() + ".000Z" : instant
    }

    @Test("the truth agrees with Apple's history and the delivery server's ledger")
    func truth() throws {
        let folder = try ScratchFolder()
        try folder.write(World.Configuration(seed: 12, orders: 150, days: 10))
        let truth = try folder.values(of: "world.ndjson").filter {
            $0["kind"]?.string == "transaction"
        }
        let history = try Self.signedTransactions(folder, "history/transactions.ndjson")
        var told: [String: JSONValue] = [:]
        for payload in history { told[payload["transactionId"]?.string ?? ""] = payload }
        let production = truth.filter { $0["environment"]?.string == "Production" }
        #expect(history.count == production.count)
        for line in production {
            let id = try #require(line["transactionId"]?.string)
            let payload = try #require(told[id])
            for member in ["productId", "quantity", "price", "currency", "originalTransactionId"] {
                #expect(line[member] == payload[member], "\(member) of \(id)")
            }
            let paid =
                payload["inAppOwnershipType"]?.string == "PURCHASED"
                && (payload["originalTransactionId"] == payload["transactionId"]
                    || payload["type"]?.string == "Auto-Renewable Subscription")
            #expect(line["charged"]?.boolean == paid)
            let revoked = payload["revocationDate"] != nil
            let isRefund = paid && revoked
            #expect((line["refunded"]?.string != "no") == isRefund)
        }
        try expectLedger(folder, agreesWith: truth)
    }

    private func expectLedger(_ folder: ScratchFolder, agreesWith truth: [JSONValue]) throws {
        var standing: [String: Int64] = [:]
        for line in try folder.lines(of: "delivery-ledger.csv").dropFirst() {
            let fields = String(decoding: line, as: UTF8.self)
                .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard fields[9] != "", fields[11] == "" else { continue }
            standing[fields[4], default: 0] += Int64(fields[6]) ?? 0
        }
        for line in truth {
            let delivered = (line["delivered"]?.array ?? []).compactMap { $0["quantity"]?.int64 }
            let id = line["transactionId"]?.string ?? ""
            #expect(delivered.reduce(0, +) == standing[id] ?? 0)
        }
        #expect(standing.count > 30)
    }

    @Test("Apple's pages hold at most twenty, and lead from one to the next")
    func pages() throws {
        let folder = try ScratchFolder()
        try folder.write(Self.small)
        let pages = try folder.values(of: "history/notifications.ndjson")
        #expect(pages.count > 2)
        for (number, page) in pages.enumerated() {
            let entries = page.at("body", "notificationHistory")?.array ?? []
            #expect((1...20).contains(entries.count))
            let isLast = number == pages.count - 1
            #expect(page.at("body", "hasMore")?.boolean == !isLast)
            guard !isLast, let token = page.at("body", "paginationToken")?.string else { continue }
            #expect(
                pages[number + 1]["path"]?.string?.hasSuffix("paginationToken=\(token)") == true)
        }
        for page in try folder.values(of: "history/transactions.ndjson") {
            #expect((1...20).contains(page.at("body", "signedTransactions")?.array?.count ?? 0))
        }
    }

    @Test("Apple's look-up knows an order id exactly where the claim's is a real one")
    func lookUps() throws {
        let folder = try ScratchFolder()
        try folder.write(World.Configuration(seed: 13, orders: 400, days: 20))
        let truth = try folder.values(of: "world.ndjson")
        let real = Set(truth.compactMap { $0["appleOrderId"]?.string })
        let answers = try folder.values(of: "history/orders.ndjson")
        #expect(answers.count > 10)
        for answer in answers {
            let id = answer["path"]?.string?.split(separator: "/").last.map(String.init) ?? ""
            #expect((answer.at("body", "status")?.int64 == 0) == real.contains(id))
        }
        #expect(answers.contains { $0.at("body", "status")?.int64 == 1 })
    }

    private static func signedTransactions(
        _ folder: ScratchFolder, _ name: String
    ) throws -> [JSONValue] {
        try folder.values(of: name).flatMap { page in
            try (page.at("body", "signedTransactions")?.array ?? []).map { signed in
                let parts = (signed.string ?? "").split(separator: ".")
                let payload = Base64.decodeURL(Array(parts[1].utf8)) ?? []
                return try JSONValue(parsing: payload)
            }
        }
    }
}
