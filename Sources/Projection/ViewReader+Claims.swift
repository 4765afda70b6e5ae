internal import EventLog
internal import PostgreSQL
package import Settlement

/// A claim, what it was found to be about, and the verdict.
package struct ClaimReport: Sendable {
    /// What the customer could name.
    package let claim: Claim
    /// Where it was opened.
    package let position: Int64
    /// The answer to the first of its questions that finds something, else to the first; `nil`
    /// where the customer could name nothing.
    package let answer: Answer?
    /// The verdict of that answer.
    package let verdict: OrderReport.ProvenVerdict?
}

extension ViewReader {
    /// Most claims of one page.
    package static let claimsMax = 500

    /// The claims opened after a position, in the order in which they were opened.
    /// - Parameter limit: 1 to `claimsMax`.
    package func claims(after position: Int64, limit: Int) async throws -> [ClaimReport] {
        precondition((1...Self.claimsMax).contains(limit), "limit out of range")
        return try await read { evaluator, connection in
            let rows = try connection.query(
                .viewListClaims,
                [
                    .int64(position), .int64(evaluator.source.position), .int64(Int64(limit)),
                ])
            let positions: [Int64] = try rows.map { try $0.value("opened_position") }
            return try Self.reports(at: positions, evaluator, on: connection)
        }
    }

    /// The claims of that id, one for each bundle that has it.
    package func claims(id: String) async throws -> [ClaimReport] {
        try await read { evaluator, connection in
            let rows = try connection.query(
                .viewFindClaim,
                [.bytea(Array(id.utf8)), .int64(evaluator.source.position), .int64(100)])
            let positions: [Int64] = try rows.map { try $0.value("opened_position") }
            return try Self.reports(at: positions, evaluator, on: connection)
        }
    }

    private static func reports(
        at positions: [Int64], _ evaluator: Evaluator, on connection: isolated Connection
    ) throws -> [ClaimReport] {
        try EventLog.read(positions: positions, on: connection).compactMap { event in
            guard let claim = Claim(try SettlementEvent(event)) else { return nil }
            return try report(claim, at: event.position, evaluator, on: connection)
        }
    }

    private static func report(
        _ claim: Claim, at position: Int64, _ evaluator: Evaluator,
        on connection: isolated Connection
    ) throws -> ClaimReport {
        var answer: Answer?
        for question in claim.questions {
            let next = try evaluator.answer(question, on: connection)
            // Where nothing is found, the most telling question says what to do: an order id of
            // Apple's is looked up.
            if answer == nil || next.foundSomething { answer = next }
            if next.foundSomething { break }
        }
        return ClaimReport(
            claim: claim, position: position, answer: answer,
            verdict: try answer.map { try evaluator.proven($0.verdict, on: connection) })
    }
}
