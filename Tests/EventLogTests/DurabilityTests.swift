@testable import EventLog
import Glibc
import PostgreSQL
import Synchronization
import TestKit
import Testing

@Suite("What is acknowledged is durable")
struct DurabilityTests {
    @Test("with fsync off nothing is appended, and the reason is told")
    func fsyncOff() async throws {
        let fresh = try await FreshLog.make(allowsUnsafeDurability: false)
        await #expect(throws: EventLogError.unsafeDurability(setting: "fsync")) {
            try await fresh.log.append([newEvent(id: "1")])
        }
        #expect(try await fresh.log.head().size == 0)
    }

    @Test("an append waits for the disk though the session would not")
    func synchronousCommit() async throws {
        let fresh = try await FreshLog.make(on: .durable, allowsUnsafeDurability: false)
        let log = fresh.log
        let settings = try await log.pool.withConnection { connection in
            try connection.run("set synchronous_commit = off")
            return try connection.transaction { connection in
                _ = try log.append([newEvent(id: "1")], on: connection)
                return [
                    try connection.scalar("select current_setting('synchronous_commit')"),
                    try connection.scalar(
                        "select current_setting('idle_in_transaction_session_timeout')"),
                ] as [String]
            }
        }
        #expect(settings == ["on", "5s"])
        #expect(try await log.head().size == 1)
    }

    @Test(
        "an appender that stops while it holds the head delays the others by five seconds at most")
    func stopped() async throws {
        let fresh = try await FreshLog.make(on: .durable, allowsUnsafeDurability: false)
        let log = fresh.log
        let (started, begun) = AsyncStream.makeStream(of: Void.self)
        let stopped = Task {
            try await log.pool.withConnection { connection in
                try connection.transaction(attempts: 1) { connection in
                    _ = try log.append([newEvent(id: "stopped")], on: connection)
                    begun.yield()
                    sleep(7)
                }
            }
        }
        for await _ in started { break }
        #expect(try await log.append([newEvent(id: "other")]) == [.appended(1)])
        await #expect(throws: PostgreSQLError.self) { try await stopped.value }
        #expect(try await log.read(after: 0, limit: 9).map(\.id) == ["other"])
    }

    @Test(
        "an appender that stops in the middle of a COPY is ended by who waits for it",
        .timeLimit(.minutes(3)))
    func stoppedCopying() async throws {
        let fresh = try await FreshLog.make(on: .durable, allowsUnsafeDurability: false)
        let log = fresh.log
        let stopped = try await fresh.connect()
        let isDone = Flag()
        let (started, begun) = AsyncStream.makeStream(of: Void.self)
        let copying = Task {
            try await stopped.perform { connection in
                try connection.transaction(attempts: 1) { connection in
                    _ = try connection.query(.logLock, [.bool(true)])
                    _ = try connection.copyIn(.logCopyIn) { _ in
                        begun.yield()
                        while !isDone.isUp.load(ordering: .relaxed) { usleep(10_000) }
                    }
                }
            }
        }
        for await _ in started { break }
        #expect(try await log.append([newEvent(id: "other")]) == [.appended(1)])
        isDone.isUp.store(true, ordering: .relaxed)
        await #expect(throws: PostgreSQLError.self) { try await copying.value }
        #expect(try await log.read(after: 0, limit: 9).map(\.id) == ["other"])
    }

    @Test("an event that this very call stored before its connection broke is told as appended")
    func ownAttempt() async throws {
        let fresh = try await FreshLog.make()
        let event = newEvent(id: "1")
        let mine = try PreparedEvent(event)
        _ = try await fresh.log.append([newEvent(id: "0"), event])
        let stored = try #require(try await fresh.log.read(positions: [2]).first)
        let salt = try #require(stored.salt)
        let own = try PreparedEvent(unchecked: event, salt: salt)
        let again = try AppendPlan([own, mine], stored: [event.key: stored])
        let (rows, outcomes) = try again.rows(after: 2, kept: [:])
        #expect(rows.isEmpty)
        #expect(outcomes == [.appended(2), .duplicate(2)])
    }
}

private final class Flag: Sendable {
    let isUp = Atomic(false)
}
