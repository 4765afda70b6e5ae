public import EventLog
public import PostgreSQL
import Synchronization

/// A log in a database of its own, on a cluster that may lose it.
public struct FreshLog: Sendable {
    /// How the superuser reaches the database.
    public let options: ConnectionOptions
    /// Has a name that no other test uses, because roles belong to the whole cluster.
    public let ledger: Ledger
    /// Open, as the superuser.
    public let log: EventLog

    private static let count = Atomic(0)

    /// Makes the database, its schema and its roles.
    public static func make(
        on cluster: Cluster = .shared, database: ConnectionOptions? = nil,
        allowsUnsafeDurability: Bool = true
    ) async throws -> FreshLog {
        let number = count.add(1, ordering: .relaxed).newValue
        let ledger = try Ledger("ledger_\(number)")
        var options: ConnectionOptions
        if let database { options = database } else { options = try await cluster.database() }
        options.searchPath = ledger.name
        let connection = try await Connection.open(options)
        _ = try await SchemaMigrator(ledger: ledger).up(on: connection)
        await connection.close()
        let log = try await EventLog.open(
            options, ledger: ledger, waitMillisecondsMax: 60_000,
            allowsUnsafeDurability: allowsUnsafeDurability)
        return FreshLog(options: options, ledger: ledger, log: log)
    }

    /// A connection whose search path is the ledger's schema.
    /// - Parameter role: taken on by SET ROLE; else it is the superuser.
    public func connect(as role: String? = nil) async throws -> Connection {
        var options = options
        options.role = role
        return try await Connection.open(options)
    }
}
