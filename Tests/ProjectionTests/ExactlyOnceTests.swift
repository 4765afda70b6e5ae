import EventLog
import PostgreSQL
import Projection
import TestKit
import Testing

@Suite("Each event is in the views exactly once", .fewAtOnce)
struct ExactlyOnceTests {
    /// What the views must hold in the end.
    private func expected(_ history: RandomHistory) async throws -> [String: [String]] {
        let views = try await Views(now: history.now)
        try await views.take(history.texts)
        return try await views.dump()
    }

    @Test("when the backend is killed in mid-batch, of which nothing stays")
    func killed() async throws {
        let history = RandomHistory(seed: 1, stories: 4)
        let views = try await Views(now: history.now)
        let half = history.texts.count / 2
        try await views.take(Array(history.texts.prefix(half)))
        let before = try await views.dump()
        try await views.append(Array(history.texts.dropFirst(half)))

        // The batch has written facts and timeline when it comes to the orders.
        let blocker = try await views.fresh.connect()
        try await blocker.perform { connection in
            try connection.run("begin; lock table orders in exclusive mode")
        }
        let projector = views.projector
        let running = Task { try await projector.catchUp() }
        try await killWhoWaits(for: "orders", on: blocker)
        await #expect(throws: PostgreSQLError.self) { try await running.value }
        try await blocker.perform { try $0.run("rollback") }
        await blocker.close()

        #expect(try await views.projector.status().position == Int64(half))
        expectSame(before, try await views.dump(), "after the kill")
        try await views.projector.catchUp()
        expectSame(try await expected(history), try await views.dump(), "in the end")
    }

    /// Ends the backend that waits for a lock on a table.
    private func killWhoWaits(for table: String, on connection: Connection) async throws {
        let sql = """
            select count(pg_terminate_backend(pid)) from pg_locks
            where relation = '\(table)'::regclass and not granted
            """
        for _ in 0..<500 {
            let ended: Int64 = try await connection.perform { connection in
                try connection.query(Statement(name: "kill", sql: sql)).first?.value(at: 0) ?? 0
            }
            if ended > 0 { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("nobody waited for \(table)")
    }

    @Test("when two projectors follow the same log")
    func two() async throws {
        var history = RandomHistory(seed: 2, stories: 6)
        let views = try await Views(now: history.now)
        let other = try await EventLog.open(
            views.fresh.options, ledger: views.fresh.ledger, allowsUnsafeDurability: true)
        let followers = [views.log, other].map { log in
            let now = history.now
            return Task {
                try await ViewProjector(log: log, options: views.fresh.options, now: { now })
                    .follow()
            }
        }
        for group in history.groups(history.texts.map(\.bytes), size: 3) {
            try await views.append(group)
        }
        try await views.waitUntilCaughtUp()
        for follower in followers {
            follower.cancel()
            _ = await follower.result
        }
        // Without an own catch-up: the last derivation may still have been under way.
        try await views.projector.catchUp()
        expectSame(try await expected(history), try await views.dump(), "two followers")
        await other.close()
    }

    @Test("when a process ends between batches and another goes on")
    func restarted() async throws {
        let history = RandomHistory(seed: 3, stories: 4)
        let views = try await Views(now: history.now)
        for start in stride(from: 0, to: history.texts.count, by: 5) {
            try await views.append(Array(history.texts.dropFirst(start).prefix(5)))
            let log = try await EventLog.open(
                views.fresh.options, ledger: views.fresh.ledger, allowsUnsafeDurability: true)
            let now = history.now
            let count = try await ViewProjector(
                log: log, options: views.fresh.options, now: { now }
            ).catchUp()
            #expect(count == min(5, history.texts.count - start))
            await log.close()
        }
        #expect(try await views.projector.catchUp() == 0)
        expectSame(try await expected(history), try await views.dump(), "restarted")
    }

    @Test("when more events came than one batch takes")
    func manyBatches() async throws {
        let views = try await Views(now: TestApple.noon)
        let texts = (0..<1_100).map { number in
            EventText(
                "order.created", id: "\(number)", receivedAt: TestApple.noon,
                [
                    "bundleId": TestApple.bundle, "orderNumber": "A-\(number % 300)",
                    "productId": "gems.60",
                ])
        }
        try await views.append(texts)
        #expect(try await views.projector.catchUp() == 1_100)
        let status = try await views.projector.status()
        #expect(status.position == 1_100 && status.logPosition == 1_100)
        #expect(try await views.rows("select count(*)::text from orders") == ["300"])
        #expect(try await views.rows("select count(*)::text from timeline") == ["1100"])
    }
}

extension Views {
    /// Waits until the views are where the log is; fails after 30 s.
    func waitUntilCaughtUp() async throws {
        for _ in 0..<3_000 {
            let status = try await projector.status()
            if status.position == status.logPosition { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("the views did not catch up")
    }
}
