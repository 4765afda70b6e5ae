internal import AppStoreModel
internal import JSON

/// `expected.ndjson`: what is right, given what reached the service.
///
/// The first line says of which world and instant: `kind` `expected`, `seed`, `orders`, `asOf`.
/// Then come the lines of each circle, by number; instants are RFC 3339 in UTC. `kind` says what a
/// line is about:
///
/// - `order`, `claim`: `circle`, `bundleId`, `orderNumber` or `claimId`, `account`, `verdict`,
///   `status`, `remarks` (those that must stand beside the verdict), `changes`? (`from`, `verdict`,
///   `status`: as time alone changes them after `asOf`, so that the service may be asked later).
/// - `untold`: `circle`, `bundleId`, `transactionId`, `facts` (`refund`, `delivery`, `taken-back`,
///   `owner`): what happened and never reached the service.
public struct ExpectedWriter: Sendable {
    private let oracle: Oracle

    /// A writer of what an oracle says.
    public init(_ oracle: Oracle) {
        self.oracle = oracle
    }

    /// The first line, without its end.
    public func header() -> [UInt8] {
        line("expected") { json in
            json.member("seed", oracle.world.configuration.seed)
            json.member("orders", oracle.world.configuration.orders)
            json.member("asOf", RFC3339.text(oracle.asOf))
        }
    }

    /// The lines of a life, without their ends.
    public func lines(of life: World.Life) -> [[UInt8]] {
        let expectations = oracle.expectations(of: life)
        return expectations.subjects.map { line($0, expectations) }
            + expectations.untold.map { line($0, expectations) }
    }

    /// Writes `expected.ndjson` below a folder, in bounded memory.
    public func write(to folder: String) throws {
        let file = try OutputFile("expected.ndjson", in: folder)
        try file.write(line: header())
        let count = oracle.world.circleCount
        let stretch = 500
        for start in stride(from: 0, to: count, by: stretch) {
            let told = concurrentMap(count: min(stretch, count - start)) {
                lines(of: oracle.world.life(of: start + $0))
            }
            for lines in told { for line in lines { try file.write(line: line) } }
        }
        try file.flush()
    }

    // MARK: Lines

    private func line(_ expectation: Expectation, _ all: LifeExpectations) -> [UInt8] {
        let (kind, member, name) =
            switch expectation.subject {
            case .order(let number): ("order", "orderNumber", number)
            case .claim(let id): ("claim", "claimId", id)
            }
        return line(kind) { json in
            json.member("circle", all.circle)
            json.member("bundleId", all.bundle)
            json.member(member, name)
            json.member("account", expectation.account)
            write(expectation.course, &json)
            json.name("remarks")
            json.array(expectation.remarks) { $0.string($1) }
        }
    }

    private func write(_ course: [Expectation.Step], _ json: inout JSONWriter) {
        if let first = course.first {
            json.member("verdict", first.verdict.rawValue)
            json.member("status", first.status.rawValue)
        }
        guard course.count > 1 else { return }
        json.name("changes")
        json.array(course.dropFirst()) { json, step in
            json.object {
                $0.member("from", RFC3339.text(step.from))
                $0.member("verdict", step.verdict.rawValue)
                $0.member("status", step.status.rawValue)
            }
        }
    }

    private func line(_ untold: Untold, _ all: LifeExpectations) -> [UInt8] {
        line("untold") { json in
            json.member("circle", all.circle)
            json.member("bundleId", all.bundle)
            json.member("transactionId", untold.transactionId)
            json.name("facts")
            json.array(untold.facts) { $0.string($1.rawValue) }
        }
    }

    private func line(_ kind: String, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { json in
            json.member("kind", kind)
            body(&json)
        }
        return writer.bytes
    }
}
