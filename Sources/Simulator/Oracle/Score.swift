/// How the service's answers compare with what is right.
public struct Score: Sendable {
    /// An answer that is not the right one.
    public struct Miss: Sendable, Equatable {
        /// What was asked about.
        public let subject: Expectation.Subject
        /// The app.
        public let bundle: String
        /// What is right: verdict, status and the remarks that are missing.
        public let expected: String
        /// What was answered; `nil` if nothing was.
        public let answer: GivenAnswer?
    }

    /// An answer that says something false.
    public struct Lie: Sendable, Equatable {
        /// What is false.
        public let falseThing: FalseThing
        /// What was answered.
        public let answer: GivenAnswer
    }

    /// A pair of verdicts.
    public struct Cell: Sendable, Hashable {
        /// The right verdict.
        public let expected: String
        /// The given one; `none` where nothing was answered.
        public let given: String
    }

    /// Most misses, and most lies, that are kept with their histories; all are counted.
    public static let keptMax = 1_000

    /// How often each pair of verdicts occurred.
    public private(set) var matrix: [Cell: Int] = [:]
    /// How many answers were right in everything that was compared.
    public private(set) var right = 0
    /// How many were not.
    public private(set) var missCount = 0
    /// How many false things were said.
    public private(set) var lieCount = 0
    /// The first misses.
    public private(set) var misses: [Miss] = []
    /// The first false things.
    public private(set) var lies: [Lie] = []

    private let truths: WorldTruths

    /// A score of nothing yet, against the truth of a world.
    public init(_ truths: WorldTruths) {
        self.truths = truths
    }

    /// Compares an answer with the expectation of the same subject.
    /// - Parameter answer: `nil` where the service had none.
    public mutating func compare(
        _ expectation: Expectation, in bundle: String, with answer: GivenAnswer?
    ) {
        let instant = answer?.askedAt ?? expectation.course.first?.from ?? 0
        let step = expectation.course.at(instant)
        let expected = step?.verdict.rawValue ?? "none"
        matrix[Cell(expected: expected, given: answer?.verdict ?? "none"), default: 0] += 1
        let difference = difference(expectation, step, answer)
        if difference == nil {
            right += 1
        } else {
            missCount += 1
            if misses.count < Self.keptMax {
                misses.append(
                    Miss(
                        subject: expectation.subject, bundle: bundle,
                        expected: difference ?? expected, answer: answer))
            }
        }
        if let answer { check(answer) }
    }

    /// What is right and was not answered; `nil` if all is.
    private func difference(
        _ expectation: Expectation, _ step: Expectation.Step?, _ answer: GivenAnswer?
    ) -> String? {
        guard let step else { return nil }
        guard let answer else {
            // Of a name that nothing stands under the service has nothing to say.
            return step.verdict == .unknown ? nil : step.verdict.rawValue
        }
        let missing = expectation.remarks.filter { !answer.remarks.contains($0) }
        guard step.verdict.rawValue == answer.verdict, step.status.rawValue == answer.status,
            missing.isEmpty
        else {
            return (["\(step.verdict.rawValue), \(step.status.rawValue)"] + missing)
                .joined(separator: " + ")
        }
        return nil
    }

    /// Looks for false things in an answer.
    public mutating func check(_ answer: GivenAnswer) {
        for falseThing in truths.falseThings(in: answer) {
            lieCount += 1
            guard lies.count < Self.keptMax else { continue }
            lies.append(Lie(falseThing: falseThing, answer: answer))
        }
    }
}
