/// All commands, and how a command is found by its words.
enum Catalogue {
    static let commands: [CommandDescription] =
        SchemaCommand.all + [IngestCommand.description] + ProjectionCommand.all
        + [OrderCommand.description] + ClaimCommand.all + LogCommand.all
        + QuarantineCommand.all + [EvidenceCommand.reverify, InspectCommand.description]

    /// The command that the first words name; they are taken off.
    static func command(for words: inout [String]) throws -> CommandDescription {
        let matches = commands.filter { words.starts(with: $0.words) }
        if let command = matches.max(by: { $0.words.count < $1.words.count }) {
            words.removeFirst(command.words.count)
            return command
        }
        throw UsageError(problem(with: words))
    }

    private static func problem(with words: [String]) -> String {
        let group = commands.filter { $0.words.first == words.first }
        if let noun = words.first, !group.isEmpty {
            let verbs = group.compactMap { $0.words.dropFirst().first }
            guard words.count > 1, !words[1].hasPrefix("-") else {
                return "\(noun) needs one of: \(verbs.joined(separator: ", "))"
            }
            let hint =
                Nearest.word(to: words[1], among: verbs).map { "; did you mean \($0)?" } ?? ""
            return "\(noun) knows no \(words[1])\(hint)"
        }
        let word = words.first ?? ""
        let known = commands.compactMap(\.words.first)
        let hint = Nearest.word(to: word, among: known).map { "; did you mean \($0)?" }
        return "unknown command \(word)\(hint ?? " (see quittance --help)")"
    }
}

/// The help pages.
enum Help {
    static let version = "0.1.0"

    static var overview: String {
        let width = (Catalogue.commands.map(\.name.count).max() ?? 0) + 2
        let lines = Catalogue.commands.map { command in
            let pad = String(repeating: " ", count: width - command.name.count)
            return "  \(command.name)\(pad)\(command.summary)"
        }
        return """
            Quittance settles "I paid and got nothing" with proof: an event log of in-app purchases.

            usage: quittance COMMAND [OPTION…] [OPERAND…]

            \(lines.joined(separator: "\n"))

            quittance COMMAND --help tells more. Exit codes: 0 ok, 1 failed, 2 usage, 3 not found,
            4 refusals, conflicts or discrepancies, 69 unavailable, 75 try again, 77 not permitted.
            """
    }
}

extension CommandDescription {
    /// Its own options and those of every command that meets the database.
    var allOptions: [Option] { options }

    var help: String {
        let lines = allOptions.map { option -> String in
            let left = "--\(option.name)" + (option.value.map { " \($0)" } ?? "")
            let pad = String(repeating: " ", count: max(1, 26 - left.count))
            return "  \(left)\(pad)\(option.summary)"
        }
        let paragraphs = [
            "usage: quittance \(name) \(synopsis)", summary, discussion,
            lines.isEmpty ? "" : "Options:\n" + lines.joined(separator: "\n"),
        ]
        return paragraphs.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }
}
