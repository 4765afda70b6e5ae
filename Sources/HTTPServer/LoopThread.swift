internal import Glibc

/// Runs `body` on a thread of its own, which may block.
func startThread(_ body: @escaping @Sendable () -> Void) throws(ServerStartError) {
    let context = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, runThread, context)
    guard code == 0 else {
        Unmanaged<ThreadBody>.fromOpaque(context).release()
        throw ServerStartError("no thread", code)
    }
    pthread_detach(thread)
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}
