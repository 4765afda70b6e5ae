import Glibc
import Synchronization

/// Holds the threads of two connections until both have come; later ones pass. It gives up after
/// two minutes, because a retried transaction may come alone.
final class Gate: Sendable {
    private let arrived = Atomic(0)
    private let parties: Int

    init(parties: Int) { self.parties = parties }

    func arrive() {
        arrived.add(1, ordering: .sequentiallyConsistent)
        for _ in 0..<120_000 where arrived.load(ordering: .sequentiallyConsistent) < parties {
            usleep(1000)
        }
    }
}

/// A value that several tasks change.
final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    func withLock<R: Sendable>(_ body: (inout Value) -> R) -> R {
        value.withLock { body(&$0) }
    }
}
