import EventLog
import PostgreSQL
import Projection
import Settlement
import TestKit
import Testing

@Suite("Commands that were decided upon what the timeline told", .fewAtOnce)
struct ExpectedPositionTests {
    private func event(_ id: String, order: String = "A-1") -> NewEvent {
        let text = EventText(
            "order.cancelled", id: id, ["bundleId": TestApple.bundle, "orderNumber": order])
        return NewEvent(
            source: text.source, id: id, type: text.type, receivedAt: TestApple.noon,
            received: text.bytes)
    }

    @Test("what came is found in the timeline, and in the log where the views are behind")
    func newer() async throws {
        let fresh = try await FreshLog.make()
        let key = try #require(
            timelineKeys(of: SettlementEvent(try await first(fresh))).first { $0.kind == .order })
        _ = try await fresh.log.append([event("2", order: "B-2"), event("3"), event("4")])
        for isCaughtUp in [false, true] {
            if isCaughtUp {
                try await ViewProjector(
                    log: fresh.log, options: fresh.options, now: { TestApple.noon }
                ).catchUp()
            }
            for (since, newer) in [(1, [3, 4]), (3, [4])] as [(Int64, [Int64])] {
                let outcome = try await fresh.log.append(
                    [event("5")],
                    expecting: ExpectedPosition(nothingNewSince: since, about: [key]))
                #expect(outcome == .outrun(by: newer))
            }
        }
        // What the views could not take over is asked in the log.
        let connection = try await fresh.connect()
        try await connection.perform {
            try $0.run(
                """
                delete from timeline where position in (2, 3);
                insert into projection_failure (position, error, attempts, next_try_at)
                select position, 'JSONError', 1, clock_timestamp() + interval '1 hour'
                from unnest(array[2, 3]) as position
                """)
        }
        let aside = try await fresh.log.append(
            [event("5")], expecting: ExpectedPosition(nothingNewSince: 1, about: [key]))
        #expect(aside == .outrun(by: [3, 4]))
        let won = try await fresh.log.append(
            [event("5")], expecting: ExpectedPosition(nothingNewSince: 4, about: [key]))
        #expect(won == .appended([.appended(5)]))
        let unrelated = try await fresh.log.append(
            [event("6", order: "B-2")],
            expecting: ExpectedPosition(
                nothingNewSince: 2,
                about: [TimelineKey(kind: .order, bundle: TestApple.bundle, value: "b-2")]))
        #expect(unrelated == .appended([.appended(6)]))
    }

    private func first(_ fresh: FreshLog) async throws -> RecordedEvent {
        _ = try await fresh.log.append([event("1")])
        return try #require(try await fresh.log.read(positions: [1]).first)
    }
}
