internal import AppStoreModel
internal import Projection
internal import Settlement

/// Entitlements, disputes and claims, a line each.
enum HoldingsText {
    static func lines(_ holdings: ReportedHoldings) -> [String] {
        (holdings.entitlements.map(line) + holdings.disputes.map(line) + holdings.claims.map(line))
            .map { "  " + $0 }
    }

    private static func line(_ entitlement: Entitlement) -> String {
        var parts = ["entitlement \(entitlement.id)", entitlement.productId ?? "unknown product"]
        parts.append(entitlement.kind.rawValue)
        if entitlement.quantity != 1 { parts.append("×\(entitlement.quantity)") }
        if entitlement.basis == .shared { parts.append("shared in a family") }
        parts.append(entitlement.state.rawValue)
        if let since = entitlement.since { parts.append("since \(RFC3339.text(since))") }
        if let until = entitlement.until { parts.append("until \(RFC3339.text(until))") }
        if let next = entitlement.nextProductId { parts.append("then \(next)") }
        if entitlement.willRenew == false { parts.append("will not renew") }
        if entitlement.debt > 0 { parts.append("\(entitlement.debt) delivered and not paid") }
        return parts.joined(separator: " · ")
    }

    private static func line(_ dispute: Dispute) -> String {
        var parts = ["dispute of \(dispute.transactionId)", dispute.state.rawValue]
        if let reason = dispute.reason { parts.append(reason) }
        let instants = [
            ("asked", dispute.requestedAt), ("answered", dispute.answeredAt),
            ("granted", dispute.grantedAt), ("declined", dispute.declinedAt),
            ("reversed", dispute.reversedAt),
        ]
        for case (let name, let instant?) in instants {
            parts.append("\(name) \(RFC3339.text(instant))")
        }
        if let due = dispute.dueAt {
            parts.append("answer \(dispute.isOverdue ? "was " : "")due \(RFC3339.text(due))")
            if dispute.hasConsent != true {
                parts.append("no consent of the customer's: no answer")
            }
        }
        return parts.joined(separator: " · ")
    }

    private static func line(_ claim: ClaimSide) -> String {
        var parts = ["claim \(claim.claimId)", claim.state.rawValue]
        if let outcome = claim.outcome { parts.append(outcome) }
        if let opened = claim.openedAt { parts.append("opened \(RFC3339.text(opened))") }
        return parts.joined(separator: " · ")
    }
}
