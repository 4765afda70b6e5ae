internal import EventLog
internal import PostgreSQL

/// `schema up`, `schema status`, `schema verify`.
enum SchemaCommand {
    static let all = [up, status, verify]

    private static let synopsis = "[--database CONNINFO] [--schema NAME]"

    private static let up = CommandDescription(
        words: ["schema", "up"], summary: "create or migrate the ledger's schema",
        synopsis: synopsis, options: Database.options,
        discussion: """
            Creates the schema, its roles (SCHEMA_owner, _writer, _reader, _auditor, _eraser) and
            every table, one migration a transaction; changes nothing when all is current. Needs a
            database user that may create schemas and roles.
            """
    ) { arguments in
        let (migrator, connection) = try await open(arguments)
        let applied = try await migrator.up(on: connection)
        for name in applied { Terminal.print("applied \(name)") }
        let leaves = try await TreeBuilder(ledger: migrator.ledger).run(on: connection)
        if leaves > 0 { Terminal.print("built the tree over \(leaves) events") }
        if applied.isEmpty { Terminal.print("current") }
        return .ok
    }

    private static let status = CommandDescription(
        words: ["schema", "status"], summary: "list the migrations and whether they are applied",
        synopsis: synopsis, options: Database.options
    ) { arguments in
        let (migrator, connection) = try await open(arguments)
        let status = try await connection.perform { try migrator.status(on: $0) }
        for step in status.applied { Terminal.print("applied  \(step.name)") }
        for step in status.pending { Terminal.print("pending  \(step.name)") }
        if let problem = status.problem { Terminal.say(problem.description) }
        return status.problem == nil ? .ok : .discrepancies
    }

    private static let verify = CommandDescription(
        words: ["schema", "verify"], summary: "check that the schema is what the migrations made",
        synopsis: synopsis, options: Database.options
    ) { arguments in
        let (migrator, connection) = try await open(arguments)
        let findings = try await connection.perform { try migrator.verify(on: $0) }
        for finding in findings { Terminal.print("\(finding.migration): \(finding.finding)") }
        if findings.isEmpty { Terminal.print("as it should be") }
        return findings.isEmpty ? .ok : .discrepancies
    }

    private static func open(_ arguments: Arguments) async throws -> (SchemaMigrator, Connection) {
        let database = try Database(arguments)
        return (
            SchemaMigrator(ledger: database.ledger),
            try await Connection.open(database.connection)
        )
    }
}
