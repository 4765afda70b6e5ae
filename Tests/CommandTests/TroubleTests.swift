import Foundation
import PostgreSQL
import TestKit
import Testing

@Suite("A database that fails", .fewAtOnce)
struct TroubleTests {
    private static let commands = [
        ["ingest", "FILE"], ["projection", "run"], ["projection", "status"],
        ["order", "show", "A-1"],
        ["claim", "list"], ["schema", "status"],
    ]

    private func words(_ command: [String], _ desk: Desk) throws -> [String] {
        try command.map { $0 == "FILE" ? try desk.file("f", [Purchase().created]) : $0 }
    }

    /// One line, and neither SQL nor data in it.
    private func expectOneLine(_ output: Program.Output, _ status: Int32, _ words: String) {
        #expect(output.status == status, "\(output.errors)")
        #expect(output.out.isEmpty && output.errorLines.count == 1, "\(output.errors)")
        #expect(output.errors.contains(words), "\(output.errors)")
    }

    @Test("is down: exit 69", arguments: commands)
    func down(command: [String]) async throws {
        var desk = try await Desk(hasSchema: false)
        desk.quittance.environment["PGHOST"] = desk.folder.path
        let output = try desk.quittance.run(words(command, desk))
        expectOneLine(output, 69, "PostgreSQL is not reachable (SQLSTATE 08001")
    }

    @Test("does not exist, or the connection string is nonsense: exit 69")
    func wrongDatabase() async throws {
        var desk = try await Desk(hasSchema: false)
        let nonsense = try desk.quittance.run("schema", "up", "--database", "host='x")
        expectOneLine(nonsense, 69, "the connection string cannot be read")
        desk.quittance.environment["PGDATABASE"] = "nowhere"
        expectOneLine(
            try desk.quittance.run("schema", "up"), 69, "the database does not exist")
    }

    @Test("is read-only: nothing is appended, exit 69")
    func readOnly() async throws {
        var desk = try await Desk()
        let file = try desk.file("f", [Purchase().created])
        desk.quittance.environment["PGOPTIONS"] = "-c default_transaction_read_only=on"
        expectOneLine(
            try desk.quittance.run("ingest", file), 69, "the database is read-only (SQLSTATE 25006")
        expectOneLine(
            try desk.quittance.run("projection", "run"), 69, "the database is read-only")
        desk.quittance.environment["PGOPTIONS"] = nil
        #expect(try desk.quittance.run("ingest", file).text.hasPrefix("appended 1 "))
    }

    @Test("is read-only: what the views hold is answered, and how far they lag is said")
    func readOnlyAnswers() async throws {
        var desk = try await Desk()
        try desk.take([Purchase().created])
        #expect(try desk.quittance.run("projection", "run").status == 0)
        try desk.take([Purchase().charged])
        desk.quittance.environment["PGOPTIONS"] = "-c default_transaction_read_only=on"
        let output = try desk.quittance.run("order", "show", "A-1")
        #expect(output.status == 0 && output.text.contains("as of log position 1"))
        #expect(
            output.errors.hasSuffix("): the views stay at position 1, 1 behind the log\n"),
            "\(output.errors)")
    }

    @Test("lets this user do nothing: exit 77")
    func notPermitted() async throws {
        var desk = try await Desk()
        let user = "clerk_\(desk.quittance.environment["PGDATABASE"] ?? "")"
        _ = try await desk.sql("create role \(user) login")
        desk.quittance.environment["PGUSER"] = user
        for command in Self.commands {
            let output = try desk.quittance.run(words(command, desk))
            expectOneLine(output, 77, "SQLSTATE 42501")
        }
        expectOneLine(
            try desk.quittance.run("schema", "up", "--schema", "other"), 77, "privilege")
        desk.quittance.environment["PGUSER"] = "nobody_at_all"
        expectOneLine(try desk.quittance.run("claim", "list"), 77, "refused the log-in")
    }

    @Test("has no connection left: exit 75")
    func busy() async throws {
        var desk = try await Desk()
        let user = "visitor_\(desk.quittance.environment["PGDATABASE"] ?? "")"
        _ = try await desk.sql("create role \(user) login connection limit 0")
        desk.quittance.environment["PGUSER"] = user
        expectOneLine(
            try desk.quittance.run("claim", "list"), 75, "PostgreSQL has no connection left")
    }

    @Test("ends the connections in the midst of an import, which goes on by itself")
    func killedBackends() async throws {
        let desk = try await Desk()
        let texts = Self.events(2_900)
        let (first, last) = (Array(texts[..<2_000]), Array(texts[2_000...]))
        let running = try desk.quittance.start("ingest", "-", openInput: desk.lines(first))
        try await desk.wait(forEvents: 1)
        var ended = 0
        for _ in 0..<10 {
            ended += try await desk.sql(
                """
                select pg_terminate_backend(pid)::text from pg_stat_activity
                where datname = current_database() and application_name <> 'test'
                """
            ).count
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(ended > 0 && running.isRunning)
        try running.endInput(desk.lines(last))
        let output = try running.wait()
        #expect(output.status == 0 || output.errorLines.count == 1, "\(output.errors)")
        try await expectEachOnce(texts, desk)
    }

    @Test("is stopped in the midst of an import: a clear line, and a second run completes it")
    func stopped() async throws {
        let cluster = Cluster(isDurable: true)
        let desk = try await Desk(on: cluster)
        let texts = Self.events(2_900)
        let (first, last) = (Array(texts[..<2_000]), Array(texts[2_000...]))
        let running = try desk.quittance.start("ingest", "-", openInput: desk.lines(first))
        try await desk.wait(forEvents: 1)
        try await cluster.stopImmediately()
        try running.endInput(desk.lines(last))
        let output = try running.wait()
        #expect([69, 75].contains(output.status), "\(output.errors)")
        #expect(output.errorLines.count == 1 && output.errors.contains("PostgreSQL"))
        try await cluster.start()
        try await expectEachOnce(texts, desk)
        try await cluster.remove()
    }

    /// Imports the rest: then every event is in the log exactly once.
    private func expectEachOnce(_ texts: [EventText], _ desk: Desk) async throws {
        let output = try desk.quittance.run("ingest", desk.file("f", texts))
        #expect(output.status == 0, "\(output.errors)")
        let counts = try await desk.sql(
            """
            select count(*) || ' ' || count(distinct id) || ' ' || max(position)
            from quittance.event_log
            """)
        #expect(counts == ["\(texts.count) \(texts.count) \(texts.count)"])
    }

    static func events(_ count: Int) -> [EventText] {
        (0..<count).map { number in
            EventText(
                "order.cancelled", id: "\(number)", receivedAt: TestApple.noon,
                ["bundleId": TestApple.bundle, "orderNumber": "A-\(number)"])
        }
    }
}

@Suite("A killed import", .fewAtOnce)
struct KilledImportTests {
    @Test("at a random instant, then run again, has every line in the log exactly once")
    func kill9() async throws {
        let desk = try await Desk()
        var random = SeededRandom(9)
        let perRun = 2_900
        var total = 0
        for round in 0..<Effort.times(3, full: 50) {
            let texts = TroubleTests.events(perRun).map { text in
                var own = text
                own.id = "\(round)/\(text.id)"
                return own
            }
            let running = try desk.quittance.start("ingest", "-", openInput: desk.lines(texts))
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...400, using: &random)))
            running.send(SIGKILL)
            #expect(try running.wait().status == 128 + SIGKILL)
            let again = try desk.quittance.run("ingest", desk.file("f", texts))
            #expect(again.status == 0, "\(again.errors)")
            total += perRun
            let counts = try await desk.sql(
                """
                select count(*) || ' ' || count(distinct id) || ' ' || max(position)
                from quittance.event_log
                """)
            #expect(counts == ["\(total) \(total) \(total)"], "round \(round)")
        }
    }
}
