import Foundation
import TestKit
import Testing

@Suite("What is printed", .fewAtOnce)
struct OutputTests {
    @Test(
        "that cannot be written is an error, not a success",
        arguments: ["order show A-1", "claim list", "projection status", "schema status", "help"])
    func cannotBeWritten(command: String) async throws {
        let desk = try await Desk()
        try desk.take([Purchase().created])
        for redirection in [">/dev/full", ">&-"] {
            let output = try desk.quittance.runInShell(#""$program" \#(command) \#(redirection)"#)
            #expect(output.status == 1, "\(redirection)")
            #expect(output.errors.hasPrefix("quittance: standard output cannot be written: "))
        }
    }

    @Test("to a reader that went away ends quietly")
    func closedPipe() async throws {
        let desk = try await Desk()
        let names = try desk.folder.file(
            "names", Array(String(repeating: "nobody\n", count: 400).utf8))
        let output = try desk.quittance.runInShell(
            #""$program" order show --from \#(names) --jsonl | head -n 1 | wc -l"#)
        #expect(output.text.trimmingCharacters(in: .whitespacesAndNewlines) == "1")
    }

    @Test("holds neither SQL nor colours nor, in errors, anything personal")
    func plain() async throws {
        let desk = try await Desk()
        let purchase = Purchase(account: "anna-from-main-street")
        let events = try desk.file(
            "events",
            [
                purchase.created, purchase.purchased, purchase.charged, purchase.claimed(),
                purchase.created.with("account", "bert-from-main-street"),
                purchase.delivered.without("deliveryId"),
            ])
        for words in [
            ["ingest", events], ["projection", "run"], ["order", "show", "A-1"],
            ["order", "show", "A-1", "--json"], ["claim", "list"], ["claim", "show", "C-1"],
            ["inspect", events], ["schema", "up"], ["schema", "verify"], ["help"],
            ["order", "show", "A-1", "--as-of", "99"], ["order", "show", "A-1'; select 1"],
            ["schema", "up", "--schema", "x'; select 1"],
        ] {
            let output = try desk.quittance.run(words)
            let all = output.text + output.errors
            #expect(!all.contains("\u{1B}"), "\(words)")
            let said = words.reduce(all.lowercased()) {
                $0.replacingOccurrences(of: $1.lowercased(), with: "")
            }
            for sql in ["select ", "insert into", "delete from", "update ", "unnest", "::"] {
                #expect(!said.contains(sql), "\(words): \(sql)")
            }
            #expect(!output.errors.contains("main-street"), "\(words)")
        }
    }
}
