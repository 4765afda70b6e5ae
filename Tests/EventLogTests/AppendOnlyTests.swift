import Cryptography
import PostgreSQL
import TestKit
import Testing

@testable import EventLog

@Suite("The log only grows")
struct AppendOnlyTests {
    private static let changes = [
        "update event_log set body = body", "update event_log set body = '' where position = 1",
        "update event_log set personal = null", "update event_log set personal_salt = null",
        "update event_log set personal = '\\x01'",
        "update event_log set position = position + 10", "delete from event_log",
        "delete from event_log where position = 3", "truncate event_log",
        "truncate event_log cascade", "update evidence set bytes = bytes",
        "update evidence set size = 0", "update evidence set digest = sha256(digest)",
        "insert into evidence values (sha256('x'), null, 1, now())",
        "delete from evidence", "truncate evidence", "delete from log_head", "truncate log_head",
        "update log_head set size = size + 1", "update log_head set size = 0",
        "update log_head set recorded_at = recorded_at + interval '1 day'",
        "update log_head set log_id = gen_random_uuid()", "update log_head set epoch = 0",
        "insert into log_head default values",
        "insert into event_log select * from event_log on conflict (position) do update "
            + "set body = ''",
        "merge into event_log e using event_log s on e.position = s.position "
            + "when matched then delete",
    ]

    private static let refusals: Set<PostgreSQLError.Code?> = [
        restricted, .insufficientPrivilege, .uniqueViolation, .checkViolation,
    ]

    private func freshWithRows() async throws -> FreshLog {
        let fresh = try await FreshLog.make()
        let events = (1...3).map { number in
            var event = newEvent(id: "\(number)")
            event.personal = [0..<4]
            event.evidence = [Evidence(bytes: [UInt8(number)], range: nil)]
            return event
        }
        _ = try await fresh.log.append(events)
        return fresh
    }

    private func contents(_ connection: Connection) async throws -> String {
        try await connection.perform {
            try $0.scalar(
                """
                select concat((select string_agg(e::text, ',' order by position) from event_log e),
                    (select string_agg(v::text, ',' order by digest) from evidence v),
                    (select string_agg(h::text, ',') from log_head h))
                """)
        }
    }

    @Test("every role is refused UPDATE, DELETE and TRUNCATE, also the owner and the superuser")
    func everyRole() async throws {
        let fresh = try await freshWithRows()
        let ledger = fresh.ledger
        let superuser = try await fresh.connect()
        let before = try await contents(superuser)
        let roles = [
            nil, ledger.ownerRole, ledger.writerRole, ledger.readerRole, ledger.auditorRole,
            ledger.eraserRole,
        ]
        for role in roles {
            let connection = try await fresh.connect(as: role)
            for change in Self.changes {
                let code = await codeThrown { try await connection.perform { try $0.run(change) } }
                #expect(Self.refusals.contains(code), "\(role ?? "superuser"): \(change)")
            }
            await connection.close()
        }
        #expect(try await contents(superuser) == before)
        #expect(try await fresh.log.append([newEvent(id: "4")]) == [.appended(4)])
    }

    @Test("session_replication_role does not put the triggers to sleep")
    func replica() async throws {
        let fresh = try await freshWithRows()
        let superuser = try await fresh.connect()
        let before = try await contents(superuser)
        for role in ["none", fresh.ledger.ownerRole] {
            for change in Self.changes {
                let code = await codeThrown {
                    try await superuser.perform { connection in
                        try connection.run("reset role; set session_replication_role = replica")
                        try connection.run("set role \(role)")
                        try connection.run(change)
                    }
                }
                #expect(Self.refusals.contains(code), "\(change)")
            }
            let gap = await codeThrown {
                try await superuser.perform { try insert([9], on: $0) }
            }
            #expect(gap == restricted)
        }
        try await superuser.perform { try $0.run("reset role") }
        #expect(try await contents(superuser) == before)
    }

    @Test("only the writer's role may insert")
    func insertion() async throws {
        let fresh = try await freshWithRows()
        let ledger = fresh.ledger
        for role in [ledger.readerRole, ledger.auditorRole, ledger.eraserRole] {
            let connection = try await fresh.connect(as: role)
            let code = await codeThrown {
                try await connection.perform { try insert([4], on: $0) }
            }
            #expect(code == .insufficientPrivilege)
        }
        let writer = try await fresh.connect(as: ledger.writerRole)
        try await writer.perform { try insert([4], on: $0) }
        #expect(try await fresh.log.head().size == 4)
    }

    @Test("the writer's role can do all that the log and its quarantine do")
    func writer() async throws {
        let fresh = try await FreshLog.make()
        var options = fresh.options
        options.role = fresh.ledger.writerRole
        let log = try await EventLog.open(
            options, ledger: fresh.ledger, allowsUnsafeDurability: true)
        let event = newEvent(id: "1")
        #expect(try await log.append([event, event]) == [.appended(1), .duplicate(1)])
        let quarantine = Quarantine(of: log)
        let refusal = Refusal(bytes: [1], door: "d", reason: "r", receivedAt: 0)
        #expect(try await quarantine.refuse([refusal]).map(\.log) == [.recorded(2)])
        #expect(try await quarantine.items().count == 1)
        let act = AdminAct(action: "quarantine.drop", actor: "op", reason: "spam", at: 0)
        #expect(try await quarantine.drop(SHA256.hash([1]), act))
        #expect(try await quarantine.prune() == 0)
        #expect(try await quarantine.counts().count == 1)
    }

    @Test(
        "every position but the next is refused",
        arguments: [[2], [0], [-1], [5, 6], [4, 6], [4, 5, 7], [3, 4], [3], [4, 4], [104]])
    func positions(positions: [Int64]) async throws {
        let fresh = try await freshWithRows()
        let connection = try await fresh.connect()
        let code = await codeThrown {
            try await connection.perform { try insert(positions, on: $0) }
        }
        #expect(Self.refusals.contains(code))
        #expect(try await fresh.log.head().size == 3)
    }

    @Test(
        "the next positions may come in any order of one statement, and in several of a transaction"
    )
    func nextPositions() async throws {
        let fresh = try await freshWithRows()
        let connection = try await fresh.connect(as: fresh.ledger.writerRole)
        try await connection.perform { connection in
            try insert([6, 4, 5], on: connection)
            try connection.transaction { connection in
                try insertRows([7], on: connection)
                try insertRows([8, 9], on: connection)
                try growTree(on: connection)
            }
            try insert([], on: connection)
        }
        #expect(try await fresh.log.head().size == 9)
    }

    @Test("the owner may raise the epoch, and only raise it")
    func epoch() async throws {
        let fresh = try await freshWithRows()
        let raise = "update log_head set epoch = epoch + 1"
        let owner = try await fresh.connect(as: fresh.ledger.ownerRole)
        try await owner.perform { try $0.run(raise) }
        #expect(try await fresh.log.head().epoch == 2)
        let lower = await codeThrown {
            try await owner.perform { try $0.run("update log_head set epoch = 1") }
        }
        #expect(lower == restricted)
        let writer = try await fresh.connect(as: fresh.ledger.writerRole)
        let byWriter = await codeThrown { try await writer.perform { try $0.run(raise) } }
        #expect(byWriter == .insufficientPrivilege)
        #expect(try await fresh.log.append([newEvent(id: "4")]) == [.appended(4)])
    }

    private static let treeChanges = [
        "update log_head set root = sha256('x')",
        "update log_head set tree_size = tree_size + 1",
        "update log_head set tree_size = 0, edge = '', root = sha256('')",
        "update log_head set tree_size = 2, edge = sha256('a')",
        "insert into log_tile values (0, 1, sha256('a'), repeat('a', 8192)::bytea)",
        "insert into log_tile values (1, 0, sha256('a'), repeat('a', 8192)::bytea)",
        "insert into log_tile values (0, 0, sha256('a'), 'too short')",
        "update log_tile set root = sha256(root)", "delete from log_tile", "truncate log_tile",
    ]

    @Test("the tree only grows, and with the log")
    func tree() async throws {
        let fresh = try await FreshLog.make()
        _ = try await fresh.log.append((1...300).map { newEvent(id: "\($0)") })
        let root = try await fresh.log.head().root
        let ledger = fresh.ledger
        for role in [
            nil, ledger.ownerRole, ledger.writerRole, ledger.readerRole, ledger.eraserRole,
        ] {
            let connection = try await fresh.connect(as: role)
            for change in Self.treeChanges {
                let code = await codeThrown { try await connection.perform { try $0.run(change) } }
                #expect(Self.refusals.contains(code), "\(role ?? "superuser"): \(change)")
            }
            await connection.close()
        }
        #expect(try await fresh.log.head().root == root)
    }

    @Test("rows without their leaves are undone at commit, whoever writes them and however")
    func rowsWithoutLeaves() async throws {
        let fresh = try await freshWithRows()
        let connection = try await fresh.connect()
        for role in ["none", fresh.ledger.ownerRole, fresh.ledger.writerRole] {
            for before in ["", "; set constraints all deferred"] {
                let code = await codeThrown {
                    try await connection.perform { connection in
                        try connection.run("reset role; set session_replication_role = replica")
                        try connection.run("set role \(role)")
                        try connection.transaction { connection in
                            try connection.run("select 1" + before)
                            try insertRows([4], on: connection)
                        }
                    }
                }
                #expect(code == restricted)
            }
        }
        #expect(try await fresh.log.head().size == 3)
    }

    @Test("256 rows without their tile are undone at commit")
    func rowsWithoutTile() async throws {
        let fresh = try await freshWithRows()
        let connection = try await fresh.connect()
        let code = await codeThrown {
            try await connection.perform { connection in
                try connection.transaction { connection in
                    try insertRows((4...256).map { $0 }, on: connection)
                    var tree = try HeadLock.take(isDurable: false, on: connection).edge
                    for row in try connection.query(.logLeaves, [.int64(3), .int64(256)]) {
                        tree.append(try row.value(at: 0))
                    }
                    _ = try connection.query(
                        .logAdvanceTree,
                        [.int64(256), .bytea(tree.root), .bytea(tree.encoded), .text(nil)])
                }
            }
        }
        #expect(code == restricted)
    }

    @Test("an event is not recorded before its predecessor")
    func recordedAt() async throws {
        let fresh = try await freshWithRows()
        let connection = try await fresh.connect()
        let earlier = await codeThrown {
            try await connection.perform { try insert([4], recordedAt: "epoch", on: $0) }
        }
        #expect(earlier == restricted)
        let mixed = await codeThrown {
            try await connection.perform {
                try insert([4, 5], recordedAt: "now() + make_interval(secs => 10 - p)", on: $0)
            }
        }
        #expect(mixed == restricted)
        let infinite = await codeThrown {
            try await connection.perform { try insert([4], recordedAt: "infinity", on: $0) }
        }
        #expect(infinite == .checkViolation)
    }

    @Test("where the clock was set back, the log's instants stand still")
    func clockSetBack() async throws {
        let fresh = try await FreshLog.make()
        let connection = try await fresh.connect()
        try await connection.perform {
            try insert([1], recordedAt: "2999-01-01T00:00:00Z", on: $0)
        }
        _ = try await fresh.log.append([newEvent(id: "a"), newEvent(id: "b")])
        let instants = try await fresh.log.read(after: 0, limit: 9).map(\.recordedAt)
        #expect(Set(instants) == [32_472_144_000_000])
    }

    /// Rows as somebody would forge them: right in all but, perhaps, their positions.
    private func insert(
        _ positions: [Int64], recordedAt: String = "now() + interval '1 minute'",
        on connection: isolated Connection
    ) throws {
        try connection.transaction { connection in
            try insertRows(positions, recordedAt: recordedAt, on: connection)
            try growTree(on: connection)
        }
    }

    private func insertRows(
        _ positions: [Int64], recordedAt: String = "now() + interval '1 minute'",
        on connection: isolated Connection
    ) throws {
        let isExpression = recordedAt.contains("(")
        let instant = isExpression ? recordedAt : "'\(recordedAt)'::timestamptz"
        _ = try connection.query(
            Statement(
                name: "insert-\(recordedAt)",
                sql: """
                    insert into event_log (position, received_at, recorded_at, event_key, source,
                        id, type, leaf, personal_digest, personal_salt, personal, body, parts)
                    select p, now(), \(instant),
                        substr(sha256(convert_to(p::text || clock_timestamp(), 'UTF8')), 1, 16),
                        's', 'forged ' || p, 't', sha256(''), sha256(''), sha256(''), '\\x01',
                        'null', '[]'
                    from unnest($1::bigint[]) as p
                    """), [.int64s(positions)])
    }
}
