internal import CMicroHTTPD
internal import Glibc

/// Waits for descriptors to become ready: epoll(7).
final class Epoll {
    struct Event {
        let descriptor: Int32
        /// The other end will send no more, or is gone.
        let isHangup: Bool
    }

    enum Interest {
        /// Ready as long as there is something to read.
        case readable
        /// Ready each time that something more arrives; what was there before and was not taken
        /// stays quiet.
        case arrivals
        case nothing

        fileprivate var events: UInt32 {
            switch self {
            case .readable: EPOLLIN.rawValue
            case .arrivals: EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
            case .nothing: 0
            }
        }
    }

    private let descriptor: Int32
    private var buffer = [epoll_event](repeating: epoll_event(), count: 256)

    init() throws(ServerStartError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw ServerStartError("no epoll descriptor", errno) }
    }

    deinit { close(descriptor) }

    /// Whether the descriptor is watched now.
    @discardableResult
    func add(_ watched: Int32, _ interest: Interest) -> Bool {
        control(EPOLL_CTL_ADD, watched, interest)
    }

    func change(_ watched: Int32, _ interest: Interest) {
        control(EPOLL_CTL_MOD, watched, interest)
    }

    func remove(_ watched: Int32) {
        control(EPOLL_CTL_DEL, watched, .nothing)
    }

    @discardableResult
    private func control(_ operation: Int32, _ watched: Int32, _ interest: Interest) -> Bool {
        var event = epoll_event(events: interest.events, data: epoll_data(fd: watched))
        return epoll_ctl(descriptor, operation, watched, &event) == 0
    }

    /// What is ready, after at most so many milliseconds; -1 waits for ever.
    func wait(milliseconds: Int32) -> [Event] {
        let count = epoll_wait(descriptor, &buffer, Int32(buffer.count), milliseconds)
        let hangup = EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue
        return buffer.prefix(Int(max(0, count))).map {
            Event(descriptor: $0.data.fd, isHangup: $0.events & hangup != 0)
        }
    }
}
