internal import JSON
internal import Projection

/// `claim list`, `claim show`.
enum ClaimCommand {
    static let all = [list, show]

    private static let list = CommandDescription(
        words: ["claim", "list"], summary: "the claims board: every claim with verdict and action",
        synopsis: "[--as-of INSTANT|POSITION] [--json]",
        options: Database.options + [
            ViewOptions.asOf, Option(name: "json", summary: "one JSON object a line"),
        ]
    ) { arguments in
        let reader = try await ViewOptions.reader(arguments)
        var last: Int64 = 0
        var board = ClaimBoard()
        while true {
            let page = try await reader.claims(after: last, limit: ViewReader.claimsMax)
            guard let end = page.last?.position else { break }
            for report in page {
                if arguments.has("json") {
                    Terminal.print(report.json)
                } else {
                    board.add(report)
                }
            }
            last = end
        }
        if !arguments.has("json") { for line in board.lines { Terminal.print(line) } }
        return .ok
    }

    private static let show = CommandDescription(
        words: ["claim", "show"], summary: "one claim: what was claimed, the verdict and its proof",
        synopsis: "ID [--as-of INSTANT|POSITION] [--json]",
        options: Database.options + [
            ViewOptions.asOf, Option(name: "json", summary: "one JSON object a line"),
        ], operands: 1...1
    ) { arguments in
        let reports = try await ViewOptions.reader(arguments).claims(id: arguments.operands[0])
        for report in reports {
            if arguments.has("json") {
                Terminal.print(report.json)
            } else {
                for line in ClaimText(report).lines { Terminal.print(line) }
            }
        }
        if reports.isEmpty { Terminal.say("no claim of that id") }
        return reports.isEmpty ? .notFound : .ok
    }
}
