import Settlement
import Testing

@Suite("Claims and words")
struct ClaimTests {
    private func questions(_ change: (inout History) -> Void) -> [Question.Subject] {
        var history = History()
        change(&history)
        return Shell(history).claims["C1"]?.questions.map(\.subject) ?? []
    }

    @Test("a claim asks by transaction, then e-mail order id, then number, then account")
    func order() {
        let asked = questions {
            $0.claim(
                "C1", at: 1, account: "anna", order: "A1", transaction: "1001", apple: "MM1",
                product: "gems.60", claimedAt: 0)
        }
        #expect(
            asked == [
                .transaction("1001"), .appleOrder("MM1"), .order("A1"),
                .account(
                    "anna",
                    PurchaseDescription(productId: "gems.60", claimedAt: History.instant(0))),
                .account("anna", nil),
            ])
    }

    @Test("who names nothing cannot be asked about")
    func nothing() {
        #expect(questions { $0.claim("C1", at: 1) } == [])
        #expect(questions { $0.claim("C1", at: 1, order: "(null)") } == [])
    }

    @Test("a claim finds and never proves: it links nothing and makes nobody known")
    func provesNothing() {
        var history = History()
        history.notified(Signed("1001"), at: 1)
        history.claim("C1", at: 2, account: "bob", order: "B1", transaction: "1001")
        let shell = Shell(history)
        #expect(shell.order("B1", at: 100).code == .unknown)
        #expect(shell.account("bob", at: 100).code == .unknown)
        #expect(shell.transaction("1001", at: 100).charges.first?.owner == nil)
    }

    @Test("a claim by account, product and time finds the one charge it describes")
    func described() {
        var history = History()
        for (index, at) in [0, 5000, 10_000].enumerated() {
            history.bought(
                "A\(index)", Signed("\(1000 + index)").with { $0.purchased = at }, at: at + 1)
        }
        history.claim("C1", at: 11_000, account: "anna", product: "gems.60", claimedAt: 5600)
        let answer = Shell(history).claim("C1", at: 11_000)
        #expect(answer?.code == .paidNotDelivered)
        #expect(answer?.charges.map(\.transactionId) == ["1001"])
    }

    @Test("a description that fits nothing falls back to the account alone")
    func describedInVain() {
        var history = History()
        history.bought("A1", Signed("1001"), at: 1)
        history.claim("C1", at: 9000, account: "anna", product: "gems.600", claimedAt: 8000)
        let answer = Shell(history).claim("C1", at: 9000)
        #expect(answer?.question.subject == .account("anna", nil))
        #expect(answer?.charges.map(\.transactionId) == ["1001"])
    }

    @Test(
        "instants are written in UTC",
        arguments: [
            (0, "1970-01-01 00:00 UTC"), (-1, "1969-12-31 23:59 UTC"),
            (951_782_400_000, "2000-02-29 00:00 UTC"), (1_709_251_199_999, "2024-02-29 23:59 UTC"),
            (-62_135_596_800_000, "0001-01-01 00:00 UTC"),
            (4_107_542_399_000, "2100-02-28 23:59 UTC"),
            (4_107_542_400_000, "2100-03-01 00:00 UTC"),
        ])
    func utc(row: (Int64, String)) {
        #expect(UTC.text(row.0) == row.1)
    }

    @Test(
        "money is written in units",
        arguments: [
            (0, "0"), (10_990, "10.99"), (4_999_000_000, "4999000"), (500, "0.50"), (1, "0.001"),
            (-1_050, "-1.05"), (Int64.min, "-9223372036854775.808"),
        ])
    func money(row: (Int64, String)) {
        #expect(Money.text(row.0) == row.1)
    }
}
