/// Finds functions and initializers by their braces; close enough for code that `swift format` laid
/// out.
enum FunctionFinder {
    struct Function {
        /// Where the signature begins, counted from 1.
        let line: Int
        /// From there to the closing brace.
        let length: Int
    }

    static func functions(of lines: [String]) -> [Function] {
        var found: [Function] = []
        var open: [(line: Int, depth: Int)] = []
        var pending: Int?
        var depth = 0
        var isInText = false
        for (number, line) in lines.enumerated() {
            let code = strip(line, &isInText)
            if isSignature(code) { pending = number }
            for character in code {
                if character == "{" {
                    if let line = pending { open.append((line, depth)) }
                    pending = nil
                    depth += 1
                } else if character == "}" {
                    pending = nil  // What a protocol asks for has no body.
                    depth -= 1
                    if let last = open.last, last.depth == depth {
                        open.removeLast()
                        found.append(Function(line: last.line + 1, length: number - last.line + 1))
                    }
                }
            }
        }
        return found
    }

    private static func isSignature(_ code: String) -> Bool {
        let words = code.split(separator: " ")
        return words.contains("func") || words.contains { $0.hasPrefix("init(") }
            || words.contains { $0.hasPrefix("subscript(") }
    }

    /// The line without comments and texts, whose braces mean nothing.
    private static func strip(_ line: String, _ isInText: inout Bool) -> String {
        if line.contains("\"\"\"") {
            isInText.toggle()
            return ""
        }
        if isInText { return "" }
        var code = ""
        var isQuoted = false
        var previous: Character = " "
        for character in line {
            if character == "\"", previous != "\\" { isQuoted.toggle() }
            if !isQuoted {
                if character == "/", previous == "/" { break }
                code.append(character)
            }
            previous = previous == "\\" && character == "\\" ? " " : character
        }
        return code
    }
}
