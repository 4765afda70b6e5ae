internal import Simulator

/// `score`: asks the service about every order and claim of a world that it was told of, and
/// compares the answers with what is right and with what is true.
struct ScoreCommand {
    /// Most misses, and most false things, that are printed with their histories.
    private static let printedMax = 100

    private let folder: String
    private let service: ScoredService

    init(_ arguments: [String]) throws {
        let options = try Options(
            arguments, names: ["--dir", "--database", "--quittance"])
        guard let folder = options["--dir"] else {
            throw UsageError(description: "score needs --dir FOLDER")
        }
        self.folder = folder
        service = ScoredService(
            program: options["--quittance"] ?? "quittance", database: options["--database"])
    }

    /// Prints the score.
    /// - Returns: the exit status: 4 if anything false was said or an answer is not the right one.
    func run() throws -> Int32 {
        var reader = ExpectedReader()
        try LineReader(path: "\(folder)/world.ndjson").forEach { try reader.take(worldLine: $0) }
        try LineReader(path: "\(folder)/expected.ndjson").forEach {
            try reader.take(expectedLine: $0)
        }
        var score = Score(reader.truths)
        let claims = try service.claims()
        let orders = reader.entries.filter { $0.orderNumber != nil }
        try service.orders(orders) { entry, answer in
            score.compare(entry.expectation, in: entry.bundle, with: answer)
        }
        for entry in reader.entries where entry.orderNumber == nil {
            let key = ScoredService.Claim(bundle: entry.bundle, subject: entry.expectation.subject)
            score.compare(entry.expectation, in: entry.bundle, with: claims[key])
        }
        try report(score)
        return score.missCount + score.lieCount > 0 ? 4 : 0
    }

    private func report(_ score: Score) throws {
        for line in score.matrixLines { print(line) }
        print("")
        for miss in score.misses.prefix(Self.printedMax) {
            print(miss.text)
            if let answer = miss.answer { try printHistory(answer) }
        }
        for lie in score.lies.prefix(Self.printedMax) {
            print(lie.text)
            try printHistory(lie.answer)
        }
        print(score.summary)
    }

    /// A claim's answer has no timeline: those of its orders and charges are read.
    private func printHistory(_ answer: GivenAnswer) throws {
        guard answer.timeline.isEmpty else { return }
        for line in try service.history(of: answer) { print("  | \(line)") }
    }
}

extension ExpectedReader.Entry {
    /// The order's number; `nil` of a claim.
    var orderNumber: String? {
        switch expectation.subject {
        case .order(let number): number
        case .claim: nil
        }
    }
}
