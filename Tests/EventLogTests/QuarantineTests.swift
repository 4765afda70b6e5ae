import Cryptography

import JSON
import PostgreSQL
import TestKit
import Testing

@testable import EventLog

@Suite("The quarantine")
struct QuarantineTests {
    private func refusal(_ text: String, door: String = "notifications", reason: String = "bad")
        -> Refusal
    {
        Refusal(
            bytes: Array(text.utf8), door: door, reason: reason, detail: "line 1\nof\0two",
            receivedAt: 5_000)
    }

    @Test("the first of each digest is kept and told of once, whatever door it comes to again")
    func first() async throws {
        let fresh = try await FreshLog.make()
        let quarantine = Quarantine(of: fresh.log)
        let digest = SHA256.hash(Array("forged".utf8))
        let first = try await quarantine.refuse([refusal("forged")])
        #expect(first == [RefusalOutcome(digest: digest, bytes: .kept, log: .recorded(1))])
        let again = try await quarantine.refuse([
            refusal("forged"), refusal("forged", door: "ingest", reason: "other"),
        ])
        let known = RefusalOutcome(digest: digest, bytes: .keptBefore, log: .recordedBefore(1))
        #expect(again == [known, known])
        #expect(try await fresh.log.head().size == 1)

        let event = try #require(try await fresh.log.read(after: 0, limit: 1).first)
        #expect(event.source == "refused" && event.type == "evidence.refused")
        #expect(event.id == Hexadecimal.encode(digest) && event.receivedAt == 5_000)
        let data = try #require(JSONValue(parsing: event.body)["data"])
        #expect(data["digest"]?.string == event.id && data["size"]?.int64 == 6)
        #expect(data["door"]?.string == "notifications" && data["reason"]?.string == "bad")

        let items = try await quarantine.items()
        #expect(items.map(\.digest) == [digest] && items.first?.size == 6)
        #expect(items.first?.detail == "line 1 of two")
        #expect(try await quarantine.bytes(digest) == Array("forged".utf8))
        #expect(try await quarantine.items(after: items.last).isEmpty)
        #expect(
            try await quarantine.counts() == [
                RefusalCount(door: "ingest", reason: "other", refused: 1, recorded: 0, kept: 0),
                RefusalCount(
                    door: "notifications", reason: "bad", refused: 2, recorded: 1, kept: 1),
            ])
    }

    @Test("a broken copy of a notification that comes first does not keep the genuine one out")
    func brokenCopyFirst() async throws {
        let fresh = try await FreshLog.make()
        let genuine = newEvent(
            id: "notification/6f0e", source: "apple", type: "appstore.notification",
            received: Array(#"{"signedPayload":"x.y.z"}"#.utf8))
        let broken = refusal(#"{"signedPayload":"x.y.q"}"#)
        #expect(try await Quarantine(of: fresh.log).refuse([broken])[0].log == .recorded(1))
        #expect(try await fresh.log.append([genuine]) == [.appended(2)])
    }

    @Test("the log tells of a door so many times a minute; the rest is counted and kept")
    func perMinute() async throws {
        let fresh = try await FreshLog.make()
        let limits = QuarantineLimits(recordedPerMinuteMax: 3)
        let quarantine = Quarantine(of: fresh.log, limits: limits)
        let flood = (0..<10).map { refusal("junk \($0)") } + [refusal("other", door: "ingest")]
        let outcomes = try await quarantine.refuse(flood)
        let recorded = outcomes.count { if case .recorded = $0.log { true } else { false } }
        // A minute may have ended in between, but not within one call.
        #expect(recorded == 4)
        #expect(outcomes.count { $0.log == .counted } == 7)
        #expect(outcomes.allSatisfy { $0.bytes == .kept })
        #expect(outcomes.last?.log == .recorded(4))
        #expect(try await quarantine.counts().map(\.refused) == [1, 10])
        #expect(try await quarantine.counts().map(\.recorded) == [1, 3])
    }

    @Test("what is too large, or more than its door may hold, is told of without its bytes")
    func bounds() async throws {
        let fresh = try await FreshLog.make()
        let limits = QuarantineLimits(itemBytesMax: 100, doorBytesMax: 1_200)
        let quarantine = Quarantine(of: fresh.log, limits: limits)
        let outcomes = try await quarantine.refuse([
            refusal(String(repeating: "x", count: 101)), refusal("1"), refusal("2"), refusal("3"),
            refusal("2"), refusal("4", door: "ingest"),
        ])
        #expect(
            outcomes.map(\.bytes) == [
                .tooLarge, .kept, .kept, .doorIsFull, .keptBefore, .kept,
            ])
        #expect(
            outcomes.map(\.log) == [
                .recorded(1), .recorded(2), .recorded(3), .recorded(4), .recordedBefore(3),
                .recorded(5),
            ])
        let act = AdminAct(action: "quarantine.drop", actor: "op", reason: "spam", at: 0)
        #expect(try await quarantine.drop(SHA256.hash(Array("1".utf8)), act))
        #expect(try await !quarantine.drop(SHA256.hash(Array("1".utf8)), act))
        #expect(try await quarantine.refuse([refusal("3")])[0].bytes == .kept)
        #expect(try await SchemaMigrator(ledger: fresh.ledger).verified(fresh).isEmpty)
    }

    @Test("what is past its days makes room")
    func pruning() async throws {
        let fresh = try await FreshLog.make()
        let limits = QuarantineLimits(doorBytesMax: 600, daysMax: 30)
        let quarantine = Quarantine(of: fresh.log, limits: limits)
        #expect(try await quarantine.refuse([refusal("old")])[0].bytes == .kept)
        #expect(try await quarantine.refuse([refusal("new")])[0].bytes == .doorIsFull)
        #expect(try await quarantine.prune() == 0)
        let owner = try await fresh.connect()
        try await owner.perform {
            try $0.run("update quarantine set kept_at = kept_at - interval '31 days'")
        }
        #expect(try await quarantine.refuse([refusal("new")])[0].bytes == .kept)
        #expect(try await quarantine.bytes(SHA256.hash(Array("old".utf8))) == nil)
        // The log remembers, so the same bytes again are no news.
        #expect(try await quarantine.refuse([refusal("old")])[0].log == .recordedBefore(1))
    }

    @Test("the same bytes refused at many doors at once are told of once, and never in conflict")
    func parallel() async throws {
        let fresh = try await FreshLog.make()
        let quarantine = Quarantine(of: fresh.log)
        let outcomes = try await withThrowingTaskGroup(of: [RefusalOutcome].self) { group in
            for number in 0..<12 {
                let door = "door \(number % 4)"
                let refusals = ["a", "b", "c"].map { refusal($0, door: door) }
                group.addTask { try await quarantine.refuse(refusals.shuffled()) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let recorded = outcomes.count { if case .recorded = $0.log { true } else { false } }
        #expect(recorded == 3)
        #expect(try await fresh.log.head().size == 3)
        #expect(try await fresh.log.countByType().map(\.type) == ["evidence.refused"])
    }

    @Test("a reader sees what was refused, and not its bytes")
    func reader() async throws {
        let fresh = try await FreshLog.make()
        _ = try await Quarantine(of: fresh.log).refuse([refusal("x")])
        let reader = try await fresh.connect(as: fresh.ledger.readerRole)
        let count: Int = try await reader.perform {
            try $0.scalar("select count(size) from quarantine")
        }
        #expect(count == 1)
        let code = await codeThrown {
            try await reader.perform { try $0.run("select bytes from quarantine") }
        }
        #expect(code == .insufficientPrivilege)
    }
}

extension SchemaMigrator {
    /// The findings of `verify` on a connection of its own.
    func verified(_ fresh: FreshLog) async throws -> [SchemaFinding] {
        let connection = try await fresh.connect()
        let findings = try await connection.perform { try self.verify(on: $0) }
        await connection.close()
        return findings
    }
}
