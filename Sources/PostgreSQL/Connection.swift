import CPostgreSQL

/// A connection to PostgreSQL. Everything it does is synchronous on a thread of its own, so
/// nothing can come between the statements of a transaction. From outside:
/// `try await connection.perform { connection in … }`.
public actor Connection {
    private nonisolated let executor = ConnectionExecutor()
    private nonisolated let cancellation = Cancellation()
    private let options: ConnectionOptions
    private(set) var handle: ConnectionHandle?
    private var ticket: Ticket?
    var prepared = PreparedStatements()
    /// In the middle of a COPY or of a stream of rows: no other statement may be sent.
    var isBusy = false
    /// LISTENs to a channel.
    var isListening = false
    /// How often a transaction was run again after it lost against another.
    public internal(set) var retryCount = 0

    /// The connection's own thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    private init(_ options: ConnectionOptions) { self.options = options }

    /// Connects. Refuses servers before PostgreSQL 15.
    public static func open(_ options: ConnectionOptions) async throws -> Connection {
        let connection = Connection(options)
        try await connection.connect()
        return connection
    }

    private func connect() throws {
        let handle = try ConnectionHandle(options)
        try handle.finishConnecting()
        try checkServerVersion(PQserverVersion(handle.pointer), place: handle.address)
        self.handle = handle
        if let role = options.role {
            try run("set role \(quotedIdentifier(role))")
        }
        cancellation.arm(handle.pointer)
    }

    /// Runs `body` on the connection's thread. When the waiting task is cancelled, the statement
    /// under way is cancelled at the server, no further one begins (a ROLLBACK does), and
    /// `CancellationError` is thrown.
    public nonisolated func perform<R: Sendable>(
        _ body: @Sendable (isolated Connection) throws -> R
    ) async throws -> R {
        let ticket = Ticket()
        return try await withTaskCancellationHandler {
            try await self.perform(ticket, body)
        } onCancel: {
            self.cancellation.request(ticket)
        }
    }

    private func perform<R: Sendable>(
        _ ticket: Ticket, _ body: @Sendable (isolated Connection) throws -> R
    ) throws -> R {
        self.ticket = ticket
        cancellation.begin(ticket)
        defer {
            cancellation.end()
            self.ticket = nil
        }
        do {
            try checkNotCancelled()
            return try body(self)
        } catch let error as PostgreSQLError
            where error.code == .queryCancelled && ticket.isCancelled
        {
            throw CancellationError()
        }
    }

    /// Asks the server to cancel the statement under way; what runs then throws `queryCancelled`.
    /// Returns at once.
    public nonisolated func cancel() { cancellation.request() }

    /// Closes the connection; every later use throws `connectionBusy`.
    public func close() {
        cancellation.disarm()
        handle = nil
    }

    /// Open, and as far as this side knows alive.
    public var isUsable: Bool { handle?.isOpen ?? false }

    /// Such as 150018 for 15.18; 0 when closed.
    public var serverVersion: Int { handle.map { Int(PQserverVersion($0.pointer)) } ?? 0 }

    /// How many notices and warnings the server has sent.
    public var noticeCount: Int { handle?.notices.count ?? 0 }

    /// The process at the server's side, as in `pg_stat_activity.pid`; 0 when closed.
    public var backendProcess: Int32 { handle.map { PQbackendPID($0.pointer) } ?? 0 }
}

extension Connection {
    /// The open handle, if another statement may be sent.
    func ready(_ place: String?) throws -> ConnectionHandle {
        try checkNotCancelled()
        return try idle(place)
    }

    /// As `ready`, for what must happen even when the task is cancelled.
    func idle(_ place: String?) throws -> ConnectionHandle {
        guard let handle, !isBusy else { throw PostgreSQLError(.connectionBusy, place: place) }
        return handle
    }

    func checkNotCancelled() throws {
        if let ticket, ticket.isCancelled { throw CancellationError() }
    }

    /// Runs statements without parameters (DDL, several at once) and forgets their rows.
    public func run(_ sql: String) throws {
        try execute(sql, on: ready("run"), place: "run")
    }

    /// Sends SQL by the simple protocol, and hands over the last result.
    @discardableResult
    func execute(_ sql: String, on handle: ConnectionHandle, place: String) throws -> QueryResult {
        precondition(!sql.utf8.contains(0), "SQL ends at a U+0000")
        let sent = PQsendQuery(handle.pointer, sql)
        return try success(collect(sent, from: handle, place: place), on: handle)
    }

    /// The result of what was just sent: that of the last statement, or the first error. (PQexec
    /// would give the last error: a broken socket instead of the server's reason for it.)
    func collect(
        _ sent: Int32 = 1, from handle: ConnectionHandle, columns: Columns? = nil, place: String
    ) throws -> QueryResult {
        guard sent == 1 else { throw handle.lost(place) }
        var last: QueryResult?
        while let pointer = PQgetResult(handle.pointer) {
            do {
                last = try take(pointer, from: handle, columns: columns, place: place)
            } catch {
                drain(handle)
                throw error
            }
            // The result of a COPY comes again and again, until the COPY is ended.
            if let last, Self.isCopy(last) { return last }
        }
        guard let last else { throw handle.lost(place) }
        return last
    }

    /// Refuses a COPY where none is expected, and ends it.
    func success(_ result: QueryResult, on handle: ConnectionHandle) throws -> QueryResult {
        guard Self.isCopy(result) else { return result }
        drain(handle)
        throw PostgreSQLError(.notABinaryCopy, place: result.place)
    }

    /// Owns a result, and throws if it is an error.
    func take(
        _ pointer: OpaquePointer, from handle: ConnectionHandle, columns: Columns?,
        place: String
    ) throws -> QueryResult {
        let result = QueryResult(pointer, columns: columns, place: place)
        let status = PQresultStatus(pointer)
        guard status != PGRES_FATAL_ERROR, status != PGRES_BAD_RESPONSE else {
            let error = PostgreSQLError(result: pointer, place: place)
            throw error.code == .connectionLost ? handle.lost(place) : error
        }
        return result
    }

    static func isCopy(_ result: QueryResult) -> Bool {
        [PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH].contains(PQresultStatus(result.pointer))
    }

    /// Whether the connection is in a transaction, and whether that has failed.
    func transactionStatus(_ handle: ConnectionHandle) -> PGTransactionStatusType {
        PQtransactionStatus(handle.pointer)
    }
}

/// Throws `serverTooOld` for what is older than PostgreSQL 15.
func checkServerVersion(_ version: Int32, place: String?) throws {
    guard version >= 150_000 else { throw PostgreSQLError(.serverTooOld, place: place) }
}
