@testable import PostgreSQL
import TestKit
import Testing

@Suite struct ErrorTests {
    @Test("an error shows neither the value nor the SQL, on any road")
    func noData() async throws {
        let connection = try await freshConnection()
        try await connection.run("create table t (a text constraint one_a unique)")
        let insert = Statement(name: "insert-a", sql: "insert into t values ($1)")
        let secret = "c0ffee-of-mallory"
        _ = try await connection.query(insert, [.text(secret)])
        let error = await #expect(throws: PostgreSQLError.self) {
            _ = try await connection.query(insert, [.text(secret)])
        }
        let thrown = try #require(error)
        #expect(
            thrown.description
                == "a second row of one key was refused (SQLSTATE 23505, insert-a)")
        #expect(thrown.constraint == "one_a")
        var dumped = ""
        dump(thrown, to: &dumped)
        for text in [dumped, "\(thrown)", String(reflecting: thrown)] {
            #expect(!text.contains(secret) && !text.contains("values"))
        }
    }

    @Test("a value that the type refuses is not quoted")
    func badValue() async throws {
        let connection = try await freshConnection()
        let error = await #expect(throws: PostgreSQLError.self) {
            _ = try await connection.query(sql("select $1::text::int"), [.text("secret")])
        }
        #expect(error?.description == "a value does not fit its type (SQLSTATE 22P02, test)")
    }

    @Test("U+0000 in a text is refused by its name")
    func zeroByte() async throws {
        let connection = try await freshConnection()
        let code = await codeThrown {
            _ = try await connection.query(sql("select $1::text"), [.text("a\0b")])
        }
        #expect(code == .characterNotInRepertoire)
    }

    @Test("each error belongs to one kind at most")
    func kinds() {
        let states = ["08001", "08006", "25006", "28P01", "3D000", "40001", "42501", "53300"]
        let kinds = (states + ["57014", "57P03", "23505", "XX000", "QU001", "QU004"]).map {
            let error = PostgreSQLError(.init(rawValue: $0))
            return [error.isUnavailable, error.isTransient, error.isNotPermitted]
        }
        let (unavailable, transient) = ([true, false, false], [false, true, false])
        let (notPermitted, none) = ([false, false, true], [false, false, false])
        #expect(
            kinds == [
                unavailable, transient, unavailable, notPermitted, unavailable, transient,
                notPermitted, transient, transient, transient, none, none, transient, unavailable,
            ])
    }

    @Test("a server before 15 is refused, 15 is not")
    func version() throws {
        #expect(throws: PostgreSQLError(.serverTooOld, place: "h:1")) {
            try checkServerVersion(140_018, place: "h:1")
        }
        try checkServerVersion(150_000, place: nil)
    }

    @Test("the code of a refused connection is found in whatever language")
    func verboseCode() {
        #expect(
            sqlState(inVerbose: "connection to server failed: FATAL:  28P01: password …")
                == .invalidPassword)
        #expect(sqlState(inVerbose: "FATAL:  57P03: a\nFEHLER:  3D000: b") == .invalidCatalogName)
        #expect(sqlState(inVerbose: "could not connect: No such file") == nil)
        #expect(sqlState(inVerbose: "") == nil)
    }

    @Test("a connection string that cannot be read is refused without being repeated")
    func invalidOptions() {
        for text in ["password=secret nonsense", "postgresql://u:secret@[::1", "a=\u{0}"] {
            #expect(throws: PostgreSQLError(.invalidOptions)) {
                try ConnectionOptions(conninfo: text)
            }
        }
    }

    @Test("options never show their password")
    func passwordHidden() throws {
        let options = try ConnectionOptions(conninfo: "host=h dbname=d password=secret")
        var dumped = ""
        dump(options, to: &dumped)
        #expect("\(options)" == "host=h dbname=d")
        #expect(!(dumped + String(reflecting: options)).contains("secret"))
    }

    @Test("a connection string may be keywords, a URI or a name")
    func forms() throws {
        #expect(try "\(ConnectionOptions(conninfo: "plain"))" == "dbname=plain")
        #expect(
            try "\(ConnectionOptions(conninfo: "postgresql://u@h:7/d"))"
                == "host=h port=7 dbname=d")
        #expect(try "\(ConnectionOptions(conninfo: "host='a b' port=7"))" == "host=a b port=7")
        #expect(try "\(ConnectionOptions())" == "")
    }
}
