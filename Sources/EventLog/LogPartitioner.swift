public import PostgreSQL

/// Keeps the log in partitions by range of position, once somebody wants that: makes those that lie
/// ahead of its end, two at least. To be run from time to time, while everything else goes on.
public struct LogPartitioner: Sendable {
    /// How many positions a partition may have.
    public static let widths: ClosedRange<Int64> = 1...1_000_000_000_000

    /// How many keys of events that were there before are taken over in one transaction.
    private static let keysMax: Int64 = 50_000
    private static let attemptsMax = 20

    /// For how long it waits for a lock before it lets the others go on and tries again; in
    /// milliseconds.
    private static let lockTimeout = "2000"

    /// Whose log.
    public let ledger: Ledger

    /// A partitioner for the log of a ledger.
    public init(ledger: Ledger) { self.ledger = ledger }

    /// Makes the partitions that are missing. A log that has none gets its first: its own table,
    /// which is read once for that while appends wait; no row changes.
    /// - Parameters:
    ///   - width: how many positions a new partition has; `nil` leaves it as it was said before.
    ///   - connection: its user may take on the owner's role, as that of a migration.
    /// - Returns: the first position of each new partition.
    /// - Throws: `EventLogError.notPartitioned` where nobody has said a width yet,
    ///   `PostgreSQLError`.
    public func run(width: Int64?, on connection: Connection) async throws -> [Int64] {
        try await step(on: connection) { connection in
            if try connection.query(.logPartitionWish, [.int64(width)]).isEmpty {
                throw EventLogError.notPartitioned
            }
        }
        while try await step(on: connection, Self.fillKeys) {}
        return try await step(on: connection) { connection in
            try connection.query(.logPartition).map { try $0.value(at: 0) }
        }
    }

    /// Takes over some keys of a log that is not partitioned yet.
    /// - Returns: whether there may be more.
    private static func fillKeys(on connection: isolated Connection) throws -> Bool {
        if try connection.query(.logIsPartitioned).first?.value(at: 0) == true { return false }
        let added: Int64? = try connection.query(.logFillKeys, [.int64(keysMax)]).first?
            .value(at: 0)
        return added == keysMax
    }

    /// A transaction of the owner's, which is run again where it lost a race.
    private func step<R: Sendable>(
        on connection: Connection, _ body: @Sendable (isolated Connection) throws -> R
    ) async throws -> R {
        for attempt in 1..<Self.attemptsMax {
            do {
                return try await stepOnce(on: connection, body)
            } catch let error as PostgreSQLError where Self.isRace(error) {
                try await Task.sleep(for: .milliseconds(Int.random(in: 10...50) * attempt))
            }
        }
        return try await stepOnce(on: connection, body)
    }

    /// Somebody else holds a lock, or the log has meanwhile grown into what was to be a partition.
    private static func isRace(_ error: PostgreSQLError) -> Bool {
        error.code == .lockNotAvailable || error.code == .checkViolation
    }

    private func stepOnce<R: Sendable>(
        on connection: Connection, _ body: @Sendable (isolated Connection) throws -> R
    ) async throws -> R {
        try await connection.perform { connection in
            try connection.transaction { connection in
                _ = try connection.query(
                    .migrationSettings, [.text(ledger.name), .text(Self.lockTimeout)])
                try connection.run("set local role \(ledger.ownerRole)")
                return try body(connection)
            }
        }
    }
}
