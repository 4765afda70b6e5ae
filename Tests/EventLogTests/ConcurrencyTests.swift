import EventLog
import Glibc
import PostgreSQL
import Synchronization
import TestKit
import Testing

@Suite("Many at once")
struct ConcurrencyTests {
    @Test("of 20 parallel appends of one key one is stored and 19 are told where")
    func oneKey() async throws {
        let fresh = try await FreshLog.make()
        let log = try await EventLog.open(
            fresh.options, ledger: fresh.ledger, connectionsMax: 20, allowsUnsafeDurability: true)
        let outcomes = try await withThrowingTaskGroup(of: [AppendOutcome].self) { group in
            for number in 0..<20 {
                let event = newEvent(id: "same", receivedAt: Int64(number))
                group.addTask { try await log.append([event]) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(outcomes.count { $0 == .appended(1) } == 1)
        #expect(outcomes.count { $0 == .duplicate(1) } == 19)
        #expect(try await log.head().size == 1)
        await log.close()
    }

    private struct RolledBack: Error {}

    @Test("twelve writers that hold and roll back: no gaps, and a reader sees each event once")
    func writers() async throws {
        let fresh = try await FreshLog.make()
        let log = try await EventLog.open(
            fresh.options, ledger: fresh.ledger, connectionsMax: 14, allowsUnsafeDurability: true)
        let isDone = Atomic(false)
        let reader = Task {
            var seen: [RecordedEvent] = []
            while true {
                let wasDone = isDone.load(ordering: .acquiring)
                let page = try await log.read(after: seen.last?.position ?? 0, limit: 7)
                seen += page
                if page.isEmpty && wasDone { return seen }
                if page.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
            }
        }
        let committed = try await withThrowingTaskGroup(of: Set<String>.self) { group in
            for writer in 0..<12 {
                group.addTask { try await Self.write(log, writer: writer) }
            }
            return try await group.reduce(into: Set()) { $0.formUnion($1) }
        }
        isDone.store(true, ordering: .releasing)
        let seen = try await reader.value
        #expect(seen.map(\.position) == (1...Int64(seen.count)).map { $0 })
        #expect(seen.count == committed.count)
        #expect(Set(seen.map(\.id)) == committed)
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.recordedAt <= $1.recordedAt })
        #expect(try await log.head().size == Int64(seen.count))
        await log.close()
    }

    /// Appends 25 small batches, each held for up to 4 ms, of which 7 % are rolled back.
    private static func write(_ log: EventLog, writer: Int) async throws -> Set<String> {
        var random = Seeded(UInt64(writer))
        var committed: Set<String> = []
        for round in 0..<25 {
            let ids = (0..<Int.random(in: 1...4, using: &random)).map { "\(writer)/\(round)/\($0)" }
            let holdMicroseconds = UInt32.random(in: 0...4_000, using: &random)
            let isRolledBack = Int.random(in: 0..<100, using: &random) < 7
            do {
                try await log.pool.withConnection { connection in
                    try connection.transaction { connection in
                        _ = try log.append(ids.map { newEvent(id: $0) }, on: connection)
                        usleep(holdMicroseconds)
                        if isRolledBack { throw RolledBack() }
                    }
                }
                committed.formUnion(ids)
            } catch is RolledBack {
                continue
            }
        }
        return committed
    }

    @Test("a thousand appends that are rolled back leave no trace and the tail live")
    func rolledBack() async throws {
        let fresh = try await FreshLog.make()
        let log = fresh.log
        for number in 0..<1_000 {
            await #expect(throws: RolledBack.self) {
                try await log.pool.withConnection { connection in
                    try connection.transaction { connection in
                        _ = try log.append([newEvent(id: "\(number)")], on: connection)
                        throw RolledBack()
                    }
                }
            }
        }
        #expect(try await log.append([newEvent(id: "5")]) == [.appended(1)])
        #expect(try await log.read(after: 0, limit: 9).map(\.id) == ["5"])
    }

    @Test("backends that are killed in between lose nothing and double nothing")
    func killed() async throws {
        let fresh = try await FreshLog.make()
        let isDone = Atomic(false)
        let killed = Atomic(0)
        let killer = Task {
            var options = fresh.options
            options.applicationName = "killer"
            let connection = try await Connection.open(options)
            var size: Int64 = 0
            while !isDone.load(ordering: .acquiring) {
                try await Task.sleep(for: .milliseconds(Int.random(in: 1...20)))
                let now = try await connection.perform { try EventLog.head(on: $0).size }
                // A slow machine could otherwise be killed for ever.
                guard now > size else { continue }
                size = now
                let count = try await connection.perform { try Self.killAppenders(on: $0) }
                killed.add(count, ordering: .relaxed)
            }
        }
        let log = fresh.log
        var round = 0
        while round < 100 || (round < 10_000 && killed.load(ordering: .relaxed) == 0) {
            let events = (0..<20).map { newEvent(id: "\(round)/\($0)") }
            let first = Int64(round * 20)
            let outcomes = try await log.append(events)
            #expect(outcomes == (1...20).map { .appended(first + $0) })
            round += 1
        }
        isDone.store(true, ordering: .releasing)
        try await killer.value
        #expect(killed.load(ordering: .relaxed) > 0)
        // The last kill may reach the log's own connections only now.
        let connection = try await fresh.connect()
        #expect(try await connection.perform { try EventLog.head(on: $0).size } == round * 20)
        let count: Int = try await connection.perform {
            try $0.scalar("select count(distinct event_key) from event_log")
        }
        #expect(count == round * 20)
    }

    private static func killAppenders(on connection: isolated Connection) throws -> Int {
        try connection.query(
            sql(
                """
                select pg_terminate_backend(pid) from pg_stat_activity
                where datname = current_database() and application_name = 'test'
                """)
        ).count
    }

    @Test("two ledgers of one database do not touch")
    func twoLedgers() async throws {
        let one = try await FreshLog.make()
        let two = try await FreshLog.make(database: one.options)
        #expect(one.ledger != two.ledger)
        _ = try await one.log.append([newEvent(id: "a"), newEvent(id: "b")])
        #expect(try await two.log.append([newEvent(id: "b")]) == [.appended(1)])
        #expect(try await one.log.head().size == 2)
        let writer = try await one.connect(as: one.ledger.writerRole)
        for table in ["event_log", "evidence", "log_head", "quarantine", "schema_migration"] {
            let code = await codeThrown {
                try await writer.perform {
                    try $0.run("select from \(two.ledger.name).\(table)")
                }
            }
            #expect(code == .insufficientPrivilege)
        }
        let heads = try await (one.log.head(), two.log.head())
        #expect(heads.0.logId != heads.1.logId)
    }

    @Test("listeners are told once a transaction, on the ledger's own channel")
    func notification() async throws {
        let fresh = try await FreshLog.make()
        let other = try await FreshLog.make(database: fresh.options)
        let listener = try await fresh.connect()
        let channel = fresh.ledger.channel
        try await listener.perform { try $0.listen(channel) }
        _ = try await other.log.append([newEvent(id: "1")])
        _ = try await fresh.log.append((1...50).map { newEvent(id: "\($0)") })
        _ = try await fresh.log.append([newEvent(id: "1")])
        _ = try await fresh.log.append([newEvent(id: "51")])
        let payloads = try await listener.perform { connection in
            let first = try connection.waitForNotification(timeoutMilliseconds: 5_000)
            let second = try connection.waitForNotification(timeoutMilliseconds: 5_000)
            let third = try connection.waitForNotification(timeoutMilliseconds: 50)
            return [first, second, third].map { $0?.payload }
        }
        #expect(payloads == ["50", "51", nil])
    }
}
