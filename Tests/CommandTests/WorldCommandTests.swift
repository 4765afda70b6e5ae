import Foundation
import Simulator
import Testing

@Suite("The command that makes a world")
struct WorldCommandTests {
    private let program = Program(name: "quittance-simulator")

    @Test("help tells every fault in a line of its own")
    func help() throws {
        let output = try program.run("run", "--help")
        #expect(output.status == 0)
        let lines = output.text.split(separator: "\n").map { $0.drop { $0 == " " } }
        for fault in World.Fault.allCases {
            #expect(
                lines.contains { $0.hasPrefix(fault.rawValue + " ") && $0.hasSuffix(fault.summary) }
            )
        }
    }

    @Test("a world of one fault is written, and its strikes are counted")
    func run() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = try program.run(
            "run", "--orders", "12", "--days", "3", "--faults", "none", "--fault",
            "event-duplicated=1", "--out", folder.path())
        #expect(output.status == 0)
        #expect(output.text.contains("orders\t12\n"))
        #expect(!output.text.contains("fault event-duplicated\t0\n"))
        #expect(output.text.contains("fault event-lost\t0\n"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
        #expect(
            Set(names).isSuperset(of: [
                "events.ndjson", "notifications.ndjson", "history", "delivery-ledger.csv",
                "sales-report.tsv", "claims.ndjson", "trust", "world.ndjson", "expected.ndjson",
            ]))
    }

    @Test(
        "what it does not understand it refuses, with the status of wrong usage",
        arguments: [
            ["run"], ["run", "--out", "x", "--fault", "sunspots=0.5"],
            ["run", "--out", "x", "--fault", "event-lost=1.5"],
            ["run", "--out", "x", "--fault", "event-lost"],
            ["run", "--out", "x", "--faults", "some"], ["run", "--out", "x", "--days", "0"],
            ["run", "--out", "x", "--orders", "-1"], ["run", "--out", "x", "--numbers", "roman"],
        ])
    func usage(arguments: [String]) throws {
        let output = try program.run(arguments)
        #expect(output.status == 2)
        #expect(output.out.isEmpty)
    }
}
