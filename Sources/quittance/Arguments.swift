/// The options and operands of one command, checked against what it takes.
struct Arguments: Sendable {
    let operands: [String]
    private let values: [String: [String]]

    init(_ words: [String], of command: CommandDescription) throws {
        var operands: [String] = []
        var values: [String: [String]] = [:]
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            guard word.hasPrefix("--") else {
                guard word == "-" || !word.hasPrefix("-") else {
                    throw UsageError("unknown option \(word)", command: command)
                }
                operands.append(word)
                continue
            }
            let (name, value) = try Self.option(word, &rest, of: command)
            values[name, default: []].append(value)
        }
        guard command.operands.contains(operands.count) else {
            throw UsageError(
                "usage: quittance \(command.name) \(command.synopsis)", command: command)
        }
        self.operands = operands
        self.values = values
    }

    private static func option(
        _ word: String, _ rest: inout ArraySlice<String>, of command: CommandDescription
    ) throws -> (name: String, value: String) {
        let parts = word.dropFirst(2).split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = command.allOptions.first(where: { $0.name == name }) else {
            let nearest = Nearest.word(to: name, among: command.allOptions.map(\.name))
            let hint = nearest.map { "; did you mean --\($0)?" } ?? ""
            throw UsageError("unknown option --\(name)\(hint)", command: command)
        }
        if option.value == nil {
            guard parts.count == 1 else {
                throw UsageError("--\(name) takes no value", command: command)
            }
            return (name, "")
        }
        if parts.count == 2 { return (name, String(parts[1])) }
        guard let value = rest.popFirst() else {
            throw UsageError("--\(name) needs \(option.value ?? "a value")", command: command)
        }
        return (name, value)
    }

    func has(_ name: String) -> Bool { values[name] != nil }

    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The value of an option that may be given once.
    func value(_ name: String) throws -> String? {
        let all = all(name)
        guard all.count < 2 else { throw UsageError("--\(name) is given \(all.count) times") }
        return all.first
    }
}

/// The command was called wrongly.
struct UsageError: Error {
    let message: String

    init(_ message: String, command: CommandDescription? = nil) {
        let hint = command.map { " (see quittance \($0.name) --help)" } ?? ""
        self.message = message.hasPrefix("usage:") ? message : message + hint
    }
}

/// The word that was probably meant.
enum Nearest {
    /// The candidate with the least edit distance, if that is small against the word's length.
    static func word(to word: String, among candidates: [String]) -> String? {
        let ranked = candidates.map { ($0, distance(Array(word), Array($0))) }
        guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= max(1, word.count / 2) else {
            return nil
        }
        return best.0
    }

    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let substituted = diagonal + (a == b ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substituted, row[j] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
