internal import Dispatch
internal import Synchronization

/// `transform` of each number below `count`, on all processors; the result is in order, so it does
/// not depend on how many there are.
func concurrentMap<Result: Sendable>(
    count: Int, _ transform: @Sendable (Int) -> Result
) -> [Result] {
    let pieces = min(count, 64)
    guard pieces > 1 else { return (0..<count).map(transform) }
    let done = Mutex([[Result]](repeating: [], count: pieces))
    DispatchQueue.concurrentPerform(iterations: pieces) { piece in
        let part = (piece * count / pieces..<(piece + 1) * count / pieces).map(transform)
        done.withLock { $0[piece] = part }
    }
    return done.withLock { $0.flatMap { $0 } }
}
