import Foundation
import Settlement
import Testing

/// How many histories: the full count takes minutes, the default seconds.
let isFull = ProcessInfo.processInfo.environment["QUITTANCE_FULL"] != nil
private let chunks = 8
private let historiesInChunk = isFull ? 600 : 130

@Suite("The law of facts")
struct LawTests {
    @Test(
        "any permutation, duplication and batching gives the same facts and the same answers",
        arguments: 0..<chunks)
    func law(chunk: Int) {
        for index in 0..<historiesInChunk {
            let seed = UInt64(chunk * historiesInChunk + index)
            let random = RandomHistory(seed: seed)
            let settings = random.settings.map(Told.init)
            let events = random.events.map(Told.init)
            var inOrder = Shell()
            for told in settings + events { inOrder.take([told]) }
            let disturbed = disturbed(settings, events, seed: seed)
            #expect(inOrder.bytes == disturbed.bytes, "facts of history \(seed)")
            #expect(inOrder.facts == disturbed.facts, "facts of history \(seed)")
            #expect(inOrder.sightings == disturbed.sightings, "sightings of history \(seed)")
            // An answer is a function of what was just compared: fewer of them suffice.
            guard isFull || index % 5 == 0 else { continue }
            let question = RandomHistory.question(seed)
            let now = Int(seed * 37) % (RandomHistory.lengthMinutes * 2)
            #expect(
                inOrder.ask(question, at: now) == disturbed.ask(question, at: now),
                "history \(seed), \(question)")
            #expect(
                inOrder.hold(question, at: now) == disturbed.hold(question, at: now),
                "holdings of history \(seed), \(question)")
        }
    }

    /// The same events in another order, some twice, in batches of random sizes, every other one
    /// written and read again before it is joined.
    private func disturbed(_ settings: [Told], _ events: [Told], seed: UInt64) -> Shell {
        var generator = SeededGenerator(seed: seed ^ 0xDEAD_BEEF)
        var disturbed = events
        for told in events where generator.chance(30) { disturbed.append(told) }
        disturbed.shuffle(using: &generator)
        var shell = Shell()
        shell.take(settings)
        var rest = disturbed[...]
        while !rest.isEmpty {
            let size = Int.random(in: 1...8, using: &generator)
            shell.take(Array(rest.prefix(size)), throughStorage: generator.chance(50))
            rest = rest.dropFirst(size)
        }
        return shell
    }

    @Test("merge is associative, commutative and idempotent, entity by entity")
    func mergeLaws() {
        for seed in UInt64(0)..<60 {
            let events = RandomHistory(seed: seed).events
            let thirds = [0, 1, 2].map { part in
                var shell = Shell()
                shell.take(
                    events.enumerated().filter { $0.offset % 3 == part }.map { Told($0.element) })
                return shell.facts
            }
            for (key, a) in thirds[0] {
                guard let b = thirds[1][key], let c = thirds[2][key] else { continue }
                #expect(merged(a, b) == merged(b, a))
                #expect(merged(merged(a, b), c) == merged(a, merged(b, c)))
                #expect(merged(a, a) == a)
                #expect(merged(merged(a, b), a) == merged(a, b))
            }
        }
    }

    private func merged(_ left: Facts, _ right: Facts) -> Facts {
        var joined = left
        joined.merge(right)
        return joined
    }

    @Test("random histories reach most verdicts, so that the law is tested on what matters")
    func histories() {
        let rare: Set<VerdictCode> = [
            .disproved, .notCharged, .unknown, .lapsed, .forged, .shared,
        ]
        var unreached = Set(VerdictCode.allCases).subtracting(rare)
        for seed in UInt64(0)..<300 where !unreached.isEmpty {
            let shell = Shell(RandomHistory(seed: seed).history)
            for question in RandomHistory.questions {
                unreached.remove(shell.ask(question, at: 3000).code)
            }
        }
        #expect(unreached.isEmpty)
    }
}
