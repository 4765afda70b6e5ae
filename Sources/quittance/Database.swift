internal import EventLog
internal import PostgreSQL

/// How a command finds its ledger: libpq's own settings, and the PostgreSQL schema.
struct Database {
    static let options = [
        Option(
            name: "database", value: "CONNINFO",
            summary: "libpq connection string or URI (else the PG* variables)"),
        Option(
            name: "schema", value: "NAME",
            summary: "the ledger's schema (else QUITTANCE_SCHEMA, else quittance)"),
    ]

    let ledger: Ledger
    let connection: ConnectionOptions

    init(_ arguments: Arguments) throws {
        let name = try arguments.value("schema") ?? environmentVariable("QUITTANCE_SCHEMA")
        ledger = try Ledger(name ?? Ledger.standardName)
        connection = try ConnectionOptions(conninfo: arguments.value("database"))
    }

    /// As the role that appends and keeps the views.
    var asWriter: ConnectionOptions { with(role: ledger.writerRole) }

    /// As the role that migrates, and says which epoch it is.
    var asOwner: ConnectionOptions { with(role: ledger.ownerRole) }

    private func with(role: String) -> ConnectionOptions {
        var options = connection
        options.searchPath = ledger.name
        options.role = role
        return options
    }

    /// The ledger's log, ready to be read and appended to.
    func openLog() async throws -> EventLog {
        do {
            return try await EventLog.open(asWriter, ledger: ledger)
        } catch let error as PostgreSQLError where error.code == .noSuchRole {
            throw EventLogError.schema(.missing(ledger: ledger.name))
        }
    }
}

extension PostgreSQLError.Code {
    /// `SET ROLE` to a role that is not there.
    fileprivate static let noSuchRole = Self(rawValue: "22023")
}
