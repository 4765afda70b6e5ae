import Foundation
import Settlement
import Simulator
import Testing

@Suite("The service against the oracle")
struct OracleScoreTests {
    /// Seeds and orders: few by default, many with QUITTANCE_FULL=1.
    static let seeds: [UInt64] = isFull ? Array(1...20) : [1, 2, 3]
    static let orders = isFull ? 2_000 : 200
    private static let isFull = ProcessInfo.processInfo.environment["QUITTANCE_FULL"] == "1"

    @Test("no verdict says a false thing, and all are right", arguments: seeds)
    func rightVerdicts(seed: UInt64) throws {
        let world = World(World.Configuration(seed: seed, orders: Self.orders))
        let scored = try ScoredWorld(world)
        let score = scored.score()
        for lie in score.lies {
            let history = scored.shell.history(of: lie.answer.subject, in: lie.answer.bundle)
            Issue.record("\(lie.text)\n\(history)")
        }
        for miss in score.misses {
            let history = scored.shell.history(of: miss.subject, in: miss.bundle)
            Issue.record("\(miss.text)\n\(history)")
        }
        #expect(score.right > 0)
    }
}

/// A world with what the service in memory answers of it, and what is right and true as the files
/// say it.
struct ScoredWorld {
    let shell: OracleShell
    let entries: [ExpectedReader.Entry]
    let truths: WorldTruths

    init(_ world: World) throws {
        shell = try OracleShell(world)
        let truth = TruthWriter(world)
        let expected = ExpectedWriter(Oracle(world))
        var reader = ExpectedReader()
        for circle in 0..<world.circleCount {
            let life = world.life(of: circle)
            for line in truth.lines(of: life) { try reader.take(worldLine: line) }
            for line in expected.lines(of: life) { try reader.take(expectedLine: line) }
        }
        entries = reader.entries
        truths = reader.truths
    }

    func score() -> Score {
        var score = Score(truths)
        for entry in entries { compare(entry, .domain, &score) }
        return score
    }

    func compare(_ entry: ExpectedReader.Entry, _ rules: Rules, _ score: inout Score) {
        let answer = shell.answer(
            to: entry.expectation.subject, in: entry.bundle, rules: rules)
        score.compare(entry.expectation, in: entry.bundle, with: answer)
    }
}
