internal import Intake
internal import Projection

/// `order show`: what is known under a name.
enum OrderCommand {
    static let description = CommandDescription(
        words: ["order", "show"], summary: "tell what is known under a name, with proof",
        synopsis: "NAME | --from FILE --jsonl",
        options: Database.options + [
            ViewOptions.asOf,
            Option(name: "json", summary: "one JSON object"),
            Option(name: "from", value: "FILE", summary: "names, one a line; - is standard input"),
            Option(name: "jsonl", summary: "one JSON object a name, with --from"),
        ],
        discussion: """
            NAME is an applicationUsername; also an account, a transactionId, an
            originalTransactionId, an appAccountToken or the order id of Apple's e-mail. Exit 3 if
            nothing is found under it.
            """,
        operands: 0...1, run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let file = try arguments.value("from")
        guard (file == nil) != arguments.operands.isEmpty, (file != nil) == arguments.has("jsonl")
        else { throw UsageError("order show needs NAME, or --from FILE with --jsonl") }
        let reader = try await ViewOptions.reader(arguments)
        guard let file else { return try await show(arguments, reader) }
        return try await showAll(of: file, reader)
    }

    private static func show(_ arguments: Arguments, _ reader: ViewReader) async throws -> ExitCode
    {
        let report = try await reader.report(on: arguments.operands[0])
        if arguments.has("json") {
            Terminal.print(report.json)
        } else {
            for line in OrderText(report).lines { Terminal.print(line) }
        }
        return report.matches.isEmpty ? .notFound : .ok
    }

    private static func showAll(of file: String, _ reader: ViewReader) async throws -> ExitCode {
        var input = try InputReader(path: file, byLines: true)
        var foundAll = true
        while let item = try input.next() {
            guard !item.isTooLarge, let name = String(validating: item.bytes, as: UTF8.self) else {
                throw CommandFailure(message: "\(file):\(item.line): not a name")
            }
            let report = try await reader.report(on: name)
            foundAll = foundAll && !report.matches.isEmpty
            Terminal.print(report.json)
        }
        return foundAll ? .ok : .notFound
    }
}
