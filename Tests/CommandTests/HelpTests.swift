import TestKit
import Testing

@Suite("Help and usage")
struct HelpTests {
    private let quittance = Program(name: "quittance")

    static let commands = [
        "schema up", "schema status", "schema verify", "ingest", "projection run",
        "projection status", "order show", "claim list", "claim show", "inspect",
    ]

    @Test(
        "the overview lists every command and the exit codes",
        arguments: ["help", "--help", "-h"])
    func overview(word: String) throws {
        let output = try quittance.run(word)
        #expect(output.status == 0 && output.errors.isEmpty)
        for command in Self.commands { #expect(output.text.contains("  \(command) ")) }
        #expect(output.text.contains("69 unavailable"))
    }

    @Test("without a command the overview is shown, and it is a usage error")
    func nothing() throws {
        let output = try quittance.run()
        #expect(output.status == 2 && output.text.contains("usage: quittance COMMAND"))
    }

    @Test("each command has a page of its own", arguments: commands)
    func page(command: String) throws {
        let words = command.split(separator: " ").map(String.init)
        for help in ["--help", "-h"] {
            let output = try quittance.run(words + [help])
            #expect(output.status == 0 && output.errors.isEmpty)
            #expect(output.text.hasPrefix("usage: quittance \(command)"))
        }
    }

    @Test(
        "what was probably meant is named",
        arguments: [
            (["ingst"], "unknown command ingst; did you mean ingest?"),
            (["inspekt", "x"], "unknown command inspekt; did you mean inspect?"),
            (["frobnicate"], "unknown command frobnicate (see quittance --help)"),
            (["order", "shwo"], "order knows no shwo; did you mean show?"),
            (["schema", "downgrade"], "schema knows no downgrade"),
            (["claim"], "claim needs one of: list, show"),
            (["projection", "--follow"], "projection needs one of: run, status"),
            (
                ["projection", "run", "--folow"],
                "unknown option --folow; did you mean --follow? "
                    + "(see quittance projection run --help)"
            ),
            (["ingest", "-x", "f"], "unknown option -x (see quittance ingest --help)"),
        ] as [([String], String)])
    func suggestions(words: [String], message: String) throws {
        let output = try quittance.run(words)
        #expect(output.status == 2 && output.out.isEmpty)
        #expect(output.errors == "quittance: \(message)\n")
    }

    @Test(
        "a wrong call is told in one line",
        arguments: [
            ["ingest"], ["order", "show"], ["order", "show", "a", "b"], ["claim", "show"],
            ["order", "show", "a", "--jsonl"], ["order", "show", "--from", "f"], ["inspect"],
            ["ingest", "--received-at", "yesterday", "f"], ["ingest", "--received-at"],
            ["ingest", "--received-at", "0000-01-01T00:00:00Z", "f"],
            ["inspect", "--at", "noon", "f"], ["inspect", "--app-apple-id", "x", "f"],
            ["inspect", "--json=yes", "f"], ["inspect", "--bundle", "a", "--bundle", "b", "f"],
            ["order", "show", "a", "--as-of", "yesterday"],
        ])
    func usage(words: [String]) throws {
        let output = try quittance.run(words)
        #expect(output.status == 2 && output.out.isEmpty)
        #expect(output.errorLines.count == 1 && output.errors.hasPrefix("quittance: "))
    }

    @Test("the version is told", arguments: ["version", "--version"])
    func version(word: String) throws {
        let output = try quittance.run(word)
        #expect(output.status == 0)
        #expect(output.text.wholeMatch(of: /quittance [0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
    }
}
