import PostgreSQL
import TestKit
import Testing

@testable import EventLog

@Suite("Migrations")
struct MigrationTests {
    private let names = Migration.all.map(\.name)

    private func ledger(_ name: String) throws -> Ledger { try Ledger("migration_\(name)") }

    @Test("a second run applies nothing, and runs no DDL")
    func twice() async throws {
        let connection = try await Connection.open(Cluster.shared.database())
        let migrator = SchemaMigrator(ledger: try ledger("twice"))
        #expect(try await migrator.up(on: connection) == names)
        try await connection.perform {
            try $0.run(
                """
                create function refuse() returns event_trigger language plpgsql
                    as 'begin raise exception $$DDL$$; end';
                create event trigger refuse on ddl_command_start execute function refuse();
                """)
        }
        #expect(try await migrator.up(on: connection) == [])
        let status = try await connection.perform { try migrator.status(on: $0) }
        #expect(status.problem == nil && status.pending.isEmpty)
        #expect(status.applied.map(\.name) == names)
        #expect(try await connection.perform { try migrator.verify(on: $0) } == [])
    }

    @Test("runs at the same time apply each migration once")
    func concurrently() async throws {
        let options = try await Cluster.shared.database()
        let migrator = SchemaMigrator(ledger: try ledger("concurrently"))
        let applied = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let connection = try await Connection.open(options)
                    return try await migrator.up(on: connection)
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(applied.sorted() == names)
    }

    @Test("ledgers of one name in two databases share their roles and are made at the same time")
    func twoDatabases() async throws {
        let migrator = SchemaMigrator(ledger: try ledger("two_databases"))
        let options = try await [Cluster.shared.database(), Cluster.shared.database()]
        let applied = try await withThrowingTaskGroup(of: [String].self) { group in
            for options in options {
                group.addTask {
                    let connection = try await Connection.open(options)
                    return try await migrator.up(on: connection)
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(applied.count == 2 * names.count)
    }

    @Test(
        "a changed, an unknown, a missing and a pending migration are told, and open refuses them")
    func problems() async throws {
        let options = try await Cluster.shared.database()
        let connection = try await Connection.open(options)
        let ledger = try ledger("problems")
        func problem(_ migrations: [Migration]) async throws -> SchemaProblem? {
            let migrator = SchemaMigrator(ledger: ledger, migrations: migrations)
            return try await connection.perform { try migrator.status(on: $0).problem }
        }
        func openProblem() async throws -> SchemaProblem? {
            do {
                await (try EventLog.open(options, ledger: ledger)).close()
                return nil
            } catch let error as EventLogError {
                guard case .schema(let problem) = error else { return nil }
                #expect(error.description == problem.description)
                return problem
            }
        }
        #expect(try await openProblem() == .missing(ledger: ledger.name))
        _ = try await SchemaMigrator(ledger: ledger, migrations: [Migration.all[0]])
            .up(on: connection)
        let behind = SchemaProblem.behind(ledger: ledger.name, pending: names.count - 1)
        #expect(try await openProblem() == behind)
        #expect(behind.description.contains("quittance schema up"))

        let first = Migration.all[0]
        let changed = Migration(
            number: 1, name: first.name, up: first.up + " ", verify: first.verify)
        let told = SchemaProblem.changed(ledger: ledger.name, migration: first.name)
        #expect(try await problem([changed]) == told)
        await #expect(throws: EventLogError.schema(told)) {
            try await SchemaMigrator(ledger: ledger, migrations: [changed]).up(on: connection)
        }
        let unknown = SchemaProblem.unknown(ledger: ledger.name, migration: first.name)
        #expect(try await problem(Array(Migration.all.dropFirst())) == unknown)
        await #expect(throws: EventLogError.schema(unknown)) {
            try await SchemaMigrator(ledger: ledger, migrations: Array(Migration.all.dropFirst()))
                .up(on: connection)
        }
        #expect(
            try await SchemaMigrator(ledger: ledger).up(on: connection) == Array(names.dropFirst()))
        #expect(try await openProblem() == nil)
    }

    @Test("a migration that fails leaves nothing behind")
    func failing() async throws {
        let connection = try await Connection.open(Cluster.shared.database())
        let ledger = try ledger("failing")
        let bad = Migration(
            number: 1, name: "0001-bad", up: "create table half (); select 1/0", verify: "")
        let code = await codeThrown {
            _ = try await SchemaMigrator(ledger: ledger, migrations: [bad]).up(on: connection)
        }
        #expect(code == PostgreSQLError.Code(rawValue: "22012"))
        let found: Bool = try await connection.perform {
            try $0.scalar("select to_regclass('migration_failing.half') is not null")
        }
        #expect(!found)
    }

    @Test("a migration waits for a lock only briefly, and tries again")
    func locks() async throws {
        let fresh = try await FreshLog.make()
        let blocker = try await fresh.connect()
        try await blocker.perform { try $0.run("begin; lock table event_log in share mode") }
        let more = Migration(
            number: 9_999, name: "9999-more", up: "alter table event_log add column more int",
            verify: "")
        let migrator = SchemaMigrator(
            ledger: fresh.ledger, migrations: Migration.all + [more], lockTimeoutMilliseconds: 20)
        let connection = try await fresh.connect()
        let migration = Task { try await migrator.up(on: connection) }
        // Others get through while it tries.
        try await Task.sleep(for: .milliseconds(150))
        let readable = try await fresh.log.read(after: 0, limit: 1)
        #expect(readable.isEmpty)
        try await blocker.perform { try $0.run("rollback") }
        #expect(try await migration.value == ["9999-more"])
    }

    @Test("a role with CREATEROLE and the right to create a schema is enough")
    func createRole() async throws {
        let connection = try await Connection.open(Cluster.shared.database())
        let ledger = try ledger("by_a_role")
        try await connection.perform { connection in
            let database: String = try connection.scalar("select current_database()::text")
            try connection.run(
                """
                create role migrating login createrole;
                grant create on database \(database) to migrating;
                set session authorization migrating
                """)
        }
        let migrator = SchemaMigrator(ledger: ledger)
        #expect(try await migrator.up(on: connection) == names)
        #expect(try await connection.perform { try migrator.verify(on: $0) } == [])
    }

    @Test("verify finds what was taken away")
    func verify() async throws {
        let tampered = [
            "alter table event_log disable trigger event_log_refuse",
            "alter table event_log enable replica trigger event_log_advance",
            "drop trigger evidence_update on evidence",
            "alter table event_log alter body set storage extended",
        ]
        for statement in tampered {
            let fresh = try await FreshLog.make()
            let migrator = SchemaMigrator(ledger: fresh.ledger)
            #expect(try await migrator.verified(fresh).isEmpty)
            let connection = try await fresh.connect()
            try await connection.perform { try $0.run(statement) }
            #expect(try await migrator.verified(fresh).count == 1, "\(statement)")
        }
        let fresh = try await FreshLog.make()
        let connection = try await fresh.connect()
        try await connection.perform {
            try $0.run(
                """
                grant delete on event_log to \(fresh.ledger.readerRole);
                alter role \(fresh.ledger.ownerRole) login
                """)
        }
        let findings = try await SchemaMigrator(ledger: fresh.ledger).verified(fresh)
        #expect(findings.count == 2)
    }

    @Test(
        "a ledger's name needs no quotation marks and leaves room for its roles",
        arguments: [
            "", "A", "a-b", "1a", "pg_a", "a b", "a\"", "ä", String(repeating: "a", count: 56),
        ])
    func badName(name: String) {
        #expect(throws: EventLogError.badLedgerName) { try Ledger(name) }
    }

    @Test("a ledger's name may be 55 bytes long")
    func longName() async throws {
        let ledger = try Ledger(String(repeating: "a", count: 55))
        let options = try await Cluster.shared.database()
        let connection = try await Connection.open(options)
        #expect(try await SchemaMigrator(ledger: ledger).up(on: connection) == names)
        let log = try await EventLog.open(options, ledger: ledger, allowsUnsafeDurability: true)
        #expect(try await log.append([newEvent(id: "1")]) == [.appended(1)])
        await log.close()
    }
}
