internal import AppStoreModel
internal import JSON

/// Reads what `ExpectedWriter` and `TruthWriter` wrote, line by line.
public struct ExpectedReader: Sendable {
    /// An expectation and the app it is of.
    public struct Entry: Sendable, Equatable {
        /// The app.
        public let bundle: String
        /// What is right.
        public let expectation: Expectation
    }

    /// The expectations, in the order of the file.
    public private(set) var entries: [Entry] = []
    /// The truths.
    public private(set) var truths = WorldTruths()

    /// Nothing was read yet.
    public init() {}

    /// Takes a line of `world.ndjson`.
    /// - Throws: `JSONError` for what is not JSON.
    public mutating func take(worldLine line: [UInt8]) throws {
        truths.take(world: try JSONValue(parsing: line))
    }

    /// Takes a line of `expected.ndjson`.
    /// - Throws: `JSONError` for what is not JSON.
    public mutating func take(expectedLine line: [UInt8]) throws {
        let value = try JSONValue(parsing: line)
        truths.take(expected: value)
        guard let bundle = value["bundleId"]?.string, let subject = Self.subject(value) else {
            return
        }
        let expectation = Expectation(
            subject: subject, account: value["account"]?.string ?? "",
            course: Self.course(value),
            remarks: (value["remarks"]?.array ?? []).compactMap(\.string))
        entries.append(Entry(bundle: bundle, expectation: expectation))
    }

    private static func subject(_ line: JSONValue) -> Expectation.Subject? {
        switch line["kind"]?.string {
        case "order": line["orderNumber"]?.string.map { .order($0) }
        case "claim": line["claimId"]?.string.map { .claim($0) }
        default: nil
        }
    }

    private static func course(_ line: JSONValue) -> [Expectation.Step] {
        ([line] + (line["changes"]?.array ?? [])).compactMap { step in
            guard let verdict = step["verdict"]?.string.flatMap(ExpectedVerdict.init),
                let status = step["status"]?.string.flatMap(ExpectedHeadline.init)
            else { return nil }
            let from = step["from"]?.string.flatMap(RFC3339.milliseconds) ?? .min
            return Expectation.Step(from: from, verdict: verdict, status: status)
        }
    }
}
