import Foundation
import JSON
import Simulator
import Testing

/// What the files of a world say without `world.ndjson`: Apple's signed answers, taken apart, and
/// the delivery server's ledger.
private struct EmittedFiles {
    struct Goods: Hashable, Comparable {
        let account: String
        let product: String
        let quantity: Int64

        static func < (left: Goods, right: Goods) -> Bool {
            (left.account, left.product, left.quantity)
                < (right.account, right.product, right.quantity)
        }
    }

    /// The payloads of every transaction that Apple tells of at the end, by id.
    private(set) var payloads: [String: JSONValue] = [:]
    private(set) var deliveredByTransaction: [String: [Goods]] = [:]
    private(set) var deliveredByOrder: [String: [Goods]] = [:]
    /// `data` of what the platform said of an order, by number.
    private(set) var orders: [String: JSONValue] = [:]
    private let folder: URL

    init(_ folder: URL) throws {
        self.folder = folder
        for line in try lines("history/transactions.ndjson") {
            for signed in line.at("body", "signedTransactions")?.array ?? [] {
                let payload = try Self.payload(signed.string ?? "")
                payloads[payload["transactionId"]?.string ?? ""] = payload
            }
        }
        for line in try lines("events.ndjson") where line["type"]?.string == "order.created" {
            let data = line["data"]
            orders[data?["orderNumber"]?.string ?? ""] = data
        }
        try readLedger()
    }

    func lines(_ name: String) throws -> [JSONValue] {
        try Data(contentsOf: folder.appending(path: name)).split(separator: 10)
            .map { try JSONValue(parsing: Array($0)) }
    }

    private mutating func readLedger() throws {
        let data = try Data(contentsOf: folder.appending(path: "delivery-ledger.csv"))
        let rows = String(decoding: data, as: UTF8.self).split(separator: "\n").map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let heading = try #require(rows.first)
        for row in rows.dropFirst() {
            let field = Dictionary(uniqueKeysWithValues: zip(heading, row))
            guard field["succeededAt"] != "", field["reversedAt"] == "" else { continue }
            let goods = Goods(
                account: field["account"] ?? "", product: field["productId"] ?? "",
                quantity: Int64(field["quantity"] ?? "") ?? 0)
            if let id = field["transactionId"], id != "" {
                deliveredByTransaction[id, default: []].append(goods)
            }
            if let number = field["orderNumber"], number != "" {
                deliveredByOrder[number, default: []].append(goods)
            }
        }
    }

    private static func payload(_ jws: String) throws -> JSONValue {
        var text = String(jws.split(separator: ".")[1])
            .replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        return try JSONValue(parsing: Array(try #require(Data(base64Encoded: text))))
    }

    static func goods(_ line: JSONValue) -> [Goods] {
        (line["delivered"]?.array ?? []).map { delivery in
            Goods(
                account: delivery["account"]?.string ?? "",
                product: delivery["productId"]?.string ?? "",
                quantity: delivery["quantity"]?.int64 ?? 0)
        }
    }
}

@Suite("The truth, derived again from the files alone")
struct OracleBruteForceTests {
    @Test("agrees with what the world says", arguments: [UInt64(21), 22, 23])
    func derivedAgain(seed: UInt64) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let world = World(World.Configuration(seed: seed, orders: 60))
        var writer = try WorldFiles(world, folder: folder.path(percentEncoded: false))
        try writer.write()
        let files = try EmittedFiles(folder)
        var counts: [String: Int] = [:]
        for line in try files.lines("world.ndjson") {
            switch line["kind"]?.string {
            case "transaction": check(transaction: line, files)
            case "order": check(order: line, files)
            default: continue
            }
            counts[line["kind"]?.string ?? "", default: 0] += 1
        }
        #expect(counts["order"] == 60)
        #expect(counts["transaction"] ?? 0 > 30)
        let claims = Set(try files.lines("claims.ndjson").compactMap { $0["claimId"]?.string })
        let told = try files.lines("world.ndjson").filter { $0["kind"]?.string == "claim" }
        #expect(claims == Set(told.compactMap { $0["claimId"]?.string }))
    }

    /// Apple's last word on a transaction against the world's. The sandbox has another history.
    private func check(transaction line: JSONValue, _ files: EmittedFiles) {
        let id = line["transactionId"]?.string ?? ""
        let delivered = files.deliveredByTransaction[id] ?? []
        #expect(EmittedFiles.goods(line).sorted() == delivered.sorted(), "\(id)")
        guard line["environment"]?.string == "Production" else {
            #expect(line["charged"]?.boolean == false, "\(id)")
            #expect(files.payloads[id] == nil, "\(id)")
            return
        }
        guard let payload = files.payloads[id] else {
            Issue.record("Apple does not know \(id)")
            return
        }
        for name in ["originalTransactionId", "productId", "type", "currency", "appTransactionId"] {
            #expect(line[name]?.string == payload[name]?.string, "\(id) \(name)")
        }
        for name in ["quantity", "price"] {
            #expect(line[name]?.int64 == payload[name]?.int64, "\(id) \(name)")
        }
        let isShared = payload["inAppOwnershipType"]?.string == "FAMILY_SHARED"
        let isLasting = ["Non-Consumable", "Non-Renewing Subscription"].contains(
            payload["type"]?.string)
        let isRestore = isLasting && payload["originalTransactionId"]?.string != id
        #expect(line["charged"]?.boolean == (!isShared && !isRestore), "\(id)")
        #expect(line["refunded"]?.string == refunded(payload), "\(id)")
    }

    private func refunded(_ payload: JSONValue) -> String {
        guard payload["revocationDate"] != nil,
            payload["revocationType"]?.string != "FAMILY_REVOKE"
        else { return "no" }
        return payload["revocationPercentage"] == nil ? "full" : "prorated"
    }

    /// The platform's word and the ledger against the world's; where the order's number reached
    /// Apple as a token, its charges too.
    private func check(order line: JSONValue, _ files: EmittedFiles) {
        let number = line["orderNumber"]?.string ?? ""
        #expect(
            EmittedFiles.goods(line).sorted() == (files.deliveredByOrder[number] ?? []).sorted(),
            "\(number)")
        if let told = files.orders[number] {
            for name in ["account", "productId", "currency"] {
                #expect(line[name]?.string == told[name]?.string, "\(number) \(name)")
            }
            #expect(line["price"]?.int64 == told["price"]?.int64, "\(number)")
        }
        let carrying = files.payloads.filter { _, payload in
            payload["appAccountToken"]?.string == number.lowercased()
                && payload["transactionReason"]?.string == "PURCHASE"
        }
        let charges = Set((line["charges"]?.array ?? []).compactMap(\.string))
        #expect(charges.isSuperset(of: carrying.keys), "\(number)")
        for id in charges {
            let token = files.payloads[id]?["appAccountToken"]?.string
            let isElsewhere = token != nil && files.orders[number]?["appAccountToken"] == nil
            #expect(token == nil || token == number.lowercased() || isElsewhere, "\(number) \(id)")
        }
    }
}
