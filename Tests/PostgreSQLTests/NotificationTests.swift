import PostgreSQL
import TestKit
import Testing

@Suite struct NotificationTests {
    @Test("a notification wakes who waits for it")
    func wakes() async throws {
        let options = try await Cluster.shared.database()
        let listener = try await Connection.open(options)
        let speaker = try await Connection.open(options)
        let channel = "Channel \"of\" a schema"
        try await listener.listen(channel)
        async let heard = listener.perform {
            try $0.waitForNotification(timeoutMilliseconds: 120_000)
        }
        try await Task.sleep(for: .milliseconds(50))
        try await speaker.run("notify \(quotedIdentifier(channel)), '42'")
        let notification = try #require(try await heard)
        #expect(notification.channel == channel)
        #expect(notification.payload == "42")
        #expect(notification.process == (await speaker.backendProcess))
    }

    @Test("notifications that came before are handed over one by one, then the wait ends in time")
    func queue() async throws {
        let connection = try await freshConnection()
        try await connection.perform { connection in
            try connection.listen("c")
            try connection.run("notify c, '1'")
            try connection.run("notify c, '2'")
            #expect(try connection.waitForNotification(timeoutMilliseconds: 0)?.payload == "1")
            #expect(try connection.waitForNotification(timeoutMilliseconds: 0)?.payload == "2")
            let start = ContinuousClock.now
            #expect(try connection.waitForNotification(timeoutMilliseconds: 250) == nil)
            #expect(ContinuousClock.now - start >= .milliseconds(250))
        }
    }

    @Test("a wait ends when its task is cancelled")
    func cancelled() async throws {
        let connection = try await freshConnection()
        let task = Task {
            try await connection.perform { try $0.waitForNotification(timeoutMilliseconds: 60_000) }
        }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await connection.perform { try $0.scalar("select 1") } == 1)
    }

    @Test("a wait ends when the server ends the connection")
    func terminated() async throws {
        let options = try await Cluster.shared.database()
        let listener = try await Connection.open(options)
        let other = try await Connection.open(options)
        let pid = await listener.backendProcess
        async let code = codeThrown {
            _ = try await listener.perform {
                try $0.waitForNotification(timeoutMilliseconds: 120_000)
            }
        }
        try await Task.sleep(for: .milliseconds(50))
        _ = try await other.query(sql("select pg_terminate_backend($1)"), [.int32(pid)])
        #expect(await code == .connectionLost)
        #expect(await !listener.isUsable)
    }
}
