internal import AppStoreModel
internal import Projection
internal import Settlement

/// The claims board: a line a claim, in columns.
struct ClaimBoard {
    private var rows: [[String]] = [["CLAIM", "NAMED", "VERDICT", "ACTION", "PROOF"]]

    mutating func add(_ report: ClaimReport) {
        rows.append([
            report.claim.claimId, ClaimText.named(report.claim),
            report.verdict?.verdict.code.rawValue ?? "–",
            report.verdict?.verdict.action.code.rawValue ?? "ask what the customer can name",
            VerdictText.positions(Array((report.verdict?.proof ?? []).prefix(4))),
        ])
    }

    var lines: [String] {
        if rows.count == 1 { return ["no claims"] }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            return cells.joined(separator: "  ").trimmingTrailingBlanks
        }
    }
}

/// `claim show` for people.
struct ClaimText {
    let lines: [String]

    init(_ report: ClaimReport) {
        let claim = report.claim
        var lines = [
            "claim \(claim.claimId) · opened \(RFC3339.text(claim.openedAt)) at position "
                + "\(report.position)",
            "named \(Self.named(claim))", "",
        ]
        if let verdict = report.verdict, let answer = report.answer {
            let orders = answer.orders.map { "order \($0)" }.joined(separator: ", ")
            lines += VerdictText.lines(verdict, heading: orders)
            lines += answer.charges.map { "  " + ChargeText.line($0) }
            lines += answer.candidates.map { "  " + ChargeText.line($0) }
        } else {
            lines.append(
                "The customer could name nothing: ask for an order number, an account, a "
                    + "transaction id or Apple's e-mail.")
        }
        self.lines = lines
    }

    /// What the customer could name: the first of it that is looked up.
    static func named(_ claim: Claim) -> String {
        if let id = claim.transactionId { return "transaction \(id)" }
        if let id = claim.appleOrderId { return "Apple order \(id)" }
        if let name = claim.applicationUsername { return "order \(name)" }
        return claim.account.map { "account \($0)" } ?? "nothing"
    }
}

extension String {
    fileprivate var trimmingTrailingBlanks: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
