import Testing

@testable import Settlement

@Suite("Gathering what an answer needs")
struct DossierTests {
    @Test("an empty dossier asks for the order first, and answers as incomplete")
    func firstRound() {
        let question = Question.order(History.bundle, "A1")
        let wanted = Dossier().wanted(for: question, settings: Settings())
        #expect(wanted.keys == [.order(History.bundle, "A1")])
        #expect(wanted.ranges.isEmpty)
        let answer = Settlement.answer(
            question, Dossier(), settings: Settings(), now: History.instant(0))
        #expect(answer.verdict.remarks.map(\.code) == [.incomplete])
    }

    @Test("what is supplied is not asked for again, and candidates come last")
    func rounds() {
        var history = History()
        history.created("A1")
        history.notified(Signed("1001"), at: 1)
        let shell = Shell(history)
        var dossier = Dossier()
        var asked: [EntityKey] = []
        var rangesAsked = 0
        for _ in 0..<Dossier.roundsMax {
            let wanted = dossier.wanted(
                for: .order(History.bundle, "A1"), settings: shell.settings)
            if wanted.isEmpty { break }
            asked += wanted.keys
            dossier.supply(shell.facts.filter { wanted.keys.contains($0.key) }, for: wanted.keys)
            for range in wanted.ranges {
                rangesAsked += 1
                dossier.supply(range.kind == .charge ? ["1001"] : ["A1"], isWhole: true, for: range)
            }
        }
        #expect(Set(asked).count == asked.count)
        #expect(rangesAsked == 2)
        #expect(asked.first == .order(History.bundle, "A1"))
        #expect(asked.contains(.transaction(History.bundle, "1001")))
    }

    @Test("a range that was cut makes the answer incomplete")
    func cutRange() {
        var history = History()
        history.created("A1")
        for index in 0..<(Dossier.sightingsMax + 1) {
            history.notified(Signed("\(10_000 + index)"), at: 1)
        }
        let answer = Shell(history).order("A1", at: 100)
        #expect(answer.remarks.contains(.incomplete))
        #expect(answer.candidates.count == Dossier.sightingsMax)
    }

    @Test("a chain of contested transactions is followed for a bounded number of rounds")
    func boundedRounds() {
        var history = History()
        for index in 0..<100 {
            history.bought("A\(index)", Signed("\(1000 + index)"), at: 1)
            history.bought("A\(index + 1)", Signed("\(1000 + index)"), at: 2)
        }
        let shell = Shell(history)
        let answer = shell.order("A0", at: 100)
        #expect(answer.code == .paidNotDelivered)
        #expect(answer.remarks.contains(.incomplete))
    }

    @Test("a whole answer is not incomplete")
    func whole() {
        var history = History()
        history.created("A1")
        history.bought("A1", Signed("1001"), at: 1)
        #expect(!Shell(history).order("A1", at: 100).remarks.contains(.incomplete))
    }

    // MARK: What is affected

    /// Follows what some events affect, as a projector does.
    private func affected(by events: [SettlementEvent], in shell: Shell) -> AffectedOrders {
        var contributed: [EntityKey: Facts] = [:]
        for event in events { contributed.merge(contributions(of: event)) { first, _ in first } }
        var affected = AffectedOrders(by: contributed, settings: shell.settings)
        for _ in 0..<AffectedOrders.roundsMax where !affected.follows.isEmpty {
            let keys = affected.follows
            affected.visit(shell.facts.filter { keys.contains($0.key) }, read: keys)
        }
        return affected
    }

    @Test("whatever an event changes, the orders whose verdict changes are among the affected")
    func affectedOrders() {
        for seed in UInt64(0)..<(isFull ? 500 : 60) {
            let random = RandomHistory(seed: seed)
            let events = random.events
            guard let last = events.last else { continue }
            var before = Shell(random.settings + events.dropLast())
            let codes = RandomHistory.orders.map { before.order($0, at: 9000).code }
            before.take([Told(last)])
            let affected = affected(by: [last], in: before)
            for (order, code) in zip(RandomHistory.orders, codes)
            where before.order(order, at: 9000).code != code {
                let isNear = affected.ranges.contains { range in
                    before.sightings.contains {
                        $0.kind == .attempt && $0.id == order && $0.productId == range.productId
                            && (range.from...range.to).contains($0.instant)
                    }
                }
                #expect(
                    affected.orders.contains(.order(History.bundle, order)) || isNear,
                    "history \(seed), order \(order)")
            }
        }
    }

    @Test("a refund affects the orders its transaction was named for")
    func refundAffects() {
        var history = History()
        history.created("A1")
        history.created("A2")
        history.bought("A1", Signed("1001"), at: 1)
        history.notified(Signed("1001").with { $0.revoked = 5 }, at: 6)
        let affected = affected(by: [history.events[3]], in: Shell(history))
        #expect(affected.orders == [.order(History.bundle, "A1")])
        #expect(affected.transactions == [.transaction(History.bundle, "1001")])
    }
}
