import Foundation
import JSON
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
        let score = try ScoredWorld(world).score()
        for lie in score.lies { Issue.record("\(lie.text)") }
        for miss in score.misses { Issue.record("\(miss.text)") }
        #expect(score.right > 0)
    }
}

/// A world with what the service in memory answers of it.
struct ScoredWorld {
    let shell: OracleShell
    let expectations: [Expectations]
    let truths: WorldTruths

    init(_ world: World) throws {
        shell = try OracleShell(world)
        let oracle = Oracle(world)
        let writer = TruthWriter(world)
        var truths = WorldTruths()
        var expectations: [Expectations] = []
        let expected = ExpectedWriter(oracle)
        for circle in 0..<world.circleCount {
            let life = world.life(of: circle)
            for line in writer.lines(of: life) { truths.take(world: try JSONValue(parsing: line)) }
            for line in expected.lines(of: life) {
                truths.take(expected: try JSONValue(parsing: line))
            }
            expectations.append(oracle.expectations(of: life))
        }
        self.truths = truths
        self.expectations = expectations
    }

    func score() -> Score {
        var score = Score(truths)
        for life in expectations {
            for expectation in life.subjects {
                score.compare(
                    expectation, in: life.bundle,
                    with: shell.answer(to: expectation.subject, in: life.bundle))
            }
        }
        return score
    }
}
