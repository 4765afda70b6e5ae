import Foundation
import Settlement
import Simulator
import Synchronization
import Testing

@Suite("The service against the oracle", .serialized)
struct OracleScoreTests {
    /// Seeds and orders: few by default, many with QUITTANCE_FULL=1.
    static let seeds: [UInt64] = isFull ? Array(1...20) : [1, 2, 3]
    static let orders = isFull ? 2_000 : 200
    static let isFull = ProcessInfo.processInfo.environment["QUITTANCE_FULL"] == "1"

    @Test("no verdict says a false thing, and all are right", arguments: seeds)
    func rightVerdicts(seed: UInt64) throws {
        let scored = try ScoredWorld.of(seed: seed, orders: Self.orders)
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
struct ScoredWorld: Sendable {
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

    /// Every fault strikes, and those that tell rules apart more often than others.
    static let faults: World.FaultProfile = {
        var faults = World.FaultProfile.all
        let frequent: [World.Fault] = [
            .deliveryToOther, .deliveryPartial, .deliveryNotDone, .receiptReplayed, .offerCode,
            .evidenceForged, .evidenceSandbox, .askToBuyUnanswered, .lostOrderNumber,
        ]
        for fault in frequent { faults[fault] = 100_000 }
        return faults
    }()

    private static let made = Mutex<[UInt64: ScoredWorld]>([:])

    /// The world of a seed, made once for all tests.
    static func of(seed: UInt64, orders: Int) throws -> ScoredWorld {
        if let known = made.withLock({ $0[seed] }) { return known }
        let configuration = World.Configuration(seed: seed, orders: orders, faults: faults)
        let world = try ScoredWorld(World(configuration))
        made.withLock { $0[seed] = world }
        return world
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
