internal import Cryptography
public import PostgreSQL

/// Brings the schema of a ledger to what this program needs, one migration a transaction.
public struct SchemaMigrator: Sendable {
    /// Whose schema.
    public let ledger: Ledger
    private let migrations: [Migration]
    private let lockTimeoutMilliseconds: Int
    private static let attemptsMax = 20

    /// With every migration that this program knows.
    public init(ledger: Ledger) { self.init(ledger: ledger, migrations: Migration.all) }

    /// - Parameter lockTimeoutMilliseconds: how long a migration waits for a lock before it lets
    ///   the others go on and tries again.
    package init(
        ledger: Ledger, migrations: [Migration], lockTimeoutMilliseconds: Int = 2_000
    ) {
        self.ledger = ledger
        self.migrations = migrations
        self.lockTimeoutMilliseconds = lockTimeoutMilliseconds
    }

    // MARK: Looking

    /// What stands; changes nothing, whatever the connection's search path is.
    public func status(on connection: isolated Connection) throws -> SchemaStatus {
        let found: Bool =
            try connection.query(.migrationExists, [.text(ledger.name)]).first?.value("found")
            ?? false
        guard found else {
            return SchemaStatus(ledger: ledger, known: migrations, applied: nil)
        }
        do {
            let applied = try connection.transaction(.snapshot) { connection in
                _ = try settings(on: connection)
                return try Self.applied(on: connection)
            }
            return SchemaStatus(ledger: ledger, known: migrations, applied: applied)
        } catch let error as PostgreSQLError where error.code == .undefinedTable {
            // It was found above: PostgreSQL hides tables of a schema that the role may not use.
            throw PostgreSQLError(.insufficientPrivilege, place: error.place)
        }
    }

    /// What does not stand as the migrations left it; empty if all is well.
    public func verify(on connection: isolated Connection) throws -> [SchemaFinding] {
        let status = try self.status(on: connection)
        if let problem = status.problem { throw EventLogError.schema(problem) }
        return try connection.transaction(.snapshot) { connection in
            _ = try settings(on: connection)
            return try findings(on: connection)
        }
    }

    private func findings(on connection: isolated Connection) throws -> [SchemaFinding] {
        var findings: [SchemaFinding] = []
        for migration in migrations {
            let statement = Statement(name: "verify-\(migration.name)", sql: migration.verify)
            for row in try connection.query(statement) {
                findings.append(
                    SchemaFinding(migration: migration.name, finding: try row.value(at: 0)))
            }
        }
        return findings
    }

    private static func applied(on connection: isolated Connection) throws -> [AppliedMigration] {
        try connection.query(.migrationList).map { row in
            AppliedMigration(
                number: try row.value("number"), name: try row.value("name"),
                digest: try row.value("digest"),
                appliedAt: try row.value("applied_at", as: Timestamp.self).milliseconds)
        }
    }

    private func settings(on connection: isolated Connection) throws -> String {
        let rows = try connection.query(
            .migrationSettings, [.text(ledger.name), .text(String(lockTimeoutMilliseconds))])
        return try rows.first?.value("encoding") ?? ""
    }

    // MARK: Migrating

    /// Applies what is pending, in the order of the numbers; runs no DDL when nothing is.
    /// - Returns: the names of the migrations that this call applied.
    /// - Throws: `EventLogError.schema` if one was changed after it was applied or is not known
    ///   here;
    ///   `EventLogError.unsuitableDatabase`; `PostgreSQLError`.
    public func up(on connection: Connection) async throws -> [String] {
        let status = try await connection.perform { try self.status(on: $0) }
        let pending = try status.pendingOrThrow() ?? []
        var names: [String] = []
        for migration in pending where try await apply(migration, on: connection) {
            names.append(migration.name)
        }
        return names
    }

    private func apply(_ migration: Migration, on connection: Connection) async throws -> Bool {
        for attempt in 1..<Self.attemptsMax {
            do {
                return try await connection.perform { try applyOnce(migration, on: $0) }
            } catch let error as PostgreSQLError where Self.isRace(error) {
                try await Task.sleep(for: .milliseconds(Int.random(in: 10...50) * attempt))
            }
        }
        return try await connection.perform { try applyOnce(migration, on: $0) }
    }

    /// Somebody else holds a lock, or makes the same roles for a ledger in another database: roles
    /// belong to the whole cluster, and PostgreSQL tells of that race in several ways.
    private static func isRace(_ error: PostgreSQLError) -> Bool {
        let duplicateObject = PostgreSQLError.Code(rawValue: "42710")
        let tupleConcurrentlyUpdated = PostgreSQLError.Code(rawValue: "XX000")
        let codes: Set<PostgreSQLError.Code> = [
            .lockNotAvailable, .uniqueViolation, duplicateObject, tupleConcurrentlyUpdated,
        ]
        return codes.contains(error.code)
    }

    private func applyOnce(_ migration: Migration, on connection: isolated Connection) throws
        -> Bool
    {
        try connection.transaction { connection in
            guard try settings(on: connection) == "UTF8" else {
                throw EventLogError.unsuitableDatabase("the database's encoding is not UTF8")
            }
            _ = try connection.query(.migrationLock, [.text(ledger.name)])
            try connection.run(Statement.migrationPrepare.sql)
            let applied = try Self.applied(on: connection)
            let status = SchemaStatus(ledger: ledger, known: migrations, applied: applied)
            guard let pending = try status.pendingOrThrow(),
                pending.contains(where: { $0.number == migration.number })
            else { return false }
            try connection.run(migration.up)
            _ = try connection.query(
                .migrationRecord,
                [
                    .int32(Int32(migration.number)), .text(migration.name),
                    .bytea(migration.digest),
                ])
            return true
        }
    }
}

/// Something that does not stand as a migration left it.
public struct SchemaFinding: Sendable, Equatable {
    /// The migration's name.
    public let migration: String
    /// One line.
    public let finding: String
}
