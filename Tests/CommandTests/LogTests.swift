import Foundation
import JSON
import TestKit
import Testing

@Suite("log", .fewAtOnce)
struct LogTests {
    private func events(_ numbers: ClosedRange<Int>) -> [EventText] {
        numbers.map { number in
            EventText(
                "order.cancelled", id: "\(number)", receivedAt: TestApple.noon,
                ["bundleId": TestApple.bundle, "orderNumber": "A-\(number)"])
        }
    }

    @Test("tail prints the last ten, or from a position, or of some types, a line each")
    func tail() async throws {
        let desk = try await Desk()
        #expect(try desk.quittance.run("log", "tail").out.isEmpty)
        try desk.take(events(1...14) + [Purchase().created])
        let last = try desk.quittance.run("log", "tail")
        #expect(last.lines.count == 10 && last.status == 0 && last.errors.isEmpty)
        #expect(last.text.hasPrefix("#6  2"))
        #expect(last.text.hasSuffix("  order.created  platform  order.created/A-1/7\n"))
        let from = try desk.quittance.run("log", "tail", "--from", "3", "--json").jsonLines()
        #expect(from.compactMap { $0["position"]?.int64 } == (3...15).map { $0 })
        #expect(from.first?["orderNumber"]?.string == "A-3")
        #expect(from.first?.at("body", "data", "orderNumber")?.string == "A-3")
        let created = try desk.quittance.run("log", "tail", "--type", "order.created", "--json")
        #expect(try created.json()["position"]?.int64 == 15)
        #expect(!created.text.contains("anna"))
    }

    @Test("tail --follow prints what comes, until it is interrupted")
    func follow() async throws {
        let desk = try await Desk()
        try desk.take(events(1...2))
        let seen = try desk.folder.file("seen", [])
        let handle = try #require(FileHandle(forWritingAtPath: seen))
        let tail = try desk.quittance.start(
            ["log", "tail", "--follow", "--from", "2"], output: handle)
        for number in 2...4 {
            if number > 2 { try desk.take(events(number...number)) }
            while try !desk.folder.text("seen").contains("#\(number)  ") {
                try #require(tail.isRunning)
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        tail.send(SIGINT)
        #expect(try tail.wait().errors.isEmpty)
        let lines = try desk.folder.text("seen").split(separator: "\n")
        #expect(lines.map { $0.prefix(2) } == ["#2", "#3", "#4"])
    }

    @Test("show prints one event wholly, with what was signed decoded; exit 3 if there is none")
    func show() async throws {
        let desk = try await Desk()
        try desk.take([Purchase().created, Purchase().charged])
        let created = try desk.quittance.run("log", "show", "1")
        #expect(created.status == 0 && created.text.hasPrefix("#1  "))
        #expect(created.text.contains(#""account":"anna""#))
        let charged = try desk.quittance.run("log", "show", "2", "--json").json()
        let evidence = try #require(charged["decodedEvidence"]?.array)
        #expect(evidence.count == 1 || evidence.count == 2)
        let digests = charged["evidence"]?.array?.compactMap(\.string)
        #expect(evidence.compactMap { $0["digest"]?.string } == digests)
        let text = try desk.quittance.run("log", "show", "2").text
        #expect(text.contains("transactionId") && text.contains("evidence "))
        let none = try desk.quittance.run("log", "show", "3")
        #expect(none.status == 3 && none.out.isEmpty)
        #expect(none.errors == "quittance: the log holds no position 3\n")
        #expect(try desk.quittance.run("log", "show", "0").status == 2)
    }

    @Test("stats counts events by type, and bytes")
    func stats() async throws {
        let desk = try await Desk()
        try desk.take(events(1...3) + [Purchase().created])
        let stats = try desk.quittance.run("log", "stats", "--json").json()
        #expect(stats["size"]?.int64 == 4 && stats["epoch"]?.int64 == 1)
        #expect(stats.at("types", "order.cancelled")?.int64 == 3)
        #expect(stats.at("types", "order.created")?.int64 == 1)
        #expect((stats["bytes"]?.int64 ?? 0) > 0)
        let text = try desk.quittance.run("log", "stats").text
        #expect(text.contains("events     4  last recorded 2"))
        #expect(text.hasSuffix("3  order.cancelled\n1  order.created\n"))
    }

    @Test("verify passes a log as it was, also against a checkpoint that was kept")
    func verify() async throws {
        let desk = try await Desk()
        try desk.take(events(1...300))
        let printed = try desk.quittance.run("log", "checkpoint")
        #expect(printed.status == 0 && printed.lines.count == 4)
        let kept = try desk.folder.file("checkpoint", printed.out)
        try desk.take(events(301...310))
        let output = try desk.quittance.run("log", "verify", "--full", "--checkpoint", kept)
        #expect(output.status == 0, "\(output.text)")
        #expect(output.text.hasPrefix("310 events, root "))
        _ = try await desk.sql("alter table quittance.event_log disable trigger all")
        _ = try await desk.sql(
            "update quittance.event_log set body = '{}' where position = 7 returning id")
        let tampered = try desk.quittance.run("log", "verify", "--checkpoint", kept)
        #expect(tampered.status == 4)
        #expect(
            tampered.text.contains(
                "an event was changed: its leaf is another (1, first at position 7)\n"))
        let nonsense = try desk.quittance.run(
            "log", "verify", "--checkpoint", try desk.folder.file("none", Array("7\n".utf8)))
        #expect(nonsense.status == 1 && nonsense.errors.contains("holds no checkpoint"))
    }

    @Test("proof gives the hashes that lead to the root; exit 3 for what the tree does not reach")
    func proof() async throws {
        let desk = try await Desk()
        try desk.take(events(1...7))
        let root = try desk.quittance.run("log", "stats", "--json").json()["root"]?.string
        let proof = try desk.quittance.run("log", "proof", "5").json()
        #expect(proof["position"]?.int64 == 5 && proof["size"]?.int64 == 7)
        #expect(proof["root"]?.string == root && proof["path"]?.array?.count == 3)
        let older = try desk.quittance.run("log", "proof", "--from", "3").json()
        #expect(older["root"]?.string == root && older["path"]?.array?.count == 4)
        #expect(
            try older["fromRoot"]?.string
                == desk.quittance.run("log", "proof", "1", "--size", "3").json()["root"]?.string)
        let beyond = try desk.quittance.run("log", "proof", "8")
        #expect(beyond.status == 3)
        #expect(beyond.errors == "quittance: the tree covers the positions 1 to 7\n")
        #expect(try desk.quittance.run("log", "proof", "5", "--from", "3").status == 2)
        #expect(try desk.quittance.run("log", "proof").status == 2)
    }

    @Test("new-epoch raises the epoch, which every checkpoint carries")
    func newEpoch() async throws {
        let desk = try await Desk()
        #expect(try desk.quittance.run("log", "new-epoch").text == "epoch 2\n")
        #expect(try desk.quittance.run("log", "checkpoint").text.hasSuffix("\nepoch 2\n"))
    }

    @Test("partition makes the log's partitions, and those ahead when it is run again")
    func partition() async throws {
        let desk = try await Desk()
        try desk.take(events(1...5))
        let none = try desk.quittance.run("log", "partition")
        #expect(none.status == 1 && none.errors.contains("say how many events"))
        #expect(try desk.quittance.run("log", "partition", "--events", "0").status == 2)
        let first = try desk.quittance.run("log", "partition", "--events", "10")
        #expect(
            first.text == [1, 11, 21].map { "a partition from position \($0)\n" }.joined())
        #expect(try desk.quittance.run("log", "partition").text == "current\n")
        try desk.take(events(1...30))
        #expect(
            try desk.quittance.run("log", "partition").text
                == [31, 41, 51].map { "a partition from position \($0)\n" }.joined())
        #expect(try desk.quittance.run("log", "verify").status == 0)
        #expect(try desk.quittance.run("schema", "verify").text == "as it should be\n")
    }

    @Test("a large import tells how fast it was, and a terminal is shown a bar")
    func large() async throws {
        let desk = try await Desk()
        let text = EventText(
            "order.cancelled", id: "1",
            ["bundleId": "b", "orderNumber": "1", "note": String(repeating: "x", count: 1 << 20)])
        let output = try desk.quittance.run("ingest", try desk.file("large", [text]))
        #expect(output.status == 0 && output.errorLines.count == 1)
        #expect(output.errors.contains("large: 1 events in "))
        #expect(output.errors.hasSuffix(" a second, 1 MiB\n"))
        let terminal = try desk.quittance.runInShell(
            "script -qec '\"$program\" ingest \(desk.folder.path)/large' /dev/null")
        #expect(terminal.text.contains("ingest [----"), "\(terminal.text)")
        #expect(terminal.text.contains("duplicate 1"))
    }
}
