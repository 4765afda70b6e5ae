/// The command line: finds the command, runs it, and turns what it throws into one line and an
/// exit code.
@main
enum Command {
    static func main() async {
        var words = Array(CommandLine.arguments.dropFirst())
        let code: ExitCode
        do {
            code = try await run(&words)
        } catch {
            code = Failure.report(error)
        }
        exitProcess(code)
    }

    private static func run(_ words: inout [String]) async throws -> ExitCode {
        guard let first = words.first, first != "help", first != "--help", first != "-h" else {
            Terminal.print(Help.overview)
            return words.isEmpty ? .usage : .ok
        }
        if first == "--version" || first == "version" {
            Terminal.print("quittance \(Help.version)")
            return .ok
        }
        let command = try Catalogue.command(for: &words)
        if words.contains("--help") || words.contains("-h") {
            Terminal.print(command.help)
            return .ok
        }
        return try await command.run(try Arguments(words, of: command))
    }
}

/// A command, what it takes, and what it does.
struct CommandDescription: Sendable {
    /// The words that name it: `order show`.
    let words: [String]
    /// One line for the overview.
    let summary: String
    /// The words after the name, as shown in the help.
    let synopsis: String
    /// The options it takes beside those of its group.
    let options: [Option]
    /// Paragraphs for its own help page.
    var discussion = ""
    /// How many operands it takes.
    var operands: ClosedRange<Int> = 0...0
    let run: @Sendable (Arguments) async throws -> ExitCode

    var name: String { words.joined(separator: " ") }
}

/// An option of a command.
struct Option: Sendable {
    let name: String
    /// The name of its value in the help; `nil` for a flag.
    var value: String?
    let summary: String
    /// Whether it may be given more than once.
    var isRepeatable = false
}

/// How a run ended; the numbers are those of the house (`diff` and `sysexits` have the same idea).
enum ExitCode: Int32, Sendable {
    case ok = 0
    case failed = 1
    case usage = 2
    case notFound = 3
    /// It ran, and discrepancies, refusals or conflicts were found.
    case discrepancies = 4
    case unavailable = 69
    case tryAgain = 75
    case notPermitted = 77
}
