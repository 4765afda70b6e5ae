import Testing

@testable import Settlement

@Suite("The verdict tables")
struct VerdictTableTests {
    /// Every combination of the conditions of a charge.
    static var chargeConditions: [ChargeConditions] {
        (0..<64).map { bits in
            func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
            return ChargeConditions(
                belongsToAnother: bit(0), isRefunded: bit(1), standsWithAnother: bit(2),
                isOver: bit(3), isCovered: bit(4), isAwaited: bit(5))
        }
    }

    /// Every combination of the conditions of a name without a charge.
    static var noChargeConditions: [NoChargeConditions] {
        (0..<1024).map { bits in
            func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
            var conditions = NoChargeConditions()
            conditions.hasLikelyCandidate = bit(0)
            conditions.isElsewhere = bit(1)
            conditions.isShared = bit(2)
            conditions.isDelivered = bit(3)
            conditions.offersAnothersProof = bit(4)
            conditions.offersForgeries = bit(5)
            conditions.isDenied = bit(6)
            conditions.isDeferred = bit(7)
            conditions.isCovered = bit(8)
            conditions.isKnown = bit(9)
            return conditions
        }
    }

    @Test("the enumerations name every condition")
    func enumerationsAreComplete() {
        #expect(Mirror(reflecting: ChargeConditions()).children.count == 6)
        #expect(Mirror(reflecting: NoChargeConditions()).children.count == 10)
        #expect(Set(Self.chargeConditions.map { "\($0)" }).count == 64)
        #expect(Set(Self.noChargeConditions.map { "\($0)" }).count == 1024)
    }

    @Test("for a charge some row holds for every combination, and every row is reached")
    func chargeTableIsTotal() {
        var reached: Set<VerdictCode> = []
        for conditions in Self.chargeConditions {
            guard let row = ChargeTable.rows.first(where: { $0.holds(conditions) }) else {
                Issue.record("a hole at \(conditions)")
                continue
            }
            #expect(Rules.domain.verdict(conditions) == row.verdict)
            reached.insert(row.verdict)
        }
        #expect(reached == Set(ChargeTable.rows.map(\.verdict)))
        #expect(ChargeTable.rows.count == 7)
    }

    @Test("without a charge some row holds for every combination, and every row is reached")
    func noChargeTableIsTotal() {
        var reached: Set<VerdictCode> = []
        for conditions in Self.noChargeConditions {
            guard let row = NoChargeTable.rows.first(where: { $0.holds(conditions) }) else {
                Issue.record("a hole at \(conditions)")
                continue
            }
            #expect(Rules.domain.verdict(conditions) == row.verdict)
            reached.insert(row.verdict)
        }
        #expect(reached == Set(NoChargeTable.rows.map(\.verdict)))
        #expect(NoChargeTable.rows.count == 11)
    }

    @Test("the roll-up places every verdict that a charge can have, once")
    func rollUpIsTotal() {
        #expect(Set(ChargeTable.rollUp) == Set(ChargeTable.rows.map(\.verdict)))
        #expect(ChargeTable.rollUp.count == ChargeTable.rows.count)
        #expect(
            ChargeTable.rollUp.map(\.rawValue) == [
                "paid-not-delivered", "delivered-to-other", "pending", "not-claimants", "lapsed",
                "delivered", "refunded",
            ])
    }

    @Test("every verdict stands in a table, but for charged-twice, which the roll-up makes")
    func everyVerdictStandsInATable() {
        let listed = ChargeTable.rows.map(\.verdict) + NoChargeTable.rows.map(\.verdict)
        #expect(Set(VerdictCode.allCases).subtracting(listed) == [.chargedTwice])
    }

    @Test("codes are kebab-case")
    func codesAreKebabCase() {
        let codes =
            VerdictCode.allCases.map(\.rawValue) + RemarkCode.allCases.map(\.rawValue)
            + ActionCode.allCases.map(\.rawValue)
        for code in codes {
            #expect(code.utf8.allSatisfy { $0 == 45 || (97...122).contains($0) }, "\(code)")
        }
    }
}
