internal import EventLog
internal import PostgreSQL

/// How a command finds its ledger: libpq's own settings, and the PostgreSQL schema.
enum DatabaseOptions {
    static let all = [
        Option(
            name: "database", value: "CONNINFO",
            summary: "libpq connection string or URI (else PG* variables)"),
        Option(
            name: "schema", value: "NAME",
            summary: "the ledger's schema (else QUITTANCE_SCHEMA, else quittance)"),
    ]

    static func schema(_ arguments: Arguments) throws -> String {
        try arguments.value("schema") ?? environmentVariable("QUITTANCE_SCHEMA") ?? "quittance"
    }

    /// The ledger's log, ready to be read and appended to.
    static func openLog(_ arguments: Arguments) async throws -> EventLog {
        try await EventLog.open(
            conninfo: try arguments.value("database"), schema: try schema(arguments))
    }
}
