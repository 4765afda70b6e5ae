import JSON
import Simulator
import TestKit
import Testing

@Suite("order show", .fewAtOnce)
struct OrderShowTests {
    private let purchase = Purchase()

    private func names(_ value: JSONValue?) -> Set<String> {
        Set(value?.members?.map(\.name) ?? [])
    }

    @Test("gives the verdict first, then the charge, then the events with their positions")
    func text() async throws {
        let desk = try await Desk()
        try desk.take([purchase.created, purchase.purchased, purchase.charged])
        let output = try desk.quittance.run("order", "show", "A-1")
        #expect(output.status == 0 && output.errors.isEmpty)
        let lines = output.text.split(separator: "\n").map(String.init)
        #expect(lines[0] == "paid-not-delivered  order A-1 · paid")
        #expect(lines[1].hasPrefix("  action: "))
        #expect(lines.contains { $0.hasPrefix("  tell:   ") })
        #expect(lines.contains { $0.wholeMatch(of: /\s+proof:\s+(#\d+\s?)+/) != nil })
        let charge = try #require(
            lines.firstIndex { $0.hasPrefix("  charge 7 · gems.60 · 0.99 USD") })
        #expect(lines[charge].contains("owner anna"))
        #expect(lines[charge].contains("order A-1 (device)"))
        let timeline = try #require(lines.firstIndex { $0.hasPrefix("  timeline") })
        #expect(timeline > charge)
        #expect(
            Array(lines[(timeline + 1)...].prefix(3)) == [
                "    #1  2026-03-14T12:00:00Z  order.created",
                "    #2  2026-03-14T12:00:00Z  storekit.purchased  7",
                "    #3  2026-03-14T12:00:00Z  appstore.notification  7",
            ])
        #expect(output.text.contains("matched as order · as of log position 3\n"))
        #expect(output.text.contains("no bundle is configured: every bundle is accepted"))
    }

    @Test("as JSON has the members that were promised")
    func json() async throws {
        let desk = try await Desk()
        try desk.take([purchase.created, purchase.purchased, purchase.charged])
        let report = try desk.quittance.run("order", "show", "A-1", "--json").json()
        #expect(
            names(report).isSuperset(of: ["match", "orders", "orphans", "coverage", "logPosition"]))
        let match = try #require(report["match"]?.array?.first)
        #expect(match["kind"]?.string == "order" && match["value"]?.string == "A-1")
        let order = try #require(report["orders"]?.array?.first)
        #expect(
            names(order).isSuperset(of: [
                "orderNumber", "account", "status", "verdict", "charges", "timeline",
            ]))
        #expect(order["orderNumber"]?.string == "A-1" && order["account"]?.string == "anna")
        #expect(order["status"]?.string == "paid")
        let verdict = try #require(order["verdict"])
        #expect(verdict["code"]?.string == "paid-not-delivered")
        #expect(verdict["action"]?.string?.isEmpty == false)
        #expect(verdict["remarks"]?.array != nil)
        #expect(verdict["proof"]?.array?.compactMap(\.int64).contains(3) == true)
        #expect(verdict["sentence"]?.string?.isEmpty == false)
        let charge = try #require(order["charges"]?.array?.first)
        #expect(charge["transactionId"]?.string == "7" && charge["productId"]?.string == "gems.60")
        #expect(charge["quantity"]?.int64 == 1 && charge["price"]?.int64 == 990)
        #expect(charge["currency"]?.string == "USD")
        #expect(charge["environment"]?.string == "Production")
        #expect(charge.at("link", "strength")?.string == "device")
        #expect(charge.at("owner", "account")?.string == "anna")
        #expect(charge["verdict"]?.string == "paid-not-delivered")
        let timeline = try #require(order["timeline"]?.array)
        #expect(timeline.map { $0["position"]?.int64 } == [1, 2, 3])
        #expect(report["orphans"]?.array?.isEmpty == true)
        #expect(names(report["coverage"]) == ["appleUntil", "deliveryUntil"])
        #expect(report.at("coverage", "appleUntil")?.isNull == true)
        #expect(report["logPosition"]?.int64 == 3)
    }

    @Test("a charge that belongs to no order is an orphan with its candidates")
    func orphan() async throws {
        let desk = try await Desk()
        try desk.take([purchase.created, purchase.charged])
        let report = try desk.quittance.run("order", "show", "7", "--json").json()
        let orphan = try #require(report["orphans"]?.array?.first)
        #expect(names(orphan).isSuperset(of: ["transactionId", "verdict", "candidates"]))
        #expect(orphan["transactionId"]?.string == "7")
        #expect(report["orders"]?.array?.isEmpty == true)
        let order = try desk.quittance.run("order", "show", "A-1", "--json").json()
        let verdict = order["orders"]?.array?.first?["verdict"]
        #expect(verdict?["code"]?.string == "payment-unlinked")
        #expect(try desk.quittance.run("order", "show", "7").text.contains("no order"))
    }

    @Test("nothing under a name is exit 3, and still an answer")
    func nothing() async throws {
        let desk = try await Desk()
        try desk.take([purchase.created])
        let output = try desk.quittance.run("order", "show", "A-2")
        #expect(output.status == 3)
        #expect(output.text == "Nothing is known under this name (log position 1).\n")
        let json = try desk.quittance.run("order", "show", "A-2", "--json")
        #expect(json.status == 3)
        #expect(try json.json()["match"]?.array?.isEmpty == true)
    }

    @Test(
        "says which kind of name matched",
        arguments: [
            ("A-1", "order"), ("anna", "account"), ("7", "transactionId"),
            ("6", "originalTransactionId"), ("6F9619FF-8B86-D011-B42D-00C04FC964FF", "order"),
            ("6f9619ff-8b86-d011-b42d-000000000000", "appAccountToken"),
            ("MABC", "appleOrderId"),
        ])
    func kinds(name: String, kind: String) async throws {
        let desk = try await Desk()
        var uuid = Purchase(order: "6f9619ff-8b86-d011-b42d-00c04fc964ff", transaction: "8")
        uuid.token = "6f9619ff-8b86-d011-b42d-000000000000"
        let renewal = EventText(
            "appstore.transaction", id: "r",
            [
                "signedTransaction": TestApple.transaction("61") {
                    $0.originalTransactionId = "6"
                    $0.type = "Auto-Renewable Subscription"
                }.text
            ])
        let claim = purchase.claimed().with("orderId", "MABC")
        try desk.take([
            purchase.created, purchase.purchased, purchase.charged, uuid.created, uuid.charged,
            renewal, claim,
        ])
        let output = try desk.quittance.run("order", "show", name, "--json")
        let matches = try #require(output.json()["match"]?.array)
        #expect(matches.first?["kind"]?.string == kind)
        // An order's number that is a UUID is its token too.
        #expect(matches.count == (name.hasPrefix("6F") ? 2 : 1))
        #expect(output.status == 0)
    }

    @Test("as of a position or an instant, what was known then")
    func asOf() async throws {
        let desk = try await Desk()
        try desk.take([purchase.created])
        try desk.take([purchase.purchased, purchase.charged])
        try desk.take([purchase.delivered])
        func verdict(_ asOf: String) throws -> String? {
            let report = try desk.quittance.run("order", "show", "A-1", "--json", "--as-of", asOf)
            return try report.json()["orders"]?.array?.first?.at("verdict", "code")?.string
        }
        #expect(try verdict("1") == "unproven")
        #expect(try verdict("3") == "paid-not-delivered")
        #expect(try verdict("4") == "delivered")
        #expect(try verdict("2999-01-01T00:00:00Z") == "delivered")
        let recorded = try await desk.sql(
            """
            select to_char(recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
            from quittance.event_log where position = 1
            """)
        #expect(try verdict(recorded[0]) == "unproven")
        let early = try desk.quittance.run(
            "order", "show", "A-1", "--as-of", "2020-01-01T00:00:00Z")
        #expect(early.status == 3)
        let late = try desk.quittance.run("order", "show", "A-1", "--as-of", "99")
        #expect(late.status == 1)
        #expect(late.errors == "quittance: the log does not reach that far yet\n")
    }

    @Test("as of a position, though nobody brought the views up to it before")
    func asOfWithoutViews() async throws {
        let desk = try await Desk()
        try desk.take([purchase.created, purchase.purchased])
        let report = try desk.quittance.run("order", "show", "A-1", "--as-of", "2", "--json")
        #expect(try report.json()["orders"]?.array?.count == 1)
    }

    @Test("of many names gives a line each")
    func many() async throws {
        let desk = try await Desk()
        try desk.take([purchase.created, purchase.charged])
        let names = try desk.folder.file("names", Array("A-1\n\n 7 \nnobody\n".utf8))
        let output = try desk.quittance.run("order", "show", "--from", names, "--jsonl")
        #expect(output.status == 3 && output.errors.isEmpty)
        let reports = try output.jsonLines()
        #expect(reports.map { $0["name"]?.string } == ["A-1", "7", "nobody"])
        #expect(reports.map { $0["match"]?.array?.isEmpty } == [false, false, true])
        let input = try desk.quittance.run(
            ["order", "show", "--from", "-", "--jsonl"], input: Array("A-1".utf8))
        #expect(input.status == 0 && input.lines == [output.lines[0]])
        let bad = try desk.folder.file("bad", Array("A-1\n".utf8) + [0xFF, 10])
        let refused = try desk.quittance.run("order", "show", "--from", bad, "--jsonl")
        #expect(refused.status == 1 && refused.errors == "quittance: \(bad):2: not a name\n")
    }

    @Test("a name with odd letters is found by them")
    func oddNames() async throws {
        let desk = try await Desk()
        let odd = Purchase(order: "Ünï ' \" \\ % ; -- 苹果", transaction: "9")
        try desk.take([odd.created])
        let output = try desk.quittance.run("order", "show", odd.order, "--json")
        #expect(try output.json()["orders"]?.array?.first?["orderNumber"]?.string == odd.order)
    }
}

@Suite("claim", .fewAtOnce)
struct ClaimTests {
    @Test("list is the board, show one claim; both as JSON")
    func board() async throws {
        let desk = try await Desk()
        #expect(try desk.quittance.run("claim", "list").text == "no claims\n")
        let purchase = Purchase()
        try desk.take([
            purchase.created, purchase.purchased, purchase.charged, purchase.claimed("C-1"),
            Purchase(order: "A-2", transaction: "8").claimed("C-2"),
        ])
        let board = try desk.quittance.run("claim", "list")
        let lines = board.text.split(separator: "\n")
        #expect(board.status == 0 && lines.count == 3)
        #expect(lines[0].hasPrefix("CLAIM  NAMED"))
        #expect(lines[1].hasPrefix("C-1    order A-1  paid-not-delivered  "))
        #expect(lines[2].hasPrefix("C-2    order A-2  "))
        let json = try desk.quittance.run("claim", "list", "--json").jsonLines()
        #expect(json.map { $0["claimId"]?.string } == ["C-1", "C-2"])
        #expect(json[0].at("verdict", "code")?.string == "paid-not-delivered")
        #expect(json[0].at("named", "applicationUsername")?.string == "A-1")

        let show = try desk.quittance.run("claim", "show", "C-1")
        #expect(show.status == 0)
        #expect(show.text.hasPrefix("claim C-1 · opened 2026-03-14T12:00:00Z at position 4\n"))
        #expect(show.text.contains("\npaid-not-delivered  order A-1\n"))
        let shown = try desk.quittance.run("claim", "show", "C-1", "--json").json()
        #expect(shown == json[0])
        let before = try desk.quittance.run("claim", "show", "C-1", "--as-of", "3")
        #expect(before.status == 3 && before.errors == "quittance: no claim of that id\n")
        #expect(try desk.quittance.run("claim", "show", "C-3").status == 3)
    }

    @Test("that names nothing says what to ask for")
    func nothing() async throws {
        let desk = try await Desk()
        try desk.take([EventText("claim.opened", ["bundleId": "b", "claimId": "C-9"])])
        let show = try desk.quittance.run("claim", "show", "C-9")
        #expect(show.status == 0 && show.text.contains("The customer could name nothing"))
        #expect(try desk.quittance.run("claim", "list").text.contains("C-9    nothing"))
    }
}
