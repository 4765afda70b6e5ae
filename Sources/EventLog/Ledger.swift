/// A ledger: one schema of a PostgreSQL database, with the roles and the channel named after it.
public struct Ledger: Sendable, Hashable, CustomStringConvertible {
    /// The name that is used where none is given.
    public static let standardName = "quittance"

    /// The schema's name.
    public let name: String

    /// - Parameter name: 1 to 55 of a to z, 0 to 9 and `_`, not beginning with a digit or `pg_`: so
    ///   that the roles' names fit PostgreSQL's 63 bytes and nobody needs quotation marks.
    /// - Throws: `EventLogError.badLedgerName`.
    public init(_ name: String = Ledger.standardName) throws(EventLogError) {
        let allowed = name.utf8.allSatisfy { byte in
            (97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "_")
        }
        let startsWell = name.utf8.first.map { !(48...57).contains($0) } ?? false
        guard allowed, startsWell, name.utf8.count <= 55, !name.hasPrefix("pg_") else {
            throw .badLedgerName
        }
        self.name = name
    }

    /// Migrations run as it; nobody logs in as it.
    public var ownerRole: String { "\(name)_owner" }
    /// Appends.
    public var writerRole: String { "\(name)_writer" }
    /// Support and business intelligence.
    public var readerRole: String { "\(name)_reader" }
    /// Sees everything, changes nothing.
    public var auditorRole: String { "\(name)_auditor" }
    /// Empties personal values and evidence, and can do nothing else.
    public var eraserRole: String { "\(name)_eraser" }
    /// Where the log tells, once a transaction, that it has grown; the payload is its size.
    public var channel: String { "\(name)_log" }

    /// The schema's name.
    public var description: String { name }
}
