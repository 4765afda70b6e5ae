import PostgreSQL
import TestKit
import Testing

/// The server goes, or refuses.
@Suite struct FailureTests {
    @Test("a pool finds its way back after the server was stopped and started")
    func restart() async throws {
        let cluster = Cluster()
        let pool = ConnectionPool(
            try await cluster.database(), connectionsMax: 2, waitMillisecondsMax: 120_000)
        #expect(try await pool.withConnection { try $0.scalar("select 1") } == 1)
        for _ in 0..<2 {
            try await cluster.stopImmediately()
            async let answer: Int = pool.withConnection { try $0.scalar("select 1") }
            try await Task.sleep(for: .milliseconds(300))
            try await cluster.start()
            #expect(try await answer == 1)
        }
        await pool.close()
        try await cluster.remove()
    }

    @Test("a server that is away ends the statement, the connection, and then the pool's patience")
    func away() async throws {
        let cluster = Cluster()
        let options = try await cluster.database()
        let pool = ConnectionPool(options, waitMillisecondsMax: 300)
        try await pool.withConnection { try $0.run("select 1") }
        let connection = try await Connection.open(options)
        try await cluster.stopImmediately()
        let lost = await codeThrown { try await connection.run("select 1") }
        #expect([.connectionLost, .crashShutdown, .adminShutdown].contains(lost))
        #expect(await !connection.isUsable)
        let code = await codeThrown { try await pool.withConnection { try $0.run("select 1") } }
        #expect(code == .unreachable)
        try await cluster.remove()
    }

    @Test("a backend that is ended in the middle of a transaction leaves nothing, and is replaced")
    func terminated() async throws {
        let options = try await Cluster.shared.database()
        let pool = ConnectionPool(options, connectionsMax: 1)
        let other = try await Connection.open(options)
        try await other.run("create table t (a int)")
        let task = Task {
            try await pool.withConnection { connection in
                try connection.transaction { connection in
                    try connection.run("insert into t values (1)")
                    try connection.run("select pg_sleep(60)")
                }
            }
        }
        let terminate =
            "select count(pg_terminate_backend(pid)) from pg_stat_activity "
            + "where wait_event = 'PgSleep' and datname = current_database()"
        #expect(try await eventually { try await other.perform { try $0.scalar(terminate) } == 1 })
        let error = await #expect(throws: PostgreSQLError.self) { try await task.value }
        #expect(error?.code == .adminShutdown)
        #expect(error?.isTransient == true)
        #expect(try await pool.withConnection { try $0.scalar("select count(*) from t") } == 0)
    }

    @Test("an idle connection that was ended is replaced before it is lent")
    func terminatedIdle() async throws {
        let options = try await Cluster.shared.database()
        let pool = ConnectionPool(options, connectionsMax: 1)
        let other = try await Connection.open(options)
        let pid = try await pool.withConnection { $0.backendProcess }
        _ = try await other.query(sql("select pg_terminate_backend($1, 5000)"), [.int32(pid)])
        #expect(try await pool.withConnection { try $0.scalar("select 1") } == 1)
    }

    @Test("a connection that breaks while it commits leaves the outcome open, and says so")
    func brokenCommit() async throws {
        let connection = try await freshConnection()
        try await connection.run(
            """
            create table t (a int);
            create function die() returns trigger language plpgsql as
            $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
            create constraint trigger die after insert on t deferrable initially deferred
            for each row execute function die()
            """)
        let code = await codeThrown {
            try await connection.perform { connection in
                try connection.transaction { try $0.run("insert into t values (1)") }
            }
        }
        #expect(code == .transactionResolutionUnknown)
    }

    @Test("a read-only database is unavailable for a write")
    func readOnly() async throws {
        let options = try await Cluster.shared.database()
        let owner = try await Connection.open(options)
        try await owner.perform { connection in
            let name: String = try connection.scalar("select current_database()::text")
            try connection.run("alter database \(name) set default_transaction_read_only = on")
        }
        let connection = try await Connection.open(options)
        let error = await #expect(throws: PostgreSQLError.self) {
            try await connection.run("create table t (a int)")
        }
        #expect(error?.description == "the database is read-only (SQLSTATE 25006, run)")
        #expect(error?.isUnavailable == true)
    }

    @Test("a server that does not run is unavailable, and is named")
    func down() async throws {
        let options = try await Cluster().options()
        let error = await #expect(throws: PostgreSQLError.self) {
            _ = try await Connection.open(options)
        }
        #expect(error?.code == .unreachable)
        #expect(error?.isUnavailable == true)
        let start = "PostgreSQL is not reachable (SQLSTATE 08001, /"
        #expect(error?.description.hasPrefix(start) == true)
    }

    @Test("a database that does not exist is unavailable")
    func wrongDatabase() async throws {
        let options = try await Cluster.shared.database().database("absent")
        let error = await #expect(throws: PostgreSQLError.self) {
            _ = try await Connection.open(options)
        }
        #expect(error?.code == .invalidCatalogName)
        #expect(error?.isUnavailable == true)
    }

    @Test("a user that is not let in, and a role that may not be taken on, are not permitted")
    func notPermitted() async throws {
        _ = try await Cluster.shared.database()
        let host = try await Cluster.shared.perform { connection in
            try connection.scalar("show unix_socket_directories", as: String.self)
        }
        let stranger = try ConnectionOptions(
            keywords: ["host": host, "user": "stranger", "dbname": "postgres"])
        var error = await #expect(throws: PostgreSQLError.self) {
            _ = try await Connection.open(stranger)
        }
        #expect(error?.code == .invalidAuthorization)
        #expect(error?.isNotPermitted == true)
        let pool = try await Cluster.shared.database()
        let connection = try await Connection.open(pool)
        try await connection.run("create table t (a int); set role pg_monitor")
        error = await #expect(throws: PostgreSQLError.self) {
            try await connection.run("select * from t")
        }
        #expect(error?.code == .insufficientPrivilege)
        #expect(error?.isNotPermitted == true)
    }

    @Test("a server without a free connection asks to try again")
    func tooMany() async throws {
        let cluster = Cluster(settings: [
            "max_connections": "5", "superuser_reserved_connections": "0",
            "max_wal_senders": "0",
        ])
        let options = try await cluster.database()
        var open: [Connection] = []
        let error = await #expect(throws: PostgreSQLError.self) {
            for _ in 0..<6 { open.append(try await Connection.open(options)) }
        }
        #expect(error?.code == .tooManyConnections)
        #expect(error?.isTransient == true)
        for connection in open { await connection.close() }
        try await cluster.remove()
    }
}

extension Cluster {
    /// Asks the server something about itself.
    func perform<R: Sendable>(
        _ body: @Sendable (isolated Connection) throws -> R
    ) async throws -> R {
        let connection = try await Connection.open(options())
        return try await connection.perform(body)
    }
}
