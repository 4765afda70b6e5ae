internal import Glibc

/// A value that one thread at a time may touch.
///
/// As `Synchronization.Mutex`, over a mutex of POSIX threads: that one's futex is taken by the
/// kernel on behalf of a waiting thread, which Thread Sanitizer does not see and reports as a race.
final class Locked<Value: Sendable>: @unchecked Sendable {
    // SAFETY: `value` is read and written between lock and unlock only; the mutex has an address of
    // its own, which never changes.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    init(_ value: Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        let code = pthread_mutex_init(mutex, nil)
        precondition(code == 0, "no mutex")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` on the value, alone; it must neither wait nor come back here.
    func withLock<R: Sendable>(_ body: (inout Value) throws -> R) rethrows -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
