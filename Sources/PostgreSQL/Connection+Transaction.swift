import CPostgreSQL
import Glibc

extension Connection {
    /// Runs `body` in a transaction and commits it; an error rolls it back and is thrown on. When
    /// it lost against a concurrent transaction (SQLSTATE 40001, 40P01) all of `body` runs again,
    /// `attempts` times at most (1 to 100), with a short random pause between.
    ///
    /// When the connection breaks while it commits, `transactionResolutionUnknown` is thrown.
    public func transaction<R>(
        _ mode: TransactionMode = .readCommitted, attempts: Int = 5,
        _ body: (isolated Connection) throws -> R
    ) throws -> R {
        precondition((1...100).contains(attempts), "attempts out of range")
        let handle = try ready("transaction")
        guard transactionStatus(handle) == PQTRANS_IDLE else {
            throw PostgreSQLError(handle.isOpen ? .activeTransaction : .connectionLost)
        }
        for attempt in 1..<attempts {
            do {
                return try attemptTransaction(mode, on: handle, body)
            } catch let error as PostgreSQLError where error.asksForAnotherTry {
                retryCount += 1
                pauseBeforeRetry(attempt)
            }
        }
        return try attemptTransaction(mode, on: handle, body)
    }

    private func attemptTransaction<R>(
        _ mode: TransactionMode, on handle: ConnectionHandle,
        _ body: (isolated Connection) throws -> R
    ) throws -> R {
        try checkNotCancelled()
        try execute(mode.begin, on: handle, place: "begin")
        do {
            let value = try body(self)
            try commit(handle)
            return value
        } catch {
            rollBack(handle)
            throw error
        }
    }

    private func commit(_ handle: ConnectionHandle) throws {
        // The server answers a COMMIT of a failed transaction with a silent ROLLBACK.
        guard transactionStatus(handle) == PQTRANS_INTRANS else {
            throw PostgreSQLError(
                handle.isOpen ? .failedTransaction : .connectionLost, place: "commit")
        }
        do {
            try execute("commit", on: handle, place: "commit")
        } catch let error as PostgreSQLError where !handle.isOpen {
            throw PostgreSQLError(.transactionResolutionUnknown, place: error.place)
        }
    }

    /// Ends whatever transaction is open; a connection that cannot even do that is closed.
    func rollBack(_ handle: ConnectionHandle) {
        guard transactionStatus(handle) != PQTRANS_IDLE else { return }
        do {
            try execute("rollback", on: handle, place: "rollback")
        } catch {
            close()
        }
    }

    /// 1 to 10 ms, doubled for each attempt, 500 ms at most; it blocks the connection's thread.
    private func pauseBeforeRetry(_ attempt: Int) {
        let milliseconds = min(500, Int.random(in: 1...10) << min(attempt, 6))
        usleep(UInt32(milliseconds) * 1000)
    }

    /// The state in which a pool may lend it again: no transaction open, no channel listened to.
    /// False when that cannot be had.
    func restore() -> Bool {
        guard let handle = try? idle(nil), handle.isOpen, !isListening else { return false }
        rollBack(handle)
        return isUsable
    }
}
