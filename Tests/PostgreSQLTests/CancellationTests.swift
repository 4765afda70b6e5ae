import PostgreSQL
import TestKit
import Testing

@Suite struct CancellationTests {
    private func whenSleeping(_ pid: Int32) async throws -> Bool {
        let observer = try await Connection.open(Cluster.shared.options())
        return try await eventually {
            try await observer.perform { observer in
                try observer.scalar(
                    """
                    select exists (select from pg_stat_activity
                    where pid = $1 and wait_event = 'PgSleep')
                    """, [.int32(pid)])
            }
        }
    }

    @Test("cancel ends the statement under way, and the connection works on")
    func cancel() async throws {
        let connection = try await freshConnection()
        let pid = await connection.backendProcess
        async let code = codeThrown { try await connection.run("select pg_sleep(60)") }
        #expect(try await whenSleeping(pid))
        connection.cancel()
        #expect(await code == .queryCancelled)
        #expect(try await connection.perform { try $0.scalar("select 1") } == 1)
    }

    @Test("a cancelled task ends its statement, rolls back, and starts no other")
    func cancelledTask() async throws {
        let connection = try await freshConnection()
        try await connection.run("create table t (a int)")
        let pid = await connection.backendProcess
        let task = Task {
            try await connection.perform { connection in
                try connection.transaction { connection in
                    try connection.run("insert into t values (1)")
                    _ = try? connection.run("select pg_sleep(60)")
                    try connection.run("insert into t values (2)")
                }
            }
        }
        #expect(try await whenSleeping(pid))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await connection.perform { try $0.scalar("select count(*) from t") } == 0)
    }

    @Test("a cancelled task that waits its turn does not disturb whose turn it is")
    func cancelledInQueue() async throws {
        let connection = try await freshConnection()
        let pid = await connection.backendProcess
        async let code = codeThrown { try await connection.run("select pg_sleep(60)") }
        #expect(try await whenSleeping(pid))
        let waiting = Task { try await connection.perform { try $0.run("select 1") } }
        try await Task.sleep(for: .milliseconds(50))
        waiting.cancel()
        try await Task.sleep(for: .milliseconds(50))
        #expect(try await whenSleeping(pid))
        connection.cancel()
        #expect(await code == .queryCancelled)
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test("a late cancellation never hits the next statement")
    func lateCancellation() async throws {
        let connection = try await freshConnection()
        for _ in 0..<100 {
            let task = Task { try? await connection.perform { try $0.run("select 1") } }
            task.cancel()
            #expect(try await connection.perform { try $0.scalar("select 2") } == 2)
            await task.value
        }
    }
}
