import JSON
import TestKit
import Testing

@Suite("ingest", .fewAtOnce)
struct IngestTests {
    private func counts(
        _ appended: Int, duplicate: Int = 0, conflicted: Int = 0, refused: Int = 0, parts: Int = 0
    ) -> String {
        "appended \(appended)  duplicate \(duplicate)  conflicted \(conflicted)  "
            + "refused \(refused)  partsRefused \(parts)\n"
    }

    @Test("takes every kind of file, many at once, and standard input")
    func kinds() async throws {
        let desk = try await Desk()
        let event = { (id: String) in
            EventText("order.cancelled", id: id, ["bundleId": "b", "orderNumber": "A-1"])
        }
        let spread = event("1").text.replacing(",", with: ",\n  ")
        let notification = TestApple.notification(
            uuid: "u", transaction: TestApple.transaction("7"))
        let output = try desk.quittance.run(
            "ingest", try desk.folder.file("one.json", Array(spread.utf8)),
            try desk.folder.file(
                "list.json", Array("[\n\(event("2").text),\n\(event("3").text)]".utf8)),
            try desk.file("lines.ndjson", [event("4"), event("5")]),
            try desk.folder.file("body.json", TestApple.body(notification)),
            try desk.folder.file("jws.txt", TestApple.transaction("8") + [10]))
        #expect(output.status == 0 && output.errors.isEmpty)
        #expect(output.text == counts(7))
        let input = try desk.quittance.run(
            ["ingest", "-"], input: event("6").bytes + [10] + event("6").bytes)
        #expect(input.text == counts(1, duplicate: 1) && input.status == 0)
        let stored = try await desk.sql("select type from quittance.event_log order by position")
        #expect(stored.count == 8)
        #expect(stored.suffix(3).prefix(2) == ["appstore.notification", "appstore.transaction"])
    }

    @Test("what a pipe brought is in the log, though the pipe brings nothing more yet")
    func slowPipe() async throws {
        let desk = try await Desk()
        let texts = ["1", "2", "3"].map {
            EventText("order.cancelled", id: $0, ["bundleId": "b", "orderNumber": "A-1"])
        }
        let running = try desk.quittance.start(
            "ingest", "-", openInput: desk.lines(Array(texts.prefix(2))))
        try await desk.wait(forEvents: 2)
        #expect(running.isRunning)
        try running.endInput(desk.lines(texts))
        #expect(try running.wait().text == counts(3, duplicate: 2))
    }

    @Test("counts as JSON too")
    func json() async throws {
        let desk = try await Desk()
        let output = try desk.quittance.run(
            "ingest", "--json", try desk.file("a", [Purchase().created]))
        let json = try output.json()
        #expect(
            json.members?.map(\.name) == [
                "appended", "duplicate", "conflicted", "refused", "partsRefused",
            ])
        #expect(json["appended"]?.int64 == 1)
    }

    @Test("names the place and the reason of each line that is not simply taken: exit 4")
    func complaints() async throws {
        let desk = try await Desk()
        let good = EventText("order.cancelled", ["bundleId": "b", "orderNumber": "A-1"])
        let forged = EventText(
            "storekit.purchased", id: "2", source: "device",
            ["bundleId": "b", "productId": "p", "signedTransaction": "a.b.c"])
        let path = try desk.folder.file(
            "mixed.ndjson",
            lines: [
                good.bytes, Array("{\"a\":1".utf8), good.with("orderNumber", "A-2").bytes,
                good.without("orderNumber").bytes, forged.bytes,
            ])
        let output = try desk.quittance.run("ingest", path)
        #expect(output.status == 4)
        #expect(output.text == counts(2, conflicted: 1, refused: 2, parts: 1))
        #expect(
            output.errorLines == [
                "quittance: \(path):2: refused: malformed: not JSON: ends too early at byte 6",
                """
                quittance: \(path):3: conflict: the log holds this id with other content at \
                position 1; this one is kept at position 3
                """,
                "quittance: \(path):4: refused: malformed: data.orderNumber is missing",
                """
                quittance: \(path):5: appended at position 5, but data.signedTransaction was \
                refused: malformed
                """,
            ])
    }

    @Test("stamps what carries no recordedtime")
    func receivedAt() async throws {
        let desk = try await Desk()
        let bare = EventText("order.cancelled", id: "1", ["bundleId": "b", "orderNumber": "1"])
        var stamped = bare
        stamped.id = "2"
        stamped.receivedAt = TestApple.noon
        let output = try desk.quittance.run(
            "ingest", "--received-at", "2020-02-03T04:05:06.007+01:00",
            try desk.file("a", [bare, stamped]))
        #expect(output.status == 0)
        let instants = try await desk.sql(
            """
            select (extract(epoch from received_at) * 1000)::bigint::text
            from quittance.event_log order by position
            """)
        #expect(instants == ["1580699106007", "\(TestApple.noon)"])
    }

    @Test("a file that cannot be read is named; what stood before it is in the log")
    func unreadable() async throws {
        let desk = try await Desk()
        let good = try desk.file("good", [Purchase().created])
        let output = try desk.quittance.run("ingest", good, desk.folder.path + "/nowhere")
        #expect(output.status == 1)
        #expect(
            output.errors
                == "quittance: \(desk.folder.path)/nowhere: No such file or directory\n")
        let folder = try desk.quittance.run("ingest", desk.folder.path)
        #expect(folder.status == 1 && folder.errors.contains("is a folder"))
        #expect(try desk.quittance.run("ingest", good).text == counts(0, duplicate: 1))
    }

    @Test("a root that cannot be read is named before anything is done")
    func trust() async throws {
        let desk = try await Desk()
        let good = try desk.file("good", [Purchase().created])
        let output = try desk.quittance.run("ingest", "--trust", good, good)
        #expect(output.status == 1 && output.errorLines.count == 1)
        #expect(output.errors.contains(good))
        #expect(try await desk.sql("select count(*)::text from quittance.event_log") == ["0"])
    }

    @Test("bundles that are configured are the only ones whose proofs are believed")
    func bundles() async throws {
        let desk = try await Desk()
        let settings = EventText(
            "settings.changed", source: "operator", ["bundleId": "com.example.other"])
        let output = try desk.quittance.run(
            "ingest", try desk.file("a", [settings, Purchase().charged]))
        #expect(output.status == 4 && output.errors.contains(":2: refused: wrong-bundle: "))
        let report = try desk.quittance.run("order", "show", "7", "--json")
        #expect(report.status == 3)
    }
}
