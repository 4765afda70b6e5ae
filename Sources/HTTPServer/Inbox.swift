internal import CMicroHTTPD
internal import Glibc

/// How other threads talk to the loop: they leave a message and wake it.
///
/// It is bounded by what it carries: one answer for each request under way, and requests to stop.
final class Inbox: Sendable {
    enum Message: Sendable {
        /// The answer to the request of the exchange with this number.
        case answered(UInt64, HTTPResponse)
        case stop(graceMilliseconds: Int)
    }

    /// Readable when there are messages.
    let descriptor: Int32
    private let messages = Locked<[Message]>([])

    init() throws(ServerStartError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw ServerStartError("no event descriptor", errno) }
    }

    deinit { close(descriptor) }

    func post(_ message: Message) {
        messages.withLock { $0.append(message) }
        // It fails only when the counter is full, and then the loop is awake anyway.
        _ = eventfd_write(descriptor, 1)
    }

    /// All messages, in order.
    func take() -> [Message] {
        var count: eventfd_t = 0
        _ = eventfd_read(descriptor, &count)
        return messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}
