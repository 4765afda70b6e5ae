internal import Glibc

extension EventLoop {
    /// How far the end has come. Each phase has a deadline on the monotonic clock.
    enum Shutdown {
        /// No new connections; those that have begun may finish.
        case finishing(until: Int64)
        /// Handlers were cancelled; their clients are told so.
        case telling(until: Int64)
        /// The sockets were cut off.
        case cutting(until: Int64)
    }

    /// How long each of the last two phases may take.
    private static let lastMillisecondsMax = 500

    var isFinished: Bool {
        guard let shutdown else { return false }
        if guarded.isEmpty && exchanges.isEmpty { return true }
        if case .cutting(let until) = shutdown { return until <= MonotonicClock.milliseconds }
        return false
    }

    func beginShutdown(_ graceMilliseconds: Int) {
        listener?.end()
        listener = nil
        for connection in guarded.values where !connection.hasBegun { drop(connection.descriptor) }
        shutdown = .finishing(until: deadline(graceMilliseconds))
    }

    func advanceShutdown(_ now: Int64) {
        switch shutdown {
        case .finishing(let until) where until <= now:
            guarded.keys.forEach(drop)
            for exchange in exchanges.values {
                if case .handling(let task) = exchange.stage {
                    task.cancel()
                    answer(exchange, Problem(.shuttingDown, retryAfterSeconds: 5).response)
                }
            }
            shutdown = .telling(until: deadline(Self.lastMillisecondsMax))
        case .telling(let until) where until <= now:
            exchanges.values.forEach(cut)
            shutdown = .cutting(until: deadline(Self.lastMillisecondsMax))
        case .finishing, .telling, .cutting, nil: break
        }
    }
}
