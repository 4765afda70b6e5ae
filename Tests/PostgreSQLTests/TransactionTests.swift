import PostgreSQL
import TestKit
import Testing

@Suite struct TransactionTests {
    private func pair(_ schema: String) async throws -> (Connection, Connection) {
        let options = try await Cluster.shared.database()
        let first = try await Connection.open(options)
        try await first.run(schema)
        return (first, try await Connection.open(options))
    }

    @Test("an error rolls the transaction back and is thrown on")
    func rollback() async throws {
        struct Mine: Error {}
        let connection = try await freshConnection()
        try await connection.perform { connection in
            try connection.run("create table t (a int)")
            #expect(throws: Mine.self) {
                try connection.transaction { connection in
                    try connection.run("insert into t values (1)")
                    throw Mine()
                }
            }
            try connection.expect("select count(*) from t", 0)
        }
    }

    @Test("a transaction that hides the failure of a statement does not seem committed")
    func hiddenFailure() async throws {
        let connection = try await freshConnection()
        let code = await codeThrown {
            try await connection.perform { connection in
                try connection.transaction { _ = try? $0.run("select 1/0") }
            }
        }
        #expect(code == .failedTransaction)
    }

    @Test("a transaction within a transaction is refused")
    func nested() async throws {
        let connection = try await freshConnection()
        let code = await codeThrown {
            try await connection.perform { connection in
                try connection.transaction { try $0.transaction { try $0.run("select 1") } }
            }
        }
        #expect(code == .activeTransaction)
    }

    @Test("two that write what the other read both commit, one after a retry")
    func serializationFailure() async throws {
        let (first, second) = try await pair(
            "create table t (a int, b int); insert into t values (1, 0), (2, 0)")
        let gate = Gate(parties: 2)
        let work = { @Sendable (connection: Connection, other: Int32, own: Int32) in
            try await connection.perform { connection in
                try connection.transaction(.serializable) { connection in
                    let sum: Int64 = try connection.scalar("select sum(b) from t")
                    gate.arrive()
                    _ = try connection.query(
                        Statement(name: "write", sql: "update t set b = $1 where a = $2"),
                        [.int32(Int32(sum) + 1), .int32(own)])
                }
            }
        }
        async let one: Void = work(first, 1, 2)
        async let two: Void = work(second, 2, 1)
        _ = try await (one, two)
        let retries = await (first.retryCount, second.retryCount)
        #expect(retries.0 + retries.1 >= 1)
        let values: [Int32] = try await first.perform {
            try $0.scalar("select array_agg(b order by b) from t")
        }
        #expect(values == [1, 2])
    }

    @Test("a conflict that never ends is reported after the last attempt")
    func attemptsEnd() async throws {
        let connection = try await freshConnection()
        let code = await codeThrown {
            try await connection.perform { connection in
                try connection.transaction(attempts: 3) { connection in
                    try connection.run(
                        "do $$ begin raise exception 'x' using errcode = '40001'; end $$")
                }
            }
        }
        #expect(code == .serializationFailure)
        #expect(await connection.retryCount == 2)
    }

    @Test("two that wait for each other both commit, one after a retry")
    func deadlock() async throws {
        let (first, second) = try await pair(
            "create table t (a int primary key, b int); insert into t values (1, 0), (2, 0)")
        let gate = Gate(parties: 2)
        let work = { @Sendable (connection: Connection, rows: [Int32]) in
            try await connection.perform { connection in
                try connection.transaction { connection in
                    for row in rows {
                        let statement = sql("update t set b = b + 1 where a = $1")
                        _ = try connection.query(statement, [.int32(row)])
                        gate.arrive()
                    }
                }
            }
        }
        async let one: Void = work(first, [1, 2])
        async let two: Void = work(second, [2, 1])
        _ = try await (one, two)
        let retries = await (first.retryCount, second.retryCount)
        #expect(retries.0 + retries.1 >= 1)
        let values: [Int32] = try await first.perform {
            try $0.scalar("select array_agg(b) from t")
        }
        #expect(values == [2, 2])
    }

    @Test("fifty tasks on one connection never come between each other's statements")
    func interleaving() async throws {
        let connection = try await freshConnection()
        try await connection.run("create table t (step int, task int, n serial)")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<50 {
                group.addTask {
                    try await connection.perform { connection in
                        try connection.transaction { connection in
                            for step in 0..<3 {
                                _ = try connection.query(
                                    sql("insert into t values ($1, $2)"),
                                    [.int32(Int32(step)), .int32(Int32(task))])
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let torn: Int = try await connection.perform {
            try $0.scalar(
                """
                select count(*) from (select task, max(n) - min(n) as width, count(*) as steps
                from t group by task) as s where width <> 2 or steps <> 3
                """)
        }
        #expect(torn == 0)
        #expect(try await connection.perform { try $0.scalar("select count(*) from t") } == 150)
    }

    @Test("a read-only transaction refuses to write")
    func snapshot() async throws {
        let connection = try await freshConnection()
        try await connection.run("create table t (a int)")
        let code = await codeThrown {
            try await connection.perform { connection in
                try connection.transaction(.snapshot) { try $0.run("insert into t values (1)") }
            }
        }
        #expect(code == .readOnly)
    }
}
