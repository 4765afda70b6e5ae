import PostgreSQL
import TestKit
import Testing

/// Every type goes to the server and comes back.
@Suite struct TypeTests {
    private func roundTrip<T: RowValue & Equatable & Sendable>(
        _ values: [T], type: String, _ parameter: @escaping @Sendable (T) -> Parameter
    ) async throws {
        let connection = try await freshConnection()
        try await connection.perform { connection in
            for value in values {
                let back: T = try connection.scalar("select $1::\(type)", [parameter(value)])
                #expect(back == value)
            }
        }
    }

    @Test("numbers at the ends of their types come back")
    func numbers() async throws {
        try await roundTrip([Int64.min, -1, 0, .max, nil], type: "bigint") { .int64($0) }
        try await roundTrip([Int32.min, -1, 0, .max, nil], type: "integer") { .int32($0) }
        try await roundTrip([-0.0, .infinity, .leastNonzeroMagnitude, nil], type: "float8") {
            .double($0)
        }
        try await roundTrip([true, false, nil], type: "boolean") { .bool($0) }
    }

    @Test("text of every plane, and the empty text, come back")
    func texts() async throws {
        try await roundTrip(["", "a'\"\\", "苹果", "🧾", "\u{1}", nil], type: "text") { .text($0) }
    }

    @Test("bytes with U+0000, and no bytes at all, come back")
    func bytes() async throws {
        let all = (0...255).map { UInt8($0) }
        try await roundTrip([[], [0], all, nil], type: "bytea") { .bytea($0) }
        try await roundTrip([Array(all.prefix(16)), nil], type: "uuid") { .uuid($0) }
    }

    @Test("the first and the last instant of timestamptz come back")
    func instants() async throws {
        let range = Timestamp.range
        let instants = [range.lowerBound, -1, 0, 1, 946_684_799_999, range.upperBound - 1]
        let values = instants.map { Timestamp(milliseconds: $0) } + [nil]
        try await roundTrip(values, type: "timestamptz") { .timestamp($0) }
    }

    @Test("an instant outside timestamptz is refused before it is sent")
    func instantOutside() async throws {
        let connection = try await freshConnection()
        for instant in [Int64.min, Timestamp.range.lowerBound - 1, Timestamp.range.upperBound] {
            let code = await codeThrown {
                _ = try await connection.query(
                    sql("select $1::timestamptz"), [.timestamp(milliseconds: instant)])
            }
            #expect(code == .datetimeFieldOverflow)
        }
    }

    @Test("microseconds are rounded towards the past, before 1970 and 2000 too")
    func rounding() async throws {
        let connection = try await freshConnection()
        try await connection.perform { connection in
            for (text, milliseconds) in [
                ("2000-01-01 00:00:00.000999+00", 946_684_800_000),
                ("1999-12-31 23:59:59.999999+00", 946_684_799_999),
                ("1969-12-31 23:59:59.999001+00", -1), ("1970-01-01 00:00:00+00", 0),
            ] as [(String, Int64)] {
                let instant: Timestamp = try connection.scalar("select '\(text)'::timestamptz")
                #expect(instant.milliseconds == milliseconds)
            }
        }
    }

    @Test("infinity has no milliseconds")
    func infinity() async throws {
        let connection = try await freshConnection()
        let code = await codeThrown {
            _ = try await connection.perform { connection in
                try connection.scalar("select 'infinity'::timestamptz", as: Timestamp.self)
            }
        }
        #expect(code == .datetimeFieldOverflow)
    }

    @Test("arrays come back, with NULLs, and empty")
    func arrays() async throws {
        try await roundTrip([[1, nil, .max], []], type: "bigint[]") { .int64s($0) }
        try await roundTrip([[1, nil, .min], []], type: "integer[]") { .int32s($0) }
        try await roundTrip([[true, nil, false], []], type: "boolean[]") { .bools($0) }
        try await roundTrip([["a,b", nil, "", "NULL"], []], type: "text[]") { .texts($0) }
        try await roundTrip([[[0, 1], nil, []], []], type: "bytea[]") { .byteas($0) }
        let instants = [Timestamp(milliseconds: 1), nil]
        try await roundTrip([instants, []], type: "timestamptz[]") { .timestamps($0) }
    }

    @Test("smaller integers, names, jsonb and oid are read as the types that hold them")
    func widening() async throws {
        let connection = try await freshConnection()
        try await connection.perform { connection in
            try connection.expect("select (-7)::smallint", -7 as Int64)
            try connection.expect("select (-7)::smallint", -7 as Int32)
            try connection.expect("select 7::integer", 7)
            try connection.expect("select 4294967295::oid", 4_294_967_295)
            try connection.expect("select 'x'::name", "x")
            let json: String = try connection.scalar("select $1", [.jsonb(Array("[1]".utf8))])
            #expect(json == "[1]")
        }
    }

    @Test("a NULL, another type and an unknown column are told apart, and where is said")
    func wrongReads() async throws {
        let connection = try await freshConnection()
        let rows = try await connection.query(sql("select null::text as a, 'x'::text as b"))
        let row = try #require(rows.first)
        #expect(throws: PostgreSQLError(.unexpectedNull, place: "test.a")) {
            try row.value("a", as: String.self)
        }
        #expect(throws: PostgreSQLError(.wrongType, place: "test.b")) {
            try row.value("b", as: Int64.self)
        }
        #expect(throws: PostgreSQLError(.noSuchColumn, place: "test.c")) {
            try row.value("c", as: String.self)
        }
        #expect(throws: PostgreSQLError(.noSuchColumn, place: "test.2")) {
            try row.value(at: 2, as: String.self)
        }
    }
}
