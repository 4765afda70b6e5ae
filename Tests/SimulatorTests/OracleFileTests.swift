import JSON
import Simulator
import Testing

@Suite("What the oracle writes")
struct OracleFileTests {
    @Test("can be read again, and says nothing else")
    func roundTrip() throws {
        let world = World(World.Configuration(seed: 5, orders: 60))
        let oracle = Oracle(world)
        let writer = ExpectedWriter(oracle)
        var count = 0
        for circle in 0..<world.circleCount {
            let life = world.life(of: circle)
            let expectations = oracle.expectations(of: life)
            var reader = ExpectedReader()
            for line in writer.lines(of: life) { try reader.take(expectedLine: line) }
            #expect(reader.entries.count == expectations.subjects.count)
            for (entry, expectation) in zip(reader.entries, expectations.subjects) {
                #expect(entry.bundle == expectations.bundle)
                #expect(entry.expectation.subject == expectation.subject)
                #expect(entry.expectation.account == expectation.account)
                #expect(entry.expectation.remarks == expectation.remarks)
                let read = entry.expectation.course.map { "\($0.verdict) \($0.status)" }
                #expect(read == expectation.course.map { "\($0.verdict) \($0.status)" })
                #expect(
                    entry.expectation.course.dropFirst() == expectation.course.dropFirst())
            }
            count += expectations.subjects.count
        }
        #expect(count > 60)
    }

    @Test("is the same whenever it is asked")
    func determinism() {
        let world = World(World.Configuration(seed: 6, orders: 40))
        let lines = { (oracle: Oracle) in
            (0..<world.circleCount).flatMap {
                ExpectedWriter(oracle).lines(of: world.life(of: $0))
            }
        }
        #expect(lines(Oracle(world)) == lines(Oracle(world)))
    }

    @Test("names the world and the instant of judgement first")
    func header() throws {
        let world = World(World.Configuration(seed: 7, orders: 3, days: 2))
        let header = try JSONValue(parsing: ExpectedWriter(Oracle(world)).header())
        #expect(header["kind"]?.string == "expected")
        #expect(header["seed"]?.int64 == 7)
        #expect(header["asOf"]?.string == "2026-03-03T00:00:00Z")
    }
}
