import CPostgreSQL
import Dispatch
import Synchronization

/// One piece of work that a task waits for.
final class Ticket: Sendable {
    private let cancelled = Atomic(false)

    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func cancel() { cancelled.store(true, ordering: .releasing) }
}

/// Sends cancel requests to the server from other threads than the connection's, and never for
/// another piece of work than the one that is meant.
final class Cancellation: Sendable {
    private struct State {
        var handle: CancelHandle?
        var running: Ticket?
    }

    private let state = Mutex(State())

    /// The connection stands.
    func arm(_ connection: OpaquePointer) {
        let handle = CancelHandle(connection)
        state.withLock { $0.handle = handle }
    }

    /// The connection is closed: there is nothing to cancel any more.
    func disarm() { state.withLock { $0.handle = nil } }

    func begin(_ ticket: Ticket) { state.withLock { $0.running = ticket } }

    /// Waits for a request that is on its way, so that it cannot hit what comes next: the server
    /// has signalled its backend before it ends a cancel request, and an idle backend ignores it.
    func end() { state.withLock { $0.running = nil } }

    /// Cancels what runs now, whoever waits for it.
    func request() {
        DispatchQueue.global().async { self.state.withLock { $0.handle?.send() } }
    }

    /// Cancels the work of `ticket` if it runs; it doesn't begin if it has not begun.
    func request(_ ticket: Ticket) {
        ticket.cancel()
        DispatchQueue.global().async {
            self.state.withLock { state in
                if state.running === ticket { state.handle?.send() }
            }
        }
    }
}

/// libpq's copy of what a cancel request needs.
// SAFETY: a PGcancel is never changed after it was made, and PQcancel may be called in any thread
// (libpq's documentation); it is freed once, when nobody refers to it.
private final class CancelHandle: @unchecked Sendable {
    private let pointer: OpaquePointer?

    init(_ connection: OpaquePointer) { pointer = PQgetCancel(connection) }

    deinit { PQfreeCancel(pointer) }

    /// The outcome is told by the cancelled statement, if at all.
    func send() {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
            _ = PQcancel(pointer, text.baseAddress, Int32(text.count))
        }
    }
}
