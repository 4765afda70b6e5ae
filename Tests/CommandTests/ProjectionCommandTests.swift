import Foundation
import JSON
import TestKit
import Testing

@Suite("projection", .fewAtOnce)
struct ProjectionCommandTests {
    private let purchase = Purchase()

    @Test("run takes over what is new, status says how far it is")
    func run() async throws {
        let desk = try await Desk()
        try desk.take([purchase.created, purchase.charged])
        #expect(
            try desk.quittance.run("projection", "status").text
                == "views at position 0, log at 2: 2 events behind\n")
        #expect(
            try desk.quittance.run("projection", "run").text
                == "took over 2 events; the views are at position 2\n")
        #expect(
            try desk.quittance.run("projection", "run").text
                == "took over 0 events; the views are at position 2\n")
        let status = try desk.quittance.run("projection", "status", "--json").json()
        #expect(status["position"]?.int64 == 2 && status["logPosition"]?.int64 == 2)
        #expect(status["setAside"]?.array?.isEmpty == true)
        let rebuilt = try desk.quittance.run("projection", "run", "--rebuild")
        #expect(rebuilt.text == "took over 2 events; the views are at position 2\n")
    }

    @Test(
        "--follow goes on until a signal ends it; nothing is lost",
        arguments: [SIGTERM, SIGINT, SIGKILL])
    func follow(signal: Int32) async throws {
        let desk = try await Desk()
        let follower = try desk.quittance.start("projection", "run", "--follow")
        try desk.take([purchase.created, purchase.charged])
        try await wait(for: 2, desk)
        try desk.take([purchase.delivered])
        try await wait(for: 3, desk)
        #expect(follower.isRunning)
        follower.send(signal)
        let output = try follower.wait()
        #expect(output.status == 128 + signal && output.errors.isEmpty)
        let rest = try desk.quittance.run("projection", "run")
        #expect(rest.text == "took over 0 events; the views are at position 3\n")
    }

    private func wait(for position: Int, _ desk: Desk) async throws {
        for _ in 0..<600 {
            let found = try await desk.sql(
                "select position::text from quittance.projection_checkpoint")
            if found == ["\(position)"] { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("the views did not come to \(position)")
    }

    @Test("an event that was set aside is told: exit 4")
    func setAside() async throws {
        let desk = try await Desk()
        _ = try await desk.sql(
            "alter table quittance.facts add check (id <> 'A-1'::bytea)")
        try desk.take([purchase.created, purchase.charged])
        let output = try desk.quittance.run("projection", "run")
        #expect(output.status == 4)
        #expect(
            output.errors
                == "quittance: position 1 is set aside after 1 tries: PostgreSQLError\n")
        let status = try desk.quittance.run("projection", "status", "--json")
        #expect(status.status == 4)
        #expect(try status.json()["setAside"]?.array?.first?["position"]?.int64 == 1)
        let show = try desk.quittance.run("order", "show", "7")
        #expect(
            show.errors
                == "quittance: the event at position 1 is set aside and not counted\n")
    }

    @Test("views ahead of a restored log are told, with what to do")
    func ahead() async throws {
        let desk = try await Desk()
        try desk.take([purchase.created])
        #expect(try desk.quittance.run("projection", "run").status == 0)
        _ = try await desk.sql("update quittance.projection_checkpoint set position = 9")
        for words in [["projection", "run"], ["order", "show", "A-1"], ["claim", "list"]] {
            let output = try desk.quittance.run(words)
            #expect(output.status == 1 && output.errorLines.count == 1)
            #expect(output.errors.contains("quittance projection run --rebuild"))
        }
        #expect(try desk.quittance.run("projection", "run", "--rebuild").status == 0)
        #expect(try desk.quittance.run("order", "show", "A-1").status == 0)
    }
}
