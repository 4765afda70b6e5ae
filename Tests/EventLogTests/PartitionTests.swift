import Cryptography
import PostgreSQL
import Synchronization
import TestKit
import Testing

@testable import EventLog

@Suite("A log in partitions")
struct PartitionTests {
    private func partition(_ fresh: FreshLog, width: Int64? = nil) async throws -> [Int64] {
        let connection = try await fresh.connect()
        let new = try await LogPartitioner(ledger: fresh.ledger).run(width: width, on: connection)
        await connection.close()
        return new
    }

    private func events(_ numbers: ClosedRange<Int>) -> [NewEvent] {
        numbers.map { number in
            var event = newEvent(id: "\(number)")
            event.personal = [0..<4]
            event.evidence = [Evidence(bytes: [UInt8(number % 3)], range: nil)]
            return event
        }
    }

    private func rows(_ fresh: FreshLog) async throws -> [String] {
        let connection = try await fresh.connect()
        return try await connection.perform {
            try $0.query(sql("select e::text from event_log e order by position")).map {
                try $0.value(at: 0)
            }
        }
    }

    /// How many rows stand in which partition.
    private func counts(_ fresh: FreshLog) async throws -> [String: Int64] {
        let connection = try await fresh.connect()
        return try await connection.perform { connection in
            var counts: [String: Int64] = [:]
            let parts = try connection.query(
                sql(
                    """
                    select relid::regclass::text from pg_partition_tree('event_log') where isleaf
                    """))
            for part in parts {
                let name: String = try part.value(at: 0)
                counts[name] = try connection.scalar("select count(*) from \(name)")
            }
            return counts
        }
    }

    private func expectWhole(_ fresh: FreshLog, size: Int64) async throws {
        let report = try await LogVerifier(of: fresh.log, parallelism: 2, pageMax: 256).verify(
            withEvidence: true)
        #expect(report.findings == [] && report.size == size)
        #expect(try await SchemaMigrator(ledger: fresh.ledger).verified(fresh) == [])
    }

    @Test("an existing log becomes the first of its partitions, and no row changes")
    func existing() async throws {
        let fresh = try await FreshLog.make()
        _ = try await fresh.log.append(events(1...25))
        let (before, head) = try await (rows(fresh), fresh.log.head())
        #expect(try await partition(fresh, width: 10) == [1, 31, 41])
        #expect(try await rows(fresh) == before)
        #expect(try await fresh.log.head() == head)
        #expect(
            try await counts(fresh) == [
                "event_log_p1": 25, "event_log_p31": 0, "event_log_p41": 0,
                "event_log_default": 0,
            ])
        #expect(try await partition(fresh) == [])
        try await expectWhole(fresh, size: 25)
    }

    @Test("events go on over the partitions' bounds, each once, in one order")
    func bounds() async throws {
        let fresh = try await FreshLog.make()
        #expect(try await partition(fresh, width: 10) == [1, 11, 21])
        _ = try await fresh.log.append(events(1...13))
        #expect(try await partition(fresh) == [31])
        _ = try await fresh.log.append(events(14...90))
        let again = try await fresh.log.append(events(5...15))
        #expect(again == (5...15).map { .duplicate($0) })
        let conflict = try await fresh.log.append([newEvent(id: "3", data: "0")])
        #expect(conflict == [.conflict(first: 3, kept: 91)])
        #expect(
            try await fresh.log.read(after: 8, limit: 80).map(\.position) == (9...88).map { $0 })
        let key = EventKey(source: "platform", id: "42")
        #expect(try await fresh.log.positions(eventKeys: [key]) == [key: 42])
        #expect(try await partition(fresh) == [41, 101, 111])
        try await expectWhole(fresh, size: 91)
    }

    @Test("what nobody made a partition for in time is caught, and becomes one")
    func late() async throws {
        let fresh = try await FreshLog.make()
        _ = try await partition(fresh, width: 10)
        _ = try await fresh.log.append(events(1...57))
        #expect(try await counts(fresh)["event_log_default"] == 27)
        let findings = try await SchemaMigrator(ledger: fresh.ledger).verified(fresh)
        #expect(findings.map(\.migration) == ["0005-partitions"])
        let before = try await rows(fresh)
        #expect(try await partition(fresh) == [31, 61, 71])
        #expect(try await rows(fresh) == before)
        #expect(
            try await counts(fresh) == [
                "event_log_p1": 10, "event_log_p11": 10, "event_log_p21": 10,
                "event_log_p31": 27, "event_log_p61": 0, "event_log_p71": 0,
                "event_log_default": 0,
            ])
        _ = try await fresh.log.append(events(58...99))
        #expect(try await partition(fresh, width: 1_000) == [81, 1_001, 2_001])
        try await expectWhole(fresh, size: 99)
    }

    @Test("every partition is guarded as the log is, also from its owner and the superuser")
    func guarded() async throws {
        let fresh = try await FreshLog.make()
        _ = try await fresh.log.append(events(1...5))
        _ = try await partition(fresh, width: 10)
        _ = try await fresh.log.append(events(6...45))
        let before = try await rows(fresh)
        let tables = ["event_log", "event_log_p1", "event_log_p11", "event_log_default"]
        let changes = tables.flatMap { table in
            [
                "update \(table) set body = ''", "update \(table) set personal = null",
                "delete from \(table)", "truncate \(table)",
                "delete from \(table) where position in (3, 13, 43)",
                "insert into \(table) select * from \(table) on conflict (position) "
                    + "do update set body = ''",
            ]
        }
        let more = ["update event_key set position = 1", "delete from event_key"]
        for role in [nil, fresh.ledger.ownerRole, fresh.ledger.writerRole] {
            for setting in ["origin", "replica"] {
                let connection = try await fresh.connect()
                try await connection.perform {
                    try $0.run("set session_replication_role = \(setting)")
                    if let role { try $0.run("set role \(role)") }
                }
                for change in changes + more {
                    let code = await codeThrown {
                        try await connection.perform { try $0.run(change) }
                    }
                    #expect(code != nil, "\(role ?? "superuser"), \(setting): \(change)")
                }
                await connection.close()
            }
        }
        #expect(try await rows(fresh) == before)
    }

    @Test("a row that is put into a partition directly must be the next, and its key new")
    func direct() async throws {
        let fresh = try await FreshLog.make()
        _ = try await partition(fresh, width: 10)
        _ = try await fresh.log.append(events(1...12))
        let superuser = try await fresh.connect()
        func code(position: Int, id: String) async -> PostgreSQLError.Code? {
            await codeThrown {
                try await superuser.perform {
                    try $0.run(
                        """
                        insert into event_log_p11
                        select (jsonb_populate_record(e, jsonb_build_object('position', \(position),
                            'event_key', substr(sha256('\(id)'), 1, 16)))).*
                        from event_log e where position = 12
                        """)
                }
            }
        }
        #expect(await code(position: 14, id: "new") == restricted)
        // The head's own trigger lets no row stand without its leaf.
        #expect(await code(position: 13, id: "new") == restricted)
        let again = await codeThrown {
            try await superuser.perform {
                try $0.run(
                    """
                    insert into event_log_p11
                    select (jsonb_populate_record(e, '{"position": 13}')).*
                    from event_log e where position = 12
                    """)
            }
        }
        #expect(again == .uniqueViolation)
        #expect(try await fresh.log.append([newEvent(id: "13")]) == [.appended(13)])
    }

    private final class Flag: Sendable {
        private let value = Atomic(false)
        var isUp: Bool { value.load(ordering: .acquiring) }
        func raise() { value.store(true, ordering: .releasing) }
    }

    @Test("appends and readers go on while partitions are made", .timeLimit(.minutes(5)))
    func meanwhile() async throws {
        let fresh = try await FreshLog.make()
        let appender = Appender(fresh.log)
        let done = Flag()
        let writers = (0..<4).map { writer in
            Task {
                var positions: [Int64] = []
                var number = 0
                while !done.isUp {
                    let ids = (0..<5).map { "\(writer)/\(number)/\($0)" }
                    for outcome in try await appender.append(ids.map { newEvent(id: $0) }) {
                        guard case .appended(let position) = outcome else { continue }
                        positions.append(position)
                    }
                    number += 1
                    try await Task.sleep(for: .milliseconds(5))
                }
                return positions
            }
        }
        let reader = Task {
            var seen: [Int64] = []
            while true {
                let wasDone = done.isUp
                let page = try await fresh.log.read(after: seen.last ?? 0, limit: 100)
                seen += page.map(\.position)
                if page.isEmpty && wasDone { return seen }
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        for round in 0..<6 {
            _ = try await partition(fresh, width: round == 0 ? 40 : nil)
            let size = try await fresh.log.head().size
            while try await fresh.log.head().size < size + 60 {
                try await Task.sleep(for: .milliseconds(2))
            }
        }
        done.raise()
        var positions: [Int64] = []
        for writer in writers { positions += try await writer.value }
        let size = Int64(positions.count)
        #expect(positions.sorted() == (1...size).map { $0 })
        // What was written between its last look and the end it reads afterwards.
        var seen = try await reader.value
        while case let page = try await fresh.log.read(after: seen.last ?? 0, limit: 1_000),
            !page.isEmpty
        { seen += page.map(\.position) }
        #expect(seen == (1...size).map { $0 })
        _ = try await partition(fresh)
        try await expectWhole(fresh, size: size)
    }

    @Test("the eraser empties values of any partition; a key that was taken away is found")
    func erasedAndTampered() async throws {
        let fresh = try await FreshLog.make()
        _ = try await partition(fresh, width: 10)
        _ = try await fresh.log.append(events(1...30))
        let eraser = try await fresh.connect(as: fresh.ledger.eraserRole)
        try await eraser.perform {
            try $0.run(
                """
                update event_log set personal = null, personal_salt = null where position in (4, 24)
                """)
        }
        _ = try await fresh.log.append([
            newEvent(id: "e", type: "subject.erased", data: #"{"positions":[4,24]}"#)
        ])
        _ = try await partition(fresh)
        try await expectWhole(fresh, size: 31)
        let superuser = try await fresh.connect()
        try await superuser.perform {
            try $0.run(
                """
                alter table event_key disable trigger all;
                delete from event_key where position in (7, 17);
                update event_key set position = 1 where position = 18;
                alter table event_key enable always trigger event_key_refuse
                """)
        }
        let findings = try await LogVerifier(of: fresh.log).verify().findings
        #expect(findings == [LogFinding(kind: .keyTable, position: 7, count: 3)])
    }

    @Test("keys of no event are found, within the log and beyond its end")
    func surplusKeys() async throws {
        let fresh = try await FreshLog.make()
        _ = try await fresh.log.append(events(1...15))
        _ = try await partition(fresh, width: 10)
        let verifier = LogVerifier(of: fresh.log)
        #expect(try await verifier.verify(withEvidence: true).findings == [])
        let superuser = try await fresh.connect()
        try await superuser.perform {
            try $0.run(
                """
                insert into event_key select substr(sha256(n::text::bytea), 1, 16), n
                from unnest(array[-1, 5, 16]) as n
                """)
        }
        #expect(
            try await verifier.verify(withEvidence: true).findings
                == [LogFinding(kind: .keyTableSurplus, position: nil, count: 3)])
    }

    @Test("a log of many events gets its keys in bounded steps, and goes on where it was")
    func many() async throws {
        let fresh = try await FreshLog.make()
        _ = try await fresh.log.append((1...9_000).map { newEvent(id: "\($0)", data: "1") })
        let superuser = try await fresh.connect()
        try await superuser.perform {
            try $0.run("insert into log_partitioning (width) values (4000)")
            for _ in 0..<2 { try $0.run("select log_fill_keys(3000)") }
            let keys: Int64 = try $0.scalar("select count(*) from event_key")
            #expect(keys == 6_000)
        }
        #expect(try await partition(fresh) == [1, 12_001, 16_001])
        #expect(try await fresh.log.append([newEvent(id: "1", data: "1")]) == [.duplicate(1)])
        try await expectWhole(fresh, size: 9_000)
        #expect(try await fresh.log.statistics().bytes > 9_000 * 500)
    }

    @Test("nothing is partitioned before somebody says how wide, nor while a view reads the log")
    func refused() async throws {
        let fresh = try await FreshLog.make()
        await #expect(throws: EventLogError.notPartitioned) { try await partition(fresh) }
        let superuser = try await fresh.connect()
        try await superuser.perform { try $0.run("create view mine as select * from event_log") }
        let code = await codeThrown { _ = try await partition(fresh, width: 10) }
        #expect(code == PostgreSQLError.Code(rawValue: "2BP01"))
        try await superuser.perform { try $0.run("drop view mine") }
        #expect(try await partition(fresh, width: 10) == [1, 11, 21])
    }

    @Test("verify finds that nothing keeps the positions or keys of a log apart any more")
    func unkeyed() async throws {
        for constraint in ["event_log_pkey", "event_log_event_key_key"] {
            let fresh = try await FreshLog.make()
            #expect(try await SchemaMigrator(ledger: fresh.ledger).verified(fresh) == [])
            let connection = try await fresh.connect()
            try await connection.perform {
                try $0.run("alter table event_log drop constraint \(constraint)")
            }
            let found = try await SchemaMigrator(ledger: fresh.ledger).verified(fresh)
            #expect(found.map(\.migration) == ["0005-partitions"], "\(constraint)")
        }
    }

    @Test("verify finds a guard that was taken from a partition, and a right that was given")
    func verified() async throws {
        let tampered = [
            "alter table event_log_p1 disable trigger event_log_update",
            "alter table event_log_p11 enable replica trigger event_log_advance",
            "drop trigger event_log_keys on event_log_default",
            "alter table event_key disable trigger event_key_refuse",
            "alter table event_key drop constraint event_key_pkey",
            "grant insert on event_log_p1 to ROLE", "grant delete on event_key to ROLE",
        ]
        for statement in tampered {
            let fresh = try await FreshLog.make()
            _ = try await partition(fresh, width: 10)
            #expect(try await SchemaMigrator(ledger: fresh.ledger).verified(fresh) == [])
            let connection = try await fresh.connect()
            try await connection.perform {
                try $0.run(statement.replacing("ROLE", with: fresh.ledger.writerRole))
            }
            let found = try await SchemaMigrator(ledger: fresh.ledger).verified(fresh)
            #expect(found.count == 1, "\(statement): \(found)")
        }
    }
}
