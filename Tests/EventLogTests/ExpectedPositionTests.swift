import EventLog
import PostgreSQL
import TestKit
import Testing

@Suite("Commands that were decided upon a position")
struct ExpectedPositionTests {
    private let keys = EventKeys(orderNumber: Array("7".utf8))

    private func claim(_ id: String) -> NewEvent {
        var event = newEvent(id: id, type: "claim.opened")
        event.keys = keys
        return event
    }

    @Test("of 50 concurrent claims on one subject one wins, and 49 are told what they missed")
    func oneWinner() async throws {
        let fresh = try await FreshLog.make()
        _ = try await fresh.log.append([claim("before"), newEvent(id: "unrelated")])
        let appender = Appender(fresh.log)
        let other = Appender(fresh.log)
        let keys = keys
        let outcomes = try await withThrowingTaskGroup(of: CommandOutcome.self) { group in
            for number in 0..<50 {
                let event = claim("\(number)")
                group.addTask {
                    try await (number.isMultiple(of: 2) ? appender : other).append(
                        [event], expecting: ExpectedPosition(nothingNewSince: 2, keys: keys))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .appended([.appended(3)]) } == 1)
        #expect(outcomes.count { $0 == .outrun(by: [3]) } == 49)
        #expect(try await fresh.log.head().size == 3)
    }

    @Test("events about something else do not matter, nor do older ones")
    func unrelated() async throws {
        let fresh = try await FreshLog.make()
        _ = try await fresh.log.append([claim("a"), newEvent(id: "b")])
        let since1 = ExpectedPosition(nothingNewSince: 1, keys: keys)
        let won = try await fresh.log.append([claim("c")], expecting: since1)
        #expect(won == .appended([.appended(3)]))
        let lost = try await fresh.log.append([claim("d")], expecting: since1)
        #expect(lost == .outrun(by: [3]))
        let since3 = ExpectedPosition(nothingNewSince: 3, keys: keys)
        let next = try await fresh.log.append([claim("d")], expecting: since3)
        #expect(next == .appended([.appended(4)]))
    }

    @Test("a command that is sent again is not outrun by itself")
    func again() async throws {
        let fresh = try await FreshLog.make()
        let expectation = ExpectedPosition(nothingNewSince: 0, keys: keys)
        let appender = Appender(fresh.log)
        _ = try await appender.append([claim("a")], expecting: expectation)
        let again = try await appender.append([claim("a")], expecting: expectation)
        #expect(again == .appended([.duplicate(1)]))
    }

    @Test("several events of a command are in together, or none of them is")
    func together() async throws {
        let fresh = try await FreshLog.make()
        let expectation = ExpectedPosition(nothingNewSince: 0, keys: keys)
        let events = [claim("a"), claim("b"), claim("c")]
        let won = try await fresh.log.append(events, expecting: expectation)
        #expect(won == .appended((1...3).map { .appended($0) }))
        let others = [claim("d"), claim("e")]
        let lost = try await fresh.log.append(others, expecting: expectation)
        #expect(lost == .outrun(by: [1, 2, 3]))
        let tooMany = (0..<5_000).map { claim("many \($0)") }
        await #expect(throws: EventLogError.tooMany) {
            try await Appender(fresh.log).append(tooMany, expecting: expectation)
        }
        #expect(try await fresh.log.head().size == 3)
    }

    @Test("a rule of the caller's own is asked under the lock, with the position")
    func ownRule() async throws {
        let fresh = try await FreshLog.make()
        _ = try await fresh.log.append((1...3).map { newEvent(id: "\($0)") })
        let expectation = ExpectedPosition(nothingNewSince: 1) { connection, after in
            let events = try EventLog.read(after: after, limit: 10, on: connection)
            return events.filter { $0.id == "3" }.map(\.position)
        }
        #expect(
            try await fresh.log.append([claim("a")], expecting: expectation) == .outrun(by: [3]))
    }

    @Test("a command without events is outrun as any other")
    func withoutEvents() async throws {
        let fresh = try await FreshLog.make()
        _ = try await fresh.log.append([claim("a")])
        let expectation = ExpectedPosition(nothingNewSince: 0, keys: keys)
        let now = ExpectedPosition(nothingNewSince: 1, keys: keys)
        #expect(try await fresh.log.append([], expecting: expectation) == .outrun(by: [1]))
        #expect(try await fresh.log.append([], expecting: now) == .appended([]))
        let appender = Appender(fresh.log)
        #expect(try await appender.append([], expecting: expectation) == .outrun(by: [1]))
        #expect(try await appender.append([], expecting: now) == .appended([]))
    }

    @Test("a command of another epoch is outrun, whatever its position is")
    func otherEpoch() async throws {
        let fresh = try await FreshLog.make()
        _ = try await fresh.log.append([claim("a")])
        let epoch = try await fresh.log.head().epoch
        let other = ExpectedPosition(nothingNewSince: 1, epoch: epoch + 1, keys: keys)
        #expect(try await fresh.log.append([claim("b")], expecting: other) == .outrun(by: []))
        let same = ExpectedPosition(nothingNewSince: 1, epoch: epoch, keys: keys)
        #expect(
            try await fresh.log.append([claim("b")], expecting: same)
                == .appended([.appended(2)]))
    }

    @Test("appends without a condition never lose a race")
    func unconditional() async throws {
        let fresh = try await FreshLog.make()
        let appender = Appender(fresh.log)
        let events = (0..<50).map { claim("\($0)") }
        let outcomes = try await withThrowingTaskGroup(of: [AppendOutcome].self) { group in
            for event in events { group.addTask { try await appender.append([event]) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(
            outcomes.allSatisfy { outcome in
                if case .appended = outcome { true } else { false }
            })
    }
}
