import PostgreSQL
import TestKit
import Testing

@Suite struct CopyTests {
    private let copyIn = Statement(name: "in", sql: "copy t from stdin (format binary)")
    private let copyOut = Statement(
        name: "out", sql: "copy (select * from t order by a) to stdout (format binary)")

    private func table() async throws -> Connection {
        let connection = try await freshConnection()
        try await connection.run(
            "create table t (a bigint primary key, b text, c bytea, d timestamptz, e bytea[])")
        return connection
    }

    private func row(_ number: Int) -> [Parameter] {
        [
            .int64(Int64(number)), .text(number.isMultiple(of: 3) ? nil : "x\(number)"),
            .bytea([0, UInt8(truncatingIfNeeded: number)]),
            .timestamp(milliseconds: Int64(number)), .byteas([[0], nil]),
        ]
    }

    @Test("rows that are copied in come out again", arguments: [0, 1, 3, 20_000])
    func roundTrip(count: Int) async throws {
        let connection = try await table()
        try await connection.perform { connection in
            let written = try connection.copyIn(copyIn) { writer in
                for number in 0..<count { try writer.row(row(number)) }
            }
            #expect(written == count)
            var next = 0
            try connection.copyOut(copyOut) { row in
                #expect(row.count == 5)
                let number: Int64 = try row.value(at: 0)
                let text: String? = try row.value(at: 1)
                let bytes: [UInt8] = try row.value(at: 2)
                let instant: Timestamp = try row.value(at: 3)
                let list: [[UInt8]?] = try row.value(at: 4)
                let isRight =
                    number == next && text == (next.isMultiple(of: 3) ? nil : "x\(next)")
                    && bytes == [0, UInt8(truncatingIfNeeded: next)] && list == [[0], nil]
                    && instant.milliseconds == next
                if !isRight { Issue.record("row \(next) differs") }
                next += 1
            }
            #expect(next == count)
        }
    }

    @Test("a writer that throws in the middle copies nothing and leaves the connection usable")
    func writerThrows() async throws {
        struct Mine: Error {}
        let connection = try await table()
        try await connection.perform { connection in
            #expect(throws: Mine.self) {
                _ = try connection.copyIn(copyIn) { writer in
                    for number in 0..<5000 { try writer.row(row(number)) }
                    throw Mine()
                }
            }
            try connection.expect("select count(*) from t", 0)
        }
    }

    @Test("a row that the server refuses fails the copy and leaves the connection usable")
    func serverRefuses() async throws {
        let connection = try await table()
        try await connection.perform { connection in
            #expect {
                _ = try connection.copyIn(copyIn) { writer in
                    for number in 0..<50_000 { try writer.row(row(number % 40_000)) }
                }
            } throws: {
                ($0 as? PostgreSQLError)?.code == .uniqueViolation
            }
            try connection.expect("select count(*) from t", 0)
        }
    }

    @Test("a backend that is ended in the middle of a copy ends the copy with the server's reason")
    func terminated() async throws {
        let connection = try await table()
        let other = try await Connection.open(Cluster.shared.options())
        let gate = Gate(parties: 2)
        let process = await connection.backendProcess
        let killing = Task {
            try await other.perform { other in
                _ = try other.query(sql("select pg_terminate_backend($1, 5000)"), [.int32(process)])
                gate.arrive()
            }
        }
        let code = await codeThrown {
            try await connection.perform { connection in
                _ = try connection.copyIn(copyIn) { writer in
                    try writer.row(row(1))
                    gate.arrive()
                    for number in 2..<20_000 { try writer.row(row(number)) }
                }
            }
        }
        try await killing.value
        #expect(code == .adminShutdown)
        #expect(await !connection.isUsable)
    }

    @Test("a value that cannot be encoded leaves no half row behind")
    func badValue() async throws {
        let connection = try await table()
        try await connection.perform { connection in
            let written = try connection.copyIn(copyIn) { writer in
                try writer.row(row(1))
                var bad = row(2)
                bad[3] = .timestamp(milliseconds: .max)
                #expect(throws: PostgreSQLError(.datetimeFieldOverflow, place: "in")) {
                    try writer.row(bad)
                }
                try writer.row(row(3))
            }
            #expect(written == 2)
        }
    }

    @Test("a reader that throws in the middle leaves the connection usable")
    func readerThrows() async throws {
        struct Mine: Error {}
        let connection = try await freshConnection()
        try await connection.perform { connection in
            let endless = Statement(
                name: "long",
                sql: "copy (select generate_series(1, 2000000000)) to stdout (format binary)")
            var seen = 0
            #expect(throws: Mine.self) {
                try connection.copyOut(endless) { _ in
                    seen += 1
                    if seen == 100 { throw Mine() }
                }
            }
            try connection.expect("select 1", 1)
        }
    }

    @Test("an error of the server in the middle of a copy out is thrown")
    func serverErrorOut() async throws {
        let connection = try await freshConnection()
        try await connection.perform { connection in
            let failing = Statement(
                name: "failing",
                sql: """
                    copy (select 1 / (5 - g) from generate_series(1, 9) g)
                    to stdout (format binary)
                    """)
            #expect {
                try connection.copyOut(failing) { _ in }
            } throws: {
                ($0 as? PostgreSQLError)?.sqlState == "22012"
            }
            try connection.expect("select 1", 1)
        }
    }

    @Test(
        "what is no binary copy of that direction is refused, and the connection stays usable",
        arguments: [
            "copy t from stdin", "copy t to stdout (format binary)", "select 1",
        ])
    func wrongStatement(text: String) async throws {
        let connection = try await table()
        try await connection.perform { connection in
            #expect(throws: PostgreSQLError(.notABinaryCopy, place: "test")) {
                _ = try connection.copyIn(sql(text)) { _ in }
            }
            #expect(throws: PostgreSQLError(.notABinaryCopy, place: "run")) {
                try connection.run("copy t from stdin")
            }
            try connection.expect("select 1", 1)
        }
    }

    @Test("no other statement can be sent in the middle of a copy")
    func busy() async throws {
        let connection = try await table()
        try await connection.perform { connection in
            let written = try connection.copyIn(copyIn) { writer in
                #expect(throws: PostgreSQLError(.connectionBusy, place: "run")) {
                    try connection.run("select 1")
                }
                try writer.row(row(1))
            }
            #expect(written == 1)
        }
    }
}
