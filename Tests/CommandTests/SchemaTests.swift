import TestKit
import Testing

@Suite("The schema's commands", .fewAtOnce)
struct SchemaTests {
    @Test("up makes it, up again changes nothing; status and verify agree")
    func up() async throws {
        let desk = try await Desk(hasSchema: false)
        let before = try desk.quittance.run("schema", "status")
        #expect(before.status == 4 && before.text.contains("pending  ") && !before.errors.isEmpty)
        let first = try desk.quittance.run("schema", "up")
        #expect(first.status == 0 && first.text.hasPrefix("applied 0001-event-log\n"))
        let second = try desk.quittance.run("schema", "up")
        #expect(second.status == 0 && second.text == "current\n")
        let status = try desk.quittance.run("schema", "status")
        #expect(status.status == 0 && !status.text.contains("pending"))
        #expect(status.text.hasPrefix("applied  0001-event-log\n"))
        let verify = try desk.quittance.run("schema", "verify")
        #expect(verify.status == 0 && verify.text == "as it should be\n")
    }

    @Test("verify names what somebody changed")
    func changed() async throws {
        let desk = try await Desk()
        _ = try await desk.sql("drop table quittance.projection_failure")
        let verify = try desk.quittance.run("schema", "verify")
        #expect(verify.status == 4)
        #expect(verify.text.contains("missing table projection_failure"))
    }

    @Test("a ledger that is not there is told in one line, with what to do")
    func missing() async throws {
        let desk = try await Desk(hasSchema: false)
        for words in [
            ["order", "show", "A-1"], ["projection", "run"], ["ingest", "/dev/null"],
            ["claim", "list"], ["projection", "status"],
        ] {
            let output = try desk.quittance.run(words)
            #expect(output.status == 1 && output.out.isEmpty)
            #expect(output.errorLines.count == 1, "\(output.errors)")
            #expect(output.errors.contains("schema up"))
        }
    }

    @Test("two ledgers of one database know nothing of each other")
    func two() async throws {
        var desk = try await Desk()
        try desk.take([Purchase().created])
        #expect(try desk.quittance.run("order", "show", "A-1").status == 0)
        #expect(try desk.quittance.run("schema", "up", "--schema", "second").status == 0)
        #expect(try desk.quittance.run("order", "show", "A-1", "--schema=second").status == 3)
        desk.quittance.environment["QUITTANCE_SCHEMA"] = "second"
        #expect(try desk.quittance.run("order", "show", "A-1").status == 3)
    }

    @Test(
        "a name that no ledger can have is a clear line",
        arguments: ["Quittance", "pg_x", "a b", ""])
    func names(name: String) async throws {
        let output = try Program(name: "quittance").run("schema", "up", "--schema", name)
        #expect(output.status != 0 && output.errorLines.count == 1)
        #expect(output.errors.contains("a ledger's name is"))
    }
}
