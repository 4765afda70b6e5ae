import PostgreSQL
import TestKit
import Testing

@Suite struct PoolTests {
    private func pool(
        _ count: Int, wait: Int = 60_000, waiters: Int = 100
    ) async throws -> ConnectionPool {
        ConnectionPool(
            try await Cluster.shared.database(), connectionsMax: count, waitMillisecondsMax: wait,
            waitersMax: waiters)
    }

    @Test("never more connections than the bound, and everybody is served")
    func bound() async throws {
        let pool = try await pool(3)
        let processes = Shared<Set<Int32>>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<60 {
                group.addTask {
                    try await pool.withConnection { connection in
                        let pid: Int32 = try connection.scalar("select pg_backend_pid()")
                        processes.withLock { _ = $0.insert(pid) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(processes.withLock { $0.count } <= 3)
        let load = await pool.load
        #expect(load.leased == 0 && load.waiting == 0 && (1...3).contains(load.idle))
        await pool.close()
    }

    @Test("forty connections work at once, though each blocks a thread")
    func parallel() async throws {
        let pool = try await pool(40)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask { try await pool.withConnection { try Self.waitForAll(40, on: $0) } }
            }
            try await group.waitForAll()
        }
        await pool.close()
    }

    /// Goes on once that many sessions wait here: the last of them can come only if none of the
    /// others keeps it from its thread.
    private static func waitForAll(_ count: Int, on connection: isolated Connection) throws {
        try connection.run("select pg_advisory_lock_shared(4711)")
        for _ in 0..<600 {
            let here: Int64 = try connection.scalar(
                """
                select count(*) from pg_locks where locktype = 'advisory' and objid = 4711
                and database = (select oid from pg_database where datname = current_database())
                """)
            // The pool keeps sessions with their locks, so the others can count this one too.
            if here >= count { return }
            try connection.run("select pg_sleep(0.1)")
        }
        Issue.record("\(count) sessions were never at work at once")
    }

    /// Runs `body` while the only connection is lent; then it is given back.
    private func whileLent(_ pool: ConnectionPool, _ body: () async throws -> Void) async throws {
        let holder = Task { try await pool.withConnection { try $0.run("select pg_sleep(60)") } }
        #expect(try await eventually { await pool.load.leased == 1 })
        try await body()
        holder.cancel()
        _ = await holder.result
    }

    private func untilWaiting(_ pool: ConnectionPool, _ count: Int) async throws {
        #expect(try await eventually { await pool.load.waiting == count })
    }

    @Test("who waits too long is told so")
    func waitLimit() async throws {
        let pool = try await pool(1, wait: 100)
        try await whileLent(pool) {
            let code = await codeThrown { try await pool.withConnection { try $0.run("select 1") } }
            #expect(code == .poolWaitExceeded)
            #expect(await pool.load.waiting == 0)
        }
        #expect(try await pool.withConnection { try $0.scalar("select 1") } == 1)
    }

    @Test("no more may wait than the bound")
    func queueFull() async throws {
        let pool = try await pool(1, waiters: 0)
        try await whileLent(pool) {
            let code = await codeThrown { try await pool.withConnection { try $0.run("select 1") } }
            #expect(code == .poolQueueFull)
        }
    }

    @Test("a cancelled waiter leaves the queue, and the next is served")
    func cancelledWaiter() async throws {
        let pool = try await pool(1)
        try await whileLent(pool) {
            let first = Task { try await pool.withConnection { try $0.run("select 1") } }
            try await untilWaiting(pool, 1)
            first.cancel()
            await #expect(throws: CancellationError.self) { try await first.value }
            #expect(await pool.load.waiting == 0)
        }
        #expect(try await pool.withConnection { try $0.scalar("select 1") } == 1)
        #expect(await pool.load.leased == 0)
    }

    @Test("who came first is served first")
    func order() async throws {
        let pool = try await pool(1)
        let served = Shared<[Int]>([])
        var tasks: [Task<Void, any Error>] = []
        try await whileLent(pool) {
            for number in 0..<5 {
                tasks.append(
                    Task {
                        try await pool.withConnection { _ in
                            served.withLock { $0.append(number) }
                        }
                    })
                try await untilWaiting(pool, number + 1)
            }
        }
        for task in tasks { try await task.value }
        #expect(served.withLock { $0 } == [0, 1, 2, 3, 4])
    }

    @Test("what a borrower leaves open is rolled back, and who listened is closed")
    func cleanUp() async throws {
        let pool = try await pool(1)
        let first: Int32 = try await pool.withConnection { connection in
            try connection.run("begin")
            return connection.backendProcess
        }
        let second: Int32 = try await pool.withConnection { connection in
            try connection.transaction { try $0.run("select 1") }
            try connection.listen("c")
            return connection.backendProcess
        }
        #expect(first == second)
        #expect(try await pool.withConnection { $0.backendProcess } != first)
    }

    @Test("a closed pool refuses")
    func closed() async throws {
        let pool = try await pool(1)
        try await pool.withConnection { try $0.run("select 1") }
        await pool.close()
        let code = await codeThrown { try await pool.withConnection { try $0.run("select 1") } }
        #expect(code == .poolClosed)
    }
}
