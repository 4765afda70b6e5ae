import Testing

@Suite("Words that do not stay in the code")
struct WordTests {
    @Test(
        "nothing is left for later, and nothing traps",
        arguments: [
            "TODO", "FIXME", "XXX", "try!", "as!", "fatalError(", "for now",
        ])
    func forbidden(word: String) throws {
        for file in try Repository.swiftFiles(in: "Sources") {
            for (number, line) in file.lines.enumerated() where line.contains(word) {
                Issue.record("\(file.path):\(number + 1): \(word)")
            }
        }
    }

    @Test("every unchecked Sendable says why it is safe")
    func safety() throws {
        for file in try Repository.swiftFiles(in: "Sources") {
            for (number, line) in file.lines.enumerated()
            where line.contains("@unchecked Sendable") {
                let above = file.lines[..<number].reversed().prefix { isCommentOrAttribute($0) }
                let around = above + file.lines[(number + 1)...].prefix(1)
                #expect(
                    around.contains { $0.contains("// SAFETY:") }, "\(file.path):\(number + 1)")
            }
        }
    }

    private func isCommentOrAttribute(_ line: String) -> Bool {
        let text = line.drop { $0 == " " }
        return text.hasPrefix("//") || text.hasPrefix("@")
    }

    @Test("no path of one machine stands in any file")
    func machinePaths() throws {
        // Put together here, so that this file holds none itself.
        let homes = ["home", "root", "Users"].map { "/\($0)/" }
        for file in try Repository.allFiles() {
            for (number, line) in file.lines.enumerated() {
                let found = ([Repository.top + "/"] + homes).first { line.contains($0) }
                if let found { Issue.record("\(file.path):\(number + 1): \(found)") }
            }
        }
    }
}
