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

    /// Rows of which never both hold with the next in these worlds, so that their order is nothing:
    /// subscriptions have no deliveries, what is elsewhere is not shared, and genuine proof is no
    /// forgery.
    private static let apart: Set<VerdictCode> = [
        .deliveredToOther, .lapsed, .wrongEnvironment, .notClaimants,
    ]

    /// Every row dropped, every condition negated, every pair of neighbours swapped; the order of
    /// the roll-up too.
    static let all: [Mutant] = {
        var mutants: [Mutant] = []
        let charges = Rules.domain.chargeRows
        for place in charges.indices.dropLast() {
            let verdict = charges[place].verdict
            let name = "\(verdict.rawValue) of charges"
            mutants.append(Mutant("no \(name)") { $0.chargeRows.remove(at: place) })
            mutants.append(
                Mutant("not \(name)") { $0.chargeRows[place] = charges[place].negated })
            if verdict == .notClaimants || !apart.contains(verdict) {
                mutants.append(
                    Mutant("\(name) late") { $0.chargeRows.swapAt(place, place + 1) })
            }
        }
        let reachable = Rules.domain.nameRows.filter { !unreached.contains($0.verdict) }
        for place in reachable.indices.dropLast() {
            let verdict = reachable[place].verdict
            let name = "\(verdict.rawValue) of names"
            mutants.append(
                Mutant("no \(name)") {
                    $0.nameRows = reachable
                    $0.nameRows.remove(at: place)
                })
            mutants.append(
                Mutant("not \(name)") {
                    $0.nameRows = reachable
                    $0.nameRows[place] = reachable[place].negated
                })
            guard !apart.contains(verdict) else { continue }
            mutants.append(
                Mutant("\(name) late") {
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

/// That a score can fail.
extension OracleScoreTests {
    @Test("most wrong rules are caught")
    func mutants() throws {
        let worlds = try Self.seeds.prefix(3).map { seed in
            try ScoredWorld.of(seed: seed, orders: Self.orders).rightAnswers
        }
        let escaped = Mutant.all.filter { mutant in
            !worlds.contains { $0.catches(mutant.rules) }
        }
        let caught = Mutant.all.count - escaped.count
        print("\(caught) of \(Mutant.all.count) wrong rules caught; not: \(escaped.map(\.name))")
        // Small worlds have few orders in which two neighbouring rows both hold.
        let percent = Self.isFull ? 80 : 70
        #expect(caught * 100 >= Mutant.all.count * percent, "not caught: \(escaped.map(\.name))")
    }
}

/// The questions of a world that the domain's rules answer right.
private struct RightAnswers {
    let world: ScoredWorld
    let entries: [ExpectedReader.Entry]

    /// Whether some answer under these rules is wrong or says something false.
    func catches(_ rules: Rules) -> Bool {
        entries.contains { entry in
            var score = Score(world.truths)
            world.compare(entry, rules, &score)
            return score.missCount + score.lieCount > 0
        }
    }
}

extension ScoredWorld {
    fileprivate var rightAnswers: RightAnswers {
        RightAnswers(
            world: self,
            entries: entries.filter { entry in
                var score = Score(truths)
                compare(entry, .domain, &score)
                return score.missCount + score.lieCount == 0
            })
    }
}
