import EventLog
import Glibc
import PostgreSQL
import TestKit
import Testing

@Suite("What goes wrong elsewhere")
struct MishapTests {
    @Test("the line cut between COMMIT and its answer: one event, told as appended")
    func cutLine() async throws {
        let fresh = try await FreshLog.make()
        let folder = try TemporaryFolder()
        let server = try #require(host(of: fresh.options))
        let proxy = CuttingProxy(folder: folder.path, server: "\(server)/.s.PGSQL.5432")
        defer { proxy.close() }
        let name: String = try await fresh.log.pool.withConnection {
            try $0.scalar("select current_database()::text")
        }
        let options = try ConnectionOptions(
            keywords: [
                "host": folder.path, "port": "5432", "user": "postgres", "dbname": name,
            ], applicationName: "test")
        let log = try await EventLog.open(
            options, ledger: fresh.ledger, connectionsMax: 1, allowsUnsafeDurability: true)
        let appender = Appender(log)
        #expect(try await appender.append([newEvent(id: "0")]) == [.appended(1)])
        for number in 1...5 {
            proxy.arm()
            let events = [newEvent(id: "\(number)"), newEvent(id: "0")]
            let outcomes = try await appender.append(events)
            #expect(outcomes == [.appended(Int64(number) + 1), .duplicate(1)])
            #expect(proxy.cuts == number)
        }
        #expect(await appender.statistics.reconnections == 5)
        #expect(try await fresh.log.head().size == 6)
        await log.close()
    }

    private func host(of options: ConnectionOptions) -> String? {
        options.description.split(separator: " ").first { $0.hasPrefix("host=") }
            .map { String($0.dropFirst(5)) }
    }

    @Test("a deadlock ends with another try, which is counted", .timeLimit(.minutes(2)))
    func deadlock() async throws {
        let cluster = Cluster(settings: ["deadlock_timeout": "2s"])
        let fresh = try await FreshLog.make(on: cluster)
        let appender = Appender(fresh.log)
        var event = newEvent(id: "1")
        event.evidence = [Evidence(bytes: [7], range: nil)]
        let other = try await fresh.connect()
        try await other.perform { connection in
            // This one waits for longer, so the appender finds the knot first.
            try connection.run(
                """
                set deadlock_timeout = '60s'; begin;
                insert into evidence values (sha256('\\x07'), '\\x07', 1, now())
                """)
        }
        let append = Task { [event] in try await appender.append([event]) }
        let watcher = try await fresh.connect()
        var isWaiting = false
        while !isWaiting {
            isWaiting = try await watcher.perform {
                try $0.scalar("select exists (select from pg_locks where not granted)")
            }
        }
        try await other.perform { try $0.run("select from log_head for update; commit") }
        #expect(try await append.value == [.appended(1)])
        #expect(await appender.statistics.retries == 1)
        await fresh.log.close()
        try await cluster.remove()
    }

    @Test("a session idle in a transaction on another table, or another database, stalls nothing")
    func idleInTransaction() async throws {
        let fresh = try await FreshLog.make()
        let sessions = [
            try await fresh.connect(), try await Connection.open(Cluster.shared.database()),
        ]
        for session in sessions {
            try await session.perform { connection in
                try connection.run("create table elsewhere (number int)")
                try connection.run(
                    "begin isolation level repeatable read; insert into elsewhere values (1)")
            }
        }
        let appender = Appender(fresh.log)
        #expect(try await appender.append([newEvent(id: "1")]) == [.appended(1)])
        #expect(try await fresh.log.read(after: 0, limit: 1).map(\.id) == ["1"])
        #expect(try await LogVerifier(of: fresh.log).verify().findings == [])
        for session in sessions { await session.close() }
    }

    @Test("the same notification after 30 days and very many events: still one")
    func late() async throws {
        let fresh = try await FreshLog.make()
        let notification = newEvent(id: "notification", source: "apple")
        #expect(try await fresh.log.append([notification]) == [.appended(1)])
        let count = Int64(Effort.times(20_000, full: 2_000_000))
        let connection = try await fresh.connect()
        try await connection.perform { connection in
            try connection.transaction { connection in
                _ = try connection.query(
                    sql(
                        """
                        insert into event_log (position, received_at, recorded_at, event_key,
                            source, id, type, leaf, personal_digest, personal_salt, personal, body,
                            parts)
                        select 1 + p, now(), now(), substr(sha256(p::text::bytea), 1, 16), 's',
                            p::text, 't', sha256(p::text::bytea), sha256(''), sha256(''), '\\x01',
                            'null', '[]'
                        from generate_series(1, $1) as p
                        """), [.int64(count)])
                try growTree(on: connection)
            }
        }
        var later = notification
        later.receivedAt += 30 * 86_400_000
        #expect(try await fresh.log.append([later]) == [.duplicate(1)])
        #expect(try await Appender(fresh.log).append([later]) == [.duplicate(1)])
        #expect(try await fresh.log.head().size == count + 1)
    }
}
