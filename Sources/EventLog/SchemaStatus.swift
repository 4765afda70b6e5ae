internal import Cryptography
public import PostgreSQL

/// A migration that was applied to a ledger's schema.
public struct AppliedMigration: Sendable, Equatable {
    /// Its place in the order, from 1.
    public let number: Int
    /// The name of its folder.
    public let name: String
    /// SHA-256 of its `up.sql`.
    public let digest: [UInt8]
    /// In milliseconds since 1970 UTC.
    public let appliedAt: Int64
}

/// Which migrations a ledger's schema has, and which it lacks.
public struct SchemaStatus: Sendable {
    /// Whose schema.
    public let ledger: Ledger
    /// Those that were applied, by number.
    public let applied: [AppliedMigration]
    /// Those that this program knows and the schema lacks, by number.
    public let pending: [Migration]
    /// Why this program cannot work with the schema; `nil` if it can.
    public let problem: SchemaProblem?

    /// - Parameter applied: `nil` where no schema of a ledger is.
    init(ledger: Ledger, known: [Migration], applied: [AppliedMigration]?) {
        self.ledger = ledger
        self.applied = applied ?? []
        let numbers = Set(self.applied.map(\.number))
        let pending = known.filter { !numbers.contains($0.number) }
            .sorted { $0.number < $1.number }
        self.pending = pending
        problem = Self.problem(ledger, known: known, applied: applied, pending: pending)
    }

    private static func problem(
        _ ledger: Ledger, known: [Migration], applied: [AppliedMigration]?, pending: [Migration]
    ) -> SchemaProblem? {
        guard let applied else { return .missing(ledger: ledger.name) }
        for migration in applied {
            guard let same = known.first(where: { $0.number == migration.number }) else {
                return .unknown(ledger: ledger.name, migration: migration.name)
            }
            guard same.digest == migration.digest else {
                return .changed(ledger: ledger.name, migration: migration.name)
            }
        }
        return pending.isEmpty ? nil : .behind(ledger: ledger.name, pending: pending.count)
    }

    /// What is to be applied; `nil` if nothing is.
    /// - Throws: `EventLogError.schema` where applying would not help.
    func pendingOrThrow() throws(EventLogError) -> [Migration]? {
        guard let problem else { return nil }
        switch problem {
        case .missing, .behind: return pending
        case .unknown, .changed: throw .schema(problem)
        }
    }
}

/// Why a program cannot work with a ledger's schema.
public enum SchemaProblem: Sendable, Equatable, CustomStringConvertible {
    /// No schema of that name, or none with a ledger.
    case missing(ledger: String)
    /// It was migrated by an older program.
    case behind(ledger: String, pending: Int)
    /// It was migrated by a newer program.
    case unknown(ledger: String, migration: String)
    /// A migration's text is not the one that was applied.
    case changed(ledger: String, migration: String)

    /// One line, with what to do.
    public var description: String {
        switch self {
        case .missing(let ledger):
            "the schema \(ledger) holds no ledger: run `quittance schema up`"
        case .behind(let ledger, let pending):
            "the schema \(ledger) lacks \(pending) of this program's migrations: "
                + "run `quittance schema up`"
        case .unknown(let ledger, let migration):
            "the schema \(ledger) has the migration \(migration), which this program does not "
                + "know: use a newer one"
        case .changed(let ledger, let migration):
            "the migration \(migration) is not the one that was applied to the schema \(ledger)"
        }
    }
}

extension Migration {
    /// SHA-256 of `up.sql`.
    var digest: [UInt8] { SHA256.hash(Array(up.utf8)) }
}
