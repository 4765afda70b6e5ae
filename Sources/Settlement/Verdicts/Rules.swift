/// The tables of the domain's section 6, each tried from its first row. `domain` is what holds;
/// other tables serve tests that ask whether a wrong rule would be noticed.
package struct Rules: Sendable {
    /// A verdict for a charge, and when it holds.
    package struct ChargeRow: Sendable {
        /// What is answered.
        package let verdict: VerdictCode
        let holds: @Sendable (ChargeConditions) -> Bool

        /// The row that holds where this one does not.
        package var negated: ChargeRow { ChargeRow(verdict: verdict) { !holds($0) } }
    }

    /// A verdict for a name without a charge, and when it holds.
    package struct NameRow: Sendable {
        /// What is answered.
        package let verdict: VerdictCode
        let holds: @Sendable (NoChargeConditions) -> Bool

        /// The row that holds where this one does not.
        package var negated: NameRow { NameRow(verdict: verdict) { !holds($0) } }
    }

    /// The rows for one charge.
    package var chargeRows = ChargeTable.rows.map {
        ChargeRow(verdict: $0.verdict, holds: $0.holds)
    }
    /// The rows for a name without a charge.
    package var nameRows = NoChargeTable.rows.map { NameRow(verdict: $0.verdict, holds: $0.holds) }
    /// The verdicts of several charges, in the order in which one stands for all.
    package var rollUp = ChargeTable.rollUp

    /// The domain's own.
    package static let domain = Rules()

    func verdict(_ conditions: ChargeConditions) -> VerdictCode {
        chargeRows.first { $0.holds(conditions) }?.verdict ?? .paidNotDelivered
    }

    func verdict(_ conditions: NoChargeConditions) -> VerdictCode {
        nameRows.first { $0.holds(conditions) }?.verdict ?? .unknown
    }
}
