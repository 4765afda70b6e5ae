internal import AppStoreModel
internal import Projection
internal import Settlement

/// `order show` for people: the verdict first, then the charges, then the events with their
/// positions. Every instant is UTC.
struct OrderText {
    private(set) var lines: [String] = []

    init(_ report: OrderReport) {
        guard !report.matches.isEmpty else {
            lines = ["Nothing is known under this name (log position \(report.logPosition))."]
            return
        }
        for order in report.orders { add(order) }
        for orphan in report.orphans { add(orphan) }
        if report.orders.isEmpty, report.orphans.isEmpty {
            for match in report.matches {
                add(match.verdict, heading: "\(match.kind) \(match.value)")
            }
        }
        add(footer: report)
    }

    private mutating func add(_ order: OrderReport.Order) {
        add(
            order.verdict,
            heading: "order \(order.number) · \(order.answer.status.headline.rawValue)")
        for charge in order.answer.charges { lines.append("  " + ChargeText.line(charge)) }
        for candidate in order.answer.candidates {
            lines.append("  " + ChargeText.line(candidate))
        }
        add(order.timeline, hasMore: order.hasMoreEvents)
    }

    private mutating func add(_ orphan: OrderReport.Orphan) {
        add(orphan.verdict, heading: "transaction \(orphan.charge.transactionId) · no order")
        lines.append("  " + ChargeText.line(orphan.charge))
        for candidate in orphan.answer.candidates {
            lines.append("  " + ChargeText.line(candidate))
        }
        add(orphan.timeline, hasMore: false)
    }

    private mutating func add(_ proven: OrderReport.ProvenVerdict, heading: String) {
        if !lines.isEmpty { lines.append("") }
        lines += VerdictText.lines(proven, heading: heading)
    }

    private mutating func add(_ timeline: [OrderReport.TimelineEntry], hasMore: Bool) {
        lines.append("  timeline (position, received in UTC, event)")
        for entry in timeline {
            let transaction = entry.transactionId.map { "  \($0)" } ?? ""
            lines.append(
                "    #\(entry.position)  \(RFC3339.text(entry.receivedAt))  \(entry.type)"
                    + transaction)
        }
        if hasMore { lines.append("    … and more") }
    }

    private mutating func add(footer report: OrderReport) {
        let matched = report.matches.map(\.kind).joined(separator: ", ")
        lines += ["", "matched as \(matched) · as of log position \(report.logPosition)"]
        if report.isCut { lines.append("there is more under this name than is shown") }
        if report.acceptsEveryBundle {
            lines.append("no bundle is configured: every bundle is accepted")
        }
    }
}

/// A verdict in lines.
enum VerdictText {
    static func lines(_ proven: OrderReport.ProvenVerdict, heading: String) -> [String] {
        let verdict = proven.verdict
        var lines = ["\(verdict.code.rawValue)  \(heading)", "  action: \(verdict.action.text)"]
        if verdict.action.needsSecondAgent { lines.append("          a second agent must agree") }
        if let until = verdict.action.waitUntil {
            lines.append("          wait until \(RFC3339.text(until))")
        }
        lines.append("  tell:   \(verdict.sentence)")
        lines.append("  proof:  \(positions(proven.proof))")
        for code in verdict.alsoTrue { lines.append("  also:   \(code.rawValue)") }
        for remark in verdict.remarks {
            let weak = remark.isWeak ? " (weak)" : ""
            let subjects = remark.subjects.prefix(4).joined(separator: ", ")
            let about = subjects.isEmpty ? "" : " [\(subjects)]"
            lines.append("  remark: \(remark.code.rawValue)\(weak): \(remark.code.text)\(about)")
        }
        return lines
    }

    /// Positions as people write them, at most twelve.
    static func positions(_ positions: [Int64]) -> String {
        if positions.isEmpty { return "–" }
        let shown = positions.prefix(12).map { "#\($0)" }.joined(separator: " ")
        return positions.count > 12 ? shown + " … (\(positions.count))" : shown
    }
}

/// A charge in one line.
enum ChargeText {
    static func line(_ charge: ChargeAnswer) -> String {
        var parts = ["charge \(charge.transactionId)", charge.productId ?? "unknown product"]
        if charge.quantity != 1 { parts.append("×\(charge.quantity)") }
        parts.append(money(charge.price, charge.currency))
        if let environment = charge.environment { parts.append(environment) }
        if let date = charge.purchaseDate { parts.append(RFC3339.text(date)) }
        if let link = charge.link {
            let contested = link.isContested ? ", contested" : ""
            parts.append("order \(link.orderNumber) (\(link.strength.rawValue)\(contested))")
        }
        if let owner = charge.owner { parts.append("owner \(owner.account)") }
        if charge.missing > 0 { parts.append("missing \(charge.missing)") }
        parts.append(charge.verdict.rawValue)
        return parts.joined(separator: " · ")
    }

    static func line(_ candidate: Candidate) -> String {
        var parts = ["candidate \(candidate.transactionId)"]
        if let order = candidate.orderNumber { parts.append("order \(order)") }
        parts.append(money(candidate.price, candidate.currency))
        parts.append("score \(candidate.score)\(candidate.isLikely ? ", likely" : "")")
        parts.append(candidate.reasons.map(\.rawValue).joined(separator: "+"))
        if !candidate.doubts.isEmpty {
            parts.append("but " + candidate.doubts.map(\.rawValue).joined(separator: ", "))
        }
        if !candidate.rivals.isEmpty { parts.append("also fits \(candidate.rivals.count) more") }
        return parts.joined(separator: " · ")
    }

    /// Milliunits as a decimal number with its currency; three decimals only where they count.
    static func money(_ milliunits: Int64?, _ currency: String?) -> String {
        guard let milliunits else { return "price unknown" }
        let magnitude = milliunits.magnitude
        let (units, rest) = (magnitude / 1000, magnitude % 1000)
        let decimals =
            rest % 10 == 0
            ? String(rest / 10 + 100).dropFirst() : String(rest + 1000).dropFirst()
        return (milliunits < 0 ? "-" : "") + "\(units).\(decimals) \(currency ?? "")"
    }
}
