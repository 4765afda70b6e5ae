import Testing

@testable import Settlement

@Suite("Refund words")
struct RefundTests {
    @Test(
        "the newest snapshot's revocation gives the word",
        arguments: [
            (
                reason: Int64?.none, type: String?.none, percentage: Int64?.none,
                word: RefundWord.refunded
            ),
            (0, nil, nil, .refunded),
            (1, nil, nil, .refunded),
            (1, "REFUND_FULL", nil, .refunded),
            (1, "REFUND_FULL", 100_000, .refunded),
            (0, "REFUND_PRORATED", 67_932, .refundedInPart),
            (nil, nil, 99_999, .refundedInPart),
            (nil, nil, 0, .refundedInPart),
            (2, nil, nil, .withdrawn),
            (-1, nil, nil, .withdrawn),
            (7, "REFUND_FULL", 50_000, .withdrawn),
            (0, "FAMILY_REVOKE", nil, .familyRevoked),
            (2, "FAMILY_REVOKE", 50_000, .familyRevoked),
            (0, "SOMETHING_NEW", nil, .refunded),
        ])
    func word(_ row: (reason: Int64?, type: String?, percentage: Int64?, word: RefundWord)) {
        var snapshot = TransactionSnapshot()
        snapshot.revocationReason = row.reason
        snapshot.revocationType = row.type
        snapshot.revocationPercentage = row.percentage
        #expect(snapshot.refundWord == .none)
        snapshot.revocationDate = 1
        #expect(snapshot.refundWord == row.word)
        snapshot.isUpgraded = true
        #expect(snapshot.refundWord == .upgraded)
    }

    @Test("an upgraded period is no refund, and another reason is shown with its number")
    func shown() {
        var history = History()
        history.bought(
            "A1",
            Signed("1").with {
                $0.revoked = 5
                $0.revocationReason = 3
            }, at: 6)
        let answer = Shell(history).order("A1", at: 100)
        #expect(answer.code == .paidNotDelivered)
        #expect(
            answer.verdict.remarks.first { $0.code == .withdrawn }?.subjects == ["1", "reason 3"])
    }

    @Test("of two copies signed at one instant the one that revokes speaks, in either order")
    func tie() {
        let bought = Signed("1")
        let revoked = bought.with { $0.revoked = 0 }
        for copies in [[bought, revoked], [revoked, bought]] {
            var history = History()
            for copy in copies { history.bought("A1", copy, at: 1) }
            #expect(Shell(history).order("A1", at: 100).code == .refunded)
        }
    }
}
