import FoundationEssentials
import Testing

@Suite("The layout of the repository")
struct LayoutTests {
    private static let allowed: Set<String> = [
        ".ci", ".git", ".gitignore", ".quickstart", ".swift-format", ".swiftpm", "LICENSE",
        "Package.resolved", "Package.swift", "README.md", "Sources", "Tests", "deploy", "schema",
        "tools",
    ]

    @Test("only the agreed entries stand at the top level")
    func topLevel() throws {
        let entries = try FileManager.default.contentsOfDirectory(atPath: Repository.top)
        let odd = entries.filter { !Self.allowed.contains($0) && !$0.hasPrefix(".build") }
        #expect(odd.isEmpty, "\(odd.sorted())")
    }

    @Test("every tool that README names is there and can be run")
    func tools() throws {
        let text = try Repository.read("README.md").lines.joined(separator: "\n")
        let names = Set(text.matches(of: #/\btools/([a-z-]+)/#).map { String($0.1) })
        #expect(names.isSuperset(of: ["quickstart", "test"]))
        for name in names {
            let path = "\(Repository.top)/tools/\(name)"
            #expect(FileManager.default.isExecutableFile(atPath: path), "tools/\(name)")
        }
    }

    @Test("every command that README names is one of the command line's")
    func commands() throws {
        let sources = try Repository.swiftFiles(in: "Sources/quittance")
        let text = sources.flatMap(\.lines).joined(separator: "\n")
        let known = text.matches(of: #/words: \[([^\]]+)\]/#).map { match in
            match.1.matches(of: #/"([a-z-]+)"/#).map { String($0.1) }
        }
        let named = try Repository.read("README.md").lines.flatMap { line in
            line.matches(of: #/[`\s]quittance ((?:[a-z-]+ ?)+)/#).map { match in
                match.1.split(separator: " ").map(String.init)
            }
        }
        #expect(!named.isEmpty)
        for words in named {
            #expect(known.contains { words.starts(with: $0) }, "quittance \(words)")
        }
    }
}
