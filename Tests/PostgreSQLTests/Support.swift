import PostgreSQL
import TestKit
import Testing

/// A statement of a test.
func sql(_ text: String) -> Statement { Statement(name: "test", sql: text) }

/// A connection to a fresh database of the shared cluster.
func freshConnection() async throws -> Connection {
    try await Connection.open(Cluster.shared.database())
}

extension Connection {
    /// The only value of the only row.
    func scalar<T: RowValue>(
        _ text: String, _ parameters: [Parameter] = [], as type: T.Type = T.self
    ) throws -> T {
        let rows = try query(sql(text), parameters)
        let row = try #require(rows.first)
        return try row.value(at: 0)
    }

    /// The only value of the only row must be `expected`.
    func expect<T: RowValue & Equatable>(
        _ text: String, _ expected: T, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let value: T = try scalar(text)
        #expect(value == expected, sourceLocation: sourceLocation)
    }
}

/// The code of the error that `body` throws.
func codeThrown(_ body: () async throws -> Void) async -> PostgreSQLError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? PostgreSQLError)?.code
    }
}

/// Waits until `condition` holds, up to ten seconds.
func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    for _ in 0..<1000 {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(10))
    }
    return false
}
