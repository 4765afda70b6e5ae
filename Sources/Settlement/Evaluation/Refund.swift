extension TransactionSnapshot {
    /// What became of the charge (domain: refund words). A revocation percentage is in milliunits:
    /// 100 % is 100,000.
    var refundWord: RefundWord {
        guard revocationDate != nil else { return .none }
        if isUpgraded == true { return .upgraded }
        if revocationType == "FAMILY_REVOKE" { return .familyRevoked }
        switch revocationReason {
        case nil, 0, 1: break
        default: return .withdrawn
        }
        if let percentage = revocationPercentage, percentage < 100_000 { return .refundedInPart }
        return .refunded
    }
}
