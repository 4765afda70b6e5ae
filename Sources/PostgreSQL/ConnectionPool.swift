/// A bounded number of connections, lent to one piece of work at a time, first come first served.
///
/// A connection that broke is replaced when the next one asks. As long as the server is away after
/// it was once there (a restart), new connections are tried with growing pauses until the wait is
/// over; a server that was never reached is reported at once.
public actor ConnectionPool {
    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<Void, any Error>
        let timeout: Task<Void, Never>
    }

    /// Where and as whom its connections are made.
    public nonisolated let options: ConnectionOptions
    private let connectionsMax: Int
    private let wait: Duration
    private let waitersMax: Int
    private var idle: [Connection] = []
    /// Connections that are lent or being opened.
    private var leased = 0
    private var waiters: [Waiter] = []
    private var lastWaiter = 0
    private var isClosed = false
    private var hasConnected = false

    /// Opens nothing yet. Waiting, opening included, ends after `waitMillisecondsMax`; no more
    /// than `waitersMax` wait at a time.
    public init(
        _ options: ConnectionOptions, connectionsMax: Int = 8, waitMillisecondsMax: Int = 5000,
        waitersMax: Int = 1024
    ) {
        precondition(connectionsMax > 0 && waitMillisecondsMax >= 0 && waitersMax >= 0)
        self.options = options
        self.connectionsMax = connectionsMax
        wait = .milliseconds(waitMillisecondsMax)
        self.waitersMax = waitersMax
    }

    /// Lends a connection to `body`. What it leaves open (a transaction) is rolled back. Throws
    /// `poolWaitExceeded`, `poolQueueFull`, `poolClosed`, what opening a connection throws, and
    /// what `body` throws.
    public func withConnection<R: Sendable>(
        _ body: @Sendable (isolated Connection) throws -> R
    ) async throws -> R {
        let deadline = ContinuousClock.now + wait
        try await takeTurn()
        let connection: Connection
        do {
            connection = try await readyConnection(until: deadline)
        } catch {
            passTurn()
            throw error
        }
        do {
            let value = try await connection.perform(body)
            await giveBack(connection)
            return value
        } catch {
            await giveBack(connection)
            throw error
        }
    }

    /// Closes what is idle, refuses who waits and who comes; what is lent is closed when it
    /// comes back.
    public func close() async {
        isClosed = true
        for waiter in waiters {
            waiter.timeout.cancel()
            waiter.continuation.resume(throwing: PostgreSQLError(.poolClosed))
        }
        waiters = []
        let connections = idle
        idle = []
        for connection in connections { await connection.close() }
    }

    /// Connections lent, connections idle, and how many wait for one.
    public var load: (leased: Int, idle: Int, waiting: Int) {
        (leased, idle.count, waiters.count)
    }
}

extension ConnectionPool {
    /// A turn is the right to hold one connection.
    private func takeTurn() async throws {
        guard !isClosed else { throw PostgreSQLError(.poolClosed) }
        if leased < connectionsMax {
            leased += 1
            return
        }
        guard waiters.count < waitersMax else { throw PostgreSQLError(.poolQueueFull) }
        lastWaiter += 1
        let id = lastWaiter
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { enqueue(id, $0) }
        } onCancel: {
            Task { await self.dismiss(id, CancellationError()) }
        }
    }

    private func enqueue(_ id: Int, _ continuation: CheckedContinuation<Void, any Error>) {
        // A cancellation before this point has found nobody to dismiss.
        guard !Task.isCancelled else {
            continuation.resume(throwing: CancellationError())
            return
        }
        let timeout = Task { [wait] in
            guard (try? await Task.sleep(for: wait)) != nil else { return }
            self.dismiss(id, PostgreSQLError(.poolWaitExceeded))
        }
        waiters.append(Waiter(id: id, continuation: continuation, timeout: timeout))
    }

    private func dismiss(_ id: Int, _ error: any Error) {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        let waiter = waiters.remove(at: index)
        waiter.timeout.cancel()
        waiter.continuation.resume(throwing: error)
    }

    /// Hands the turn to who has waited longest.
    private func passTurn() {
        assert(leased > 0 && leased <= connectionsMax)
        guard !waiters.isEmpty else {
            leased -= 1
            return
        }
        let next = waiters.removeFirst()
        next.timeout.cancel()
        next.continuation.resume()
    }

    private func giveBack(_ connection: Connection) async {
        if await connection.restore(), !isClosed {
            idle.append(connection)
        } else {
            await connection.close()
        }
        passTurn()
    }

    private func readyConnection(until deadline: ContinuousClock.Instant) async throws -> Connection
    {
        while let connection = idle.popLast() {
            if await connection.isAlive() { return connection }
            await connection.close()
        }
        var pause = Duration.milliseconds(20)
        while true {
            do {
                let connection = try await Connection.open(options)
                hasConnected = true
                return connection
            } catch let error as PostgreSQLError {
                let mayCome = error.isConnectionLost || error.code == .tooManyConnections
                guard hasConnected, mayCome, ContinuousClock.now + pause < deadline else {
                    throw error
                }
            }
            try await Task.sleep(for: pause * Double.random(in: 0.5...1))
            pause = min(pause * 2, .milliseconds(1000))
        }
    }
}
