extension GivenAnswer {
    /// The answer in lines that people read, then its history.
    var lines: [String] {
        let owed = charges.map { charge in
            "  charge \(charge.transactionId): \(charge.verdict), owner \(charge.owner ?? "unknown"),"
                + " missing \(charge.missing)"
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
