public import PostgreSQL

/// The event log: events in one order, without gaps, each once for ever.
public struct EventLog: Sendable {
    /// Connections whose search path is the ledger's schema.
    public let pool: ConnectionPool
    /// The schema, its roles and its channel.
    public let ledger: Ledger
    /// Whether it also runs where `fsync` is off, and then leaves `synchronous_commit` as it is.
    public let allowsUnsafeDurability: Bool

    /// Opens the log of a ledger; runs no DDL.
    /// - Parameters:
    ///   - options: where the database is; the search path is set here.
    ///   - connectionsMax: how many connections it keeps at most.
    ///   - waitMillisecondsMax: how long a caller waits for one of them at most.
    ///   - allowsUnsafeDurability: for tests only, which lose nothing by losing everything.
    /// - Throws: `EventLogError.schema` where the schema is missing, older or newer than this
    ///   program,
    ///   `EventLogError.unsafeDurability`, `PostgreSQLError`.
    public static func open(
        _ options: ConnectionOptions, ledger: Ledger, connectionsMax: Int = 4,
        waitMillisecondsMax: Int = 5_000, allowsUnsafeDurability: Bool = false
    ) async throws -> EventLog {
        var options = options
        options.searchPath = ledger.name
        let pool = ConnectionPool(
            options, connectionsMax: connectionsMax, waitMillisecondsMax: waitMillisecondsMax)
        let log = EventLog(
            pool: pool, ledger: ledger, allowsUnsafeDurability: allowsUnsafeDurability)
        do {
            try await log.check()
        } catch {
            await pool.close()
            throw error
        }
        return log
    }

    /// Closes its connections.
    public func close() async { await pool.close() }

    private func check() async throws {
        let migrator = SchemaMigrator(ledger: ledger)
        try await pool.withConnection { connection in
            if let problem = try migrator.status(on: connection).problem {
                throw EventLogError.schema(problem)
            }
        }
    }

    // MARK: Reading

    /// Where the log ends, and which log it is.
    public func head() async throws -> LogHead {
        try await pool.withConnection { try Self.head(on: $0) }
    }

    /// As `head()`, in a transaction of the caller's.
    public static func head(on connection: isolated Connection) throws -> LogHead {
        guard let row = try connection.query(.logHead).first else {
            throw EventLogError.damaged(position: 0, "the log has no head")
        }
        let recordedAt: Timestamp = try row.value("recorded_at")
        return LogHead(
            logId: try row.value("log_id"), epoch: try row.value("epoch"),
            size: try row.value("size"), recordedAt: recordedAt.milliseconds,
            treeSize: try row.value("tree_size"), root: try row.value("root"))
    }

    /// The events after a position, in the log's order: at least one if there is any, at most
    /// `limit`, and about `bytesMax` bytes. None can be missed by asking for what comes after the
    /// last.
    /// - Parameter limit: 1 to 10,000.
    public func read(after position: Int64, limit: Int, bytesMax: Int = 32 << 20) async throws
        -> [RecordedEvent]
    {
        try await pool.withConnection {
            try Self.read(after: position, limit: limit, bytesMax: bytesMax, on: $0)
        }
    }

    /// As `read(after:limit:bytesMax:)`, in a transaction of the caller's.
    public static func read(
        after position: Int64, limit: Int, bytesMax: Int = 32 << 20,
        on connection: isolated Connection
    ) throws -> [RecordedEvent] {
        try connection.query(
            .logRead, [.int64(position), .int64(clamp(limit)), .int64(Int64(bytesMax))]
        ).map(RecordedEvent.init(row:))
    }

    /// The events of some types after a position, in the log's order; else as
    /// `read(after:limit:bytesMax:)`.
    public func read(
        types: [String], after position: Int64, limit: Int, bytesMax: Int = 32 << 20
    ) async throws -> [RecordedEvent] {
        try await pool.withConnection {
            try Self.read(
                types: types, after: position, limit: limit, bytesMax: bytesMax, on: $0)
        }
    }

    /// As `read(types:after:limit:bytesMax:)`, in a transaction of the caller's.
    public static func read(
        types: [String], after position: Int64, limit: Int, bytesMax: Int = 32 << 20,
        on connection: isolated Connection
    ) throws -> [RecordedEvent] {
        try connection.query(
            .logReadTypes,
            [
                .texts(types), .int64(position), .int64(clamp(limit)), .int64(Int64(bytesMax)),
            ]
        ).map(RecordedEvent.init(row:))
    }

    /// The events at these positions that exist, in the log's order. At most 10,000 positions.
    public func read(positions: [Int64]) async throws -> [RecordedEvent] {
        try await pool.withConnection { try Self.read(positions: positions, on: $0) }
    }

    /// As `read(positions:)`, in a transaction of the caller's.
    public static func read(positions: [Int64], on connection: isolated Connection) throws
        -> [RecordedEvent]
    {
        precondition(positions.count <= readMax, "too many positions")
        return try connection.query(.logReadPositions, [.int64s(positions)])
            .map(RecordedEvent.init(row:))
    }

    /// Where the events of these keys stand, as far as they are in the log.
    public func positions(eventKeys: [EventKey]) async throws -> [EventKey: Int64] {
        try await pool.withConnection { try Self.positions(eventKeys: eventKeys, on: $0) }
    }

    /// As `positions(eventKeys:)`, in a transaction of the caller's.
    public static func positions(eventKeys: [EventKey], on connection: isolated Connection) throws
        -> [EventKey: Int64]
    {
        if eventKeys.isEmpty { return [:] }
        var positions: [EventKey: Int64] = [:]
        for row in try connection.query(.logPositions, [.byteas(eventKeys.map(\.bytes))]) {
            guard let key = EventKey(bytes: try row.value("event_key")) else { continue }
            positions[key] = try row.value("position")
        }
        return positions
    }

    /// The bytes of a piece of evidence; `nil` if it never came or was erased.
    public func evidence(_ digest: [UInt8]) async throws -> [UInt8]? {
        try await evidence([digest])[digest]
    }

    /// The bytes of pieces of evidence under their SHA-256, as far as they came and were not
    /// erased.
    public func evidence(_ digests: [[UInt8]]) async throws -> [[UInt8]: [UInt8]] {
        if digests.isEmpty { return [:] }
        return try await pool.withConnection { connection in
            var found: [[UInt8]: [UInt8]] = [:]
            for row in try connection.query(.logEvidence, [.byteas(digests)]) {
                found[try row.value("digest", as: [UInt8].self)] = try row.value("bytes")
            }
            return found
        }
    }

    /// The bytes of an event as they came; `nil` if something of them was erased.
    public func received(_ event: RecordedEvent) async throws -> [UInt8]? {
        try event.received(evidence: try await evidence(event.evidence))
    }

    /// How many events there are of each type.
    public func countByType() async throws -> [(type: String, count: Int64)] {
        try await pool.withConnection { connection in
            try connection.query(.logCountByType).map {
                (try $0.value("type"), try $0.value("events"))
            }
        }
    }

    private static let readMax = 10_000

    private static func clamp(_ limit: Int) -> Int64 { Int64(min(max(limit, 1), readMax)) }
}

/// Which log it is and where it ends.
public struct LogHead: Sendable, Equatable {
    /// A UUID, given when the schema was made.
    public let logId: String
    /// Raised by a restore or a promotion: positions of two epochs are not the same events.
    public let epoch: Int64
    /// The last position; 0 when empty.
    public let size: Int64
    /// When the last event was recorded, in milliseconds since 1970 UTC; 0 when empty.
    public let recordedAt: Int64
    /// How many events the tree covers: all, but while the tree of an older log is being built.
    public let treeSize: Int64
    /// The root of that tree: 32 bytes.
    public let root: [UInt8]

    /// A head of these parts.
    public init(
        logId: String, epoch: Int64, size: Int64, recordedAt: Int64, treeSize: Int64, root: [UInt8]
    ) {
        self.logId = logId
        self.epoch = epoch
        self.size = size
        self.recordedAt = recordedAt
        self.treeSize = treeSize
        self.root = root
    }
}
