internal import JSON
package import Settlement

/// What a customer may use under a name, and both sides of the disputes about it.
package struct ReportedHoldings: Sendable {
    package let entitlements: [Entitlement]
    package let disputes: [Dispute]
    /// The claims that name the order or one of its charges.
    package let claims: [ClaimSide]

    init(_ holdings: Holdings, claims: [ClaimSide]) {
        entitlements = holdings.entitlements
        disputes = holdings.disputes
        self.claims = claims
    }

    /// The members `entitlements` and `disputes` of the object that `writer` is in.
    func write(to writer: inout JSONWriter) {
        writer.name("entitlements")
        writer.array(entitlements) { $1.write(to: &$0) }
        writer.name("disputes")
        writer.array(disputes) { $1.write(to: &$0, claims: claims) }
        writer.name("claims")
        writer.array(claims) { $1.write(to: &$0) }
    }
}

extension Entitlement {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("entitlementId", id)
            writer.member("transactionId", transactionId)
            writer.member("productId", productId)
            writer.member("kind", kind.rawValue)
            writer.member("basis", basis.rawValue)
            writer.member("state", state.rawValue)
            writer.member("grantsAccess", state.grantsAccess)
            writer.member("quantity", quantity)
            writer.member("since", since)
            writer.member("until", until)
            writer.member("willRenew", willRenew)
            writer.member("nextProductId", nextProductId)
            writer.member("debt", debt)
            writer.member("account", account)
        }
    }
}

extension Dispute {
    /// Apple's side with the customer's.
    fileprivate func write(to writer: inout JSONWriter, claims: [ClaimSide]) {
        writer.object { writer in
            writer.member("transactionId", transactionId)
            writer.member("state", state.rawValue)
            writer.member("reason", reason)
            writer.member("requestedAt", requestedAt)
            writer.member("dueAt", dueAt)
            writer.member("isOverdue", isOverdue)
            writer.member("hasConsent", hasConsent)
            writer.member("answeredAt", answeredAt)
            writer.member("grantedAt", grantedAt)
            writer.member("declinedAt", declinedAt)
            writer.member("reversedAt", reversedAt)
            writer.name("claims")
            writer.array(claims) { $0.string($1.claimId) }
        }
    }
}

extension ClaimSide {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("claimId", claimId)
            writer.member("state", state.rawValue)
            writer.member("outcome", outcome)
            writer.member("openedAt", openedAt)
        }
    }
}
