import Testing

@Suite("The measure of files, functions and lines")
struct MeasureTests {
    @Test("no file is longer than 600 lines")
    func files() throws {
        for file in try Repository.swiftFiles() {
            #expect(file.lines.count <= 600, "\(file.path) has \(file.lines.count) lines")
        }
    }

    @Test("no line of Swift is longer than 100 characters")
    func lines() throws {
        for file in try Repository.swiftFiles() {
            for (number, line) in file.lines.enumerated() where line.count > 100 {
                Issue.record("\(file.path):\(number + 1) has \(line.count) characters")
            }
        }
    }

    @Test("no function is longer than 70 lines")
    func functions() throws {
        for file in try Repository.swiftFiles() {
            for function in FunctionFinder.functions(of: file.lines) where function.length > 70 {
                Issue.record("\(file.path):\(function.line) has \(function.length) lines")
            }
        }
    }

    @Test("the finder of functions measures from the signature to its closing brace")
    func finder() {
        let found = FunctionFinder.functions(of: [
            "protocol B {", "    init()", "}", "struct A {", "    func a(", "        b: Int",
            "    ) {",
            "        let c = \"}{{\" // }", "    }", "    init() {}", "}",
        ])
        #expect(found.map(\.line) == [5, 10])
        #expect(found.map(\.length) == [5, 1])
    }
}
