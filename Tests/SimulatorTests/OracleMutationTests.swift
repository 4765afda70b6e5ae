import Settlement
import Simulator
import Testing

/// The domain's tables with one thing wrong.
struct Mutant {
    let name: String
    let rules: Rules

    init(_ name: String, _ change: (inout Rules) -> Void) {
        self.name = name
        var rules = Rules.domain
        change(&rules)
        self.rules = rules
    }

    /// Rows that no world reaches yet: nothing says that Apple's history is complete, or denies.
    private static let unreached: Set<VerdictCode> = [.disproved, .notCharged]

    /// Every row dropped, every condition negated, every pair of neighbours swapped; the order of the
    /// roll-up too. What changes nothing that a world can reach is left out.
    static let all: [Mutant] = {
        var mutants: [Mutant] = []
        let charges = Rules.domain.chargeRows
        for place in charges.indices.dropLast() {
            let verdict = charges[place].verdict.rawValue
            mutants.append(Mutant("no \(verdict) of charges") { $0.chargeRows.remove(at: place) })
            mutants.append(
                Mutant("not \(verdict) of charges") {
                    $0.chargeRows[place] = charges[place].negated
                })
            mutants.append(
                Mutant("\(verdict) of charges late") { $0.chargeRows.swapAt(place, place + 1) })
        }
        let reachable = Rules.domain.nameRows.filter { !unreached.contains($0.verdict) }
        for place in reachable.indices.dropLast() {
            let verdict = reachable[place].verdict.rawValue
            mutants.append(
                Mutant("no \(verdict) of names") {
                    $0.nameRows = reachable
                    $0.nameRows.remove(at: place)
                })
            mutants.append(
                Mutant("not \(verdict) of names") {
                    $0.nameRows = reachable
                    $0.nameRows[place] = reachable[place].negated
                })
            mutants.append(
                Mutant("\(verdict) of names late") {
                    $0.nameRows = reachable
                    $0.nameRows.swapAt(place, place + 1)
                })
        }
        for place in Rules.domain.rollUp.indices.dropLast() {
            let verdict = Rules.domain.rollUp[place].rawValue
            mutants.append(
                Mutant("\(verdict) rolled up late") { $0.rollUp.swapAt(place, place + 1) })
        }
        return mutants
    }()
}

@Suite("A score can fail")
struct OracleMutationTests {
    @Test("most wrong rules are caught")
    func mutants() throws {
        let worlds = try [UInt64(11), 12].map { seed in
            try ScoredWorld(World(World.Configuration(seed: seed, orders: 120)))
        }
        let escaped = Mutant.all.filter { mutant in
            worlds.allSatisfy { !$0.catches(mutant.rules) }
        }
        let caught = Mutant.all.count - escaped.count
        print(
            "\(caught) of \(Mutant.all.count) wrong rules caught; not: \(escaped.map(\.name))")
        #expect(caught * 100 >= Mutant.all.count * 80, "not caught: \(escaped.map(\.name))")
    }
}

extension ScoredWorld {
    /// Whether some answer under these rules is wrong or false where the domain's is neither.
    func catches(_ rules: Rules) -> Bool {
        for life in expectations {
            for expectation in life.subjects {
                var score = Score(truths)
                score.compare(
                    expectation, in: life.bundle,
                    with: shell.answer(to: expectation.subject, in: life.bundle, rules: rules))
                guard score.missCount + score.lieCount > 0 else { continue }
                var right = Score(truths)
                right.compare(
                    expectation, in: life.bundle,
                    with: shell.answer(to: expectation.subject, in: life.bundle))
                if right.missCount + right.lieCount == 0 { return true }
            }
        }
        return false
    }
}
