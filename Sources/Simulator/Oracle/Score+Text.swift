extension GivenAnswer {
    /// The answer in lines that people read, then its history.
    var lines: [String] {
        let owed = charges.map { charge in
            "  charge \(charge.transactionId): \(charge.verdict),"
                + " owner \(charge.owner ?? "unknown"), missing \(charge.missing)"
        }
        return ["  given \(verdict), \(status) \(remarks)"] + owed + timeline.map { "  | \($0)" }
    }
}

extension Expectation.Subject {
    /// As people name it.
    var text: String {
        switch self {
        case .order(let number): "order \(number)"
        case .claim(let id): "claim \(id)"
        }
    }
}

extension Score.Miss {
    /// The miss with its history, in lines that people read.
    public var text: String {
        (["MISS \(bundle) \(subject.text): right is \(expected)"]
            + (answer?.lines ?? ["  no answer"])).joined(separator: "\n")
    }
}

extension Score.Lie {
    /// The false thing with its history, in lines that people read.
    public var text: String {
        ([
            "FALSE \(answer.bundle) \(answer.subject.text): \(falseThing.kind.rawValue)"
                + " \(falseThing.about)"
        ] + answer.lines).joined(separator: "\n")
    }
}

extension Score {
    /// The confusion matrix, in lines that people read: a row for what is right, a column for what
    /// was given; `.` is none.
    public var matrixLines: [String] {
        let all = ExpectedVerdict.allCases.map(\.rawValue) + ["none"]
        let used = all.filter { verdict in
            matrix.keys.contains { $0.expected == verdict || $0.given == verdict }
        }
        let width = (used.map(\.utf8.count).max() ?? 0) + 4
        func cell(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.utf8.count)) + text
        }
        let head = used.indices.map { cell("\($0 + 1)", 7) }.joined()
        let title = "right \\ given"
        var lines = [title + cell("", width + 1 - title.utf8.count) + head]
        for (place, expected) in used.enumerated() {
            let name = "\(place + 1) \(expected)"
            let counts = used.map { given in
                cell(matrix[Cell(expected: expected, given: given)].map(String.init) ?? ".", 7)
            }
            lines.append(name + cell("", width + 1 - name.utf8.count) + counts.joined())
        }
        return lines
    }

    /// The counts in one line.
    public var summary: String {
        "\(right) right, \(missCount) misses, \(lieCount) false things"
    }
}
