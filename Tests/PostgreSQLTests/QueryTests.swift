import PostgreSQL
import TestKit
import Testing

@Suite struct QueryTests {
    @Test("a statement is prepared once and used again")
    func preparedOnce() async throws {
        let connection = try await freshConnection()
        try await connection.perform { connection in
            for number in 0..<5 {
                let next: Int = try connection.scalar("select $1 + 1", [.int64(Int64(number))])
                #expect(next == number + 1)
            }
            let count: Int = try connection.query(
                Statement(name: "count", sql: "select count(*) from pg_prepared_statements"))[0]
                .value(at: 0)
            #expect(count == 2)
        }
    }

    @Test("the prepared statements of a connection are bounded")
    func preparedBound() async throws {
        let connection = try await freshConnection()
        try await connection.perform { connection in
            for number in 0..<300 {
                _ = try connection.query(Statement(name: "s\(number)", sql: "select \(number)"))
            }
            let count: Int = try connection.scalar("select count(*) from pg_prepared_statements")
            #expect(count <= 256)
            let again: Int = try connection.query(Statement(name: "s0", sql: "select 0"))[0]
                .value(at: 0)
            #expect(again == 0)
        }
    }

    @Test("a statement works on after its table has changed")
    func stalePlan() async throws {
        let connection = try await freshConnection()
        try await connection.perform { connection in
            try connection.run("create table t (a int); insert into t values (1)")
            let statement = Statement(name: "all", sql: "select * from t")
            #expect(try connection.query(statement)[0].count == 1)
            try connection.run("alter table t add b int")
            #expect(try connection.query(statement)[0].count == 2)
            try connection.run("alter table t add c int")
            let width = try connection.transaction { try $0.query(statement)[0].count }
            #expect(width == 3)
            try connection.run("deallocate all")
            #expect(try connection.query(statement)[0].count == 3)
        }
    }

    @Test("65,535 parameters pass, one more is refused")
    func parameterCount() async throws {
        let connection = try await freshConnection()
        let list = (1...65_535).map { "$\($0)" }.joined(separator: ",")
        let values = [Parameter](repeating: .int32(1), count: 65_535)
        let statement = sql("select cardinality(array[\(list)])")
        #expect(try await connection.query(statement, values)[0].value(at: 0) == 65_535)
        let code = await codeThrown {
            _ = try await connection.query(statement, values + [.int32(1)])
        }
        #expect(code == .tooManyParameters)
    }

    @Test("the number of touched rows is told")
    func affected() async throws {
        let connection = try await freshConnection()
        try await connection.run("create table t (a int)")
        let rows = try await connection.query(sql("insert into t select generate_series(1, 7)"))
        #expect(rows.affectedCount == 7)
        #expect(rows.isEmpty)
    }

    @Test("rows are streamed one by one, and the rest is dropped when the reader throws")
    func stream() async throws {
        struct Enough: Error {}
        let connection = try await freshConnection()
        try await connection.perform { connection in
            var sum = 0
            let statement = Statement(name: "series", sql: "select generate_series(1, $1)")
            try connection.stream(statement, [.int32(1000)]) { sum += try $0.value(at: 0) }
            #expect(sum == 500_500)
            var seen = 0
            #expect(throws: Enough.self) {
                try connection.stream(statement, [.int32(.max)]) { _ in
                    seen += 1
                    if seen == 10 { throw Enough() }
                }
            }
            try connection.expect("select 1", 1)
        }
    }

    @Test("an error in the middle of a stream leaves the connection usable")
    func streamError() async throws {
        let connection = try await freshConnection()
        try await connection.perform { connection in
            let failing = sql("select 1 / (5 - g) from generate_series(1, 9) g")
            #expect(throws: PostgreSQLError.self) {
                try connection.stream(failing) { _ in }
            }
            try connection.expect("select 1", 1)
        }
    }

    @Test("search path, role, time zone and notices are those of the options")
    func options() async throws {
        var options = try await Cluster.shared.database()
        let owner = try await Connection.open(options)
        let role = "role \"x\" \(UInt32.random(in: 0 ... .max))"
        try await owner.run(
            "create schema \"a b\\\"\"\"; create role \(quotedIdentifier(role)); "
                + "grant usage on schema \"a b\\\"\"\" to \(quotedIdentifier(role))")
        options.searchPath = "a b\\\""
        options.role = role
        let connection = try await Connection.open(options)
        try await connection.perform { connection in
            #expect(try connection.scalar("select current_schemas(false)::text[]") == ["a b\\\""])
            try connection.expect("select current_user::text", role)
            try connection.expect("show timezone", "UTC")
        }
        await connection.close()
        try await owner.run(
            "drop schema \"a b\\\"\"\"; drop role \(quotedIdentifier(role))")
    }

    @Test("a notice is counted and handed over without its text, and printed nowhere")
    func notices() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Notice.self)
        var options = try await Cluster.shared.database()
        options.onNotice = { continuation.yield($0) }
        let connection = try await Connection.open(options)
        try await connection.run(
            "do $$ begin raise warning 'secret' using errcode = '01234'; end $$")
        continuation.finish()
        let notices = await stream.reduce(into: []) { $0.append($1) }
        #expect(notices == [Notice(severity: "WARNING", sqlState: "01234")])
        #expect(await connection.noticeCount == 1)
    }
}
