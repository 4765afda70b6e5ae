internal import EventLog

/// `schema up`, `schema status`, `schema verify`.
enum SchemaCommand {
    static let all = [
        CommandDescription(
            words: ["schema", "up"], summary: "create or migrate the ledger's schema",
            synopsis: "[--database CONNINFO] [--schema NAME]", options: DatabaseOptions.all,
            discussion: """
                Creates the schema, its roles (SCHEMA_owner, _writer, _reader, _auditor, _eraser) and
                every table, one migration a transaction. Changes nothing when all is current. Needs
                a database user that may create schemas and roles.
                """
        ) { arguments in
            let applied = try await migrator(arguments).up()
            for name in applied { Terminal.print("applied \(name)") }
            Terminal.print(applied.isEmpty ? "current" : "done")
            return .ok
        },
        CommandDescription(
            words: ["schema", "status"], summary: "list the migrations and whether they are applied",
            synopsis: "[--database CONNINFO] [--schema NAME]", options: DatabaseOptions.all
        ) { arguments in
            let status = try await migrator(arguments).status()
            for step in status { Terminal.print("\(step.state.rawValue)\t\(step.name)") }
            return status.allSatisfy { $0.state == .applied } ? .ok : .discrepancies
        },
        CommandDescription(
            words: ["schema", "verify"], summary: "check that the schema is what the migrations made",
            synopsis: "[--database CONNINFO] [--schema NAME]", options: DatabaseOptions.all
        ) { arguments in
            let problems = try await migrator(arguments).verify()
            for problem in problems { Terminal.print(problem) }
            if problems.isEmpty { Terminal.print("as it should be") }
            return problems.isEmpty ? .ok : .discrepancies
        },
    ]

    private static func migrator(_ arguments: Arguments) async throws -> SchemaMigrator {
        try await SchemaMigrator.open(
            conninfo: try arguments.value("database"), schema: try DatabaseOptions.schema(arguments))
    }
}
