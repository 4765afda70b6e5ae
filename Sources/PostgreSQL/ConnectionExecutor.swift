import Dispatch

/// Runs the work of one connection on a queue of its own: libpq blocks that thread, never one of
/// the cooperative pool.
final class ConnectionExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "quittance.postgresql.connection")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
