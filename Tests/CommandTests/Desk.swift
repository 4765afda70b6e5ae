import JSON
import PostgreSQL
import Simulator
import TestKit
import Testing

/// A support desk: a ledger of its own, and the program that serves it.
struct Desk {
    var quittance = Program(name: "quittance")
    let folder: TemporaryFolder

    /// - Parameter hasSchema: whether the ledger's schema is made.
    init(on cluster: Cluster = .durable, hasSchema: Bool = true) async throws {
        folder = try TemporaryFolder()
        quittance.environment = try await cluster.databaseEnvironment()
        quittance.environment["QUITTANCE_TRUST"] = try folder.file(
            "root.der", TestApple.chain.rootDER)
        if hasSchema { try #require(quittance.run("schema", "up").status == 0) }
    }

    /// Events as lines.
    func lines(_ texts: [EventText]) -> [UInt8] {
        Array(texts.map { $0.bytes + [UInt8(ascii: "\n")] }.joined())
    }

    /// Writes a file of events and tells its path.
    func file(_ name: String, _ texts: [EventText]) throws -> String {
        try folder.file(name, lines: texts.map(\.bytes))
    }

    /// Brings events in; they must be taken without a complaint.
    func take(_ texts: [EventText]) throws {
        let output = try quittance.run("ingest", try file("events.ndjson", texts))
        try #require(output.status == 0, "\(output.errors)")
    }

    /// Runs a statement as the superuser, and gives the first column of its rows as text.
    func sql(_ text: String) async throws -> [String] {
        let connection = try await Connection.open(
            try ConnectionOptions(
                keywords: [
                    "host": quittance.environment["PGHOST"] ?? "",
                    "port": quittance.environment["PGPORT"] ?? "", "user": "postgres",
                    "dbname": quittance.environment["PGDATABASE"] ?? "",
                ], applicationName: "test"))
        let rows = try await connection.perform { connection in
            try connection.query(Statement(name: "sql", sql: text)).map {
                try $0.value(at: 0, as: String?.self) ?? ""
            }
        }
        await connection.close()
        return rows
    }

    /// Waits until the log holds that many events; fails after two minutes.
    func wait(forEvents count: Int64) async throws {
        let deadline = ContinuousClock.now + .seconds(120)
        while true {
            let size = try await sql("select size::text from quittance.log_head").first
            if let size = size.flatMap({ Int64($0) }), size >= count { return }
            try #require(ContinuousClock.now < deadline, "the events did not come")
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}

extension Program.Output {
    /// The one JSON object that was printed.
    func json() throws -> JSONValue {
        try #require(lines.count == 1, "\(text)\(errors)")
        return try JSONValue(parsing: lines[0])
    }

    /// Every line that was printed, as JSON.
    func jsonLines() throws -> [JSONValue] { try lines.map { try JSONValue(parsing: $0) } }
}

/// An order of one pack of gems and the charge for it, both at noon.
struct Purchase {
    var order = "A-1"
    var transaction = "7"
    var account = "anna"
    var token: String?

    var created: EventText {
        tell(
            "order.created",
            [
                "orderNumber": order, "productId": "gems.60", "price": 990, "currency": "USD",
                "account": account, "appAccountToken": token,
            ])
    }

    /// Apple tells of the charge, not of the order.
    var charged: EventText {
        let jws = TestApple.transaction(transaction) { $0.appAccountToken = token }
        return EventText(
            "appstore.notification", id: "n\(transaction)", receivedAt: TestApple.noon,
            [
                "signedPayload": TestApple.notification(uuid: "n\(transaction)", transaction: jws)
                    .text
            ])
    }

    /// The customer's phone tells of both, without proof.
    var purchased: EventText {
        tell(
            "storekit.purchased",
            [
                "applicationUsername": order, "transactionId": transaction,
                "productId": "gems.60", "account": account, "deviceId": "phone", "sequence": 1,
            ])
    }

    var delivered: EventText {
        tell(
            "delivery.succeeded",
            [
                "deliveryId": "d\(transaction)", "orderNumber": order,
                "transactionId": transaction, "productId": "gems.60", "quantity": 1,
                "account": account,
            ])
    }

    func claimed(_ id: String = "C-1") -> EventText {
        tell(
            "claim.opened",
            [
                "claimId": id, "applicationUsername": order, "account": account,
                "statement": "I paid",
            ])
    }

    private func tell(_ type: String, _ data: KeyValuePairs<String, (any JSONText)?>) -> EventText {
        var text = EventText(
            type, id: "\(type)/\(order)/\(transaction)", receivedAt: TestApple.noon, data)
        text.data.insert(JSONMember("bundleId", TestApple.bundle.json), at: 0)
        return text
    }
}
