/// Reached once; whoever waits, before or after, goes on then.
final class FinishLine: Sendable {
    private enum State: Sendable {
        case running([CheckedContinuation<Void, Never>])
        case reached
    }

    private let state = Locked<State>(.running([]))

    func reach() {
        let waiting = state.withLock { state in
            defer { state = .reached }
            switch state {
            case .running(let waiting): return waiting
            case .reached: return []
            }
        }
        for continuation in waiting { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                switch state {
                case .running(let waiting):
                    state = .running(waiting + [continuation])
                    return false
                case .reached: return true
                }
            }
            if isReached { continuation.resume() }
        }
    }
}
