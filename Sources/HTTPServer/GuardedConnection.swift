internal import CMicroHTTPD
internal import Glibc

/// A connection on this side of the guard: its head is awaited, or it is on its way out.
struct GuardedConnection {
    enum Stage {
        /// Its bytes are looked at and left in the kernel for libmicrohttpd to read.
        case awaitingHead
        /// It was answered. What still arrives is thrown away, at most so many bytes more, so that
        /// the answer is not lost to the reset that unread bytes would cause.
        case leaving(bytesLeft: Int)
    }

    let descriptor: Int32
    var stage: Stage
    /// On the monotonic clock.
    var deadline: Int64
    /// Whether any byte has come.
    var hasBegun = false

    /// How long, and for how many bytes, a connection may be on its way out.
    static let leavingMillisecondsMax: Int64 = 2000
    static let leavingBytesMax = 4 << 20

    /// What is there, without taking it: at most `countMax` bytes.
    func peek(_ countMax: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: countMax) { buffer, count in
            let flags = Int32(MSG_PEEK | MSG_DONTWAIT)
            count = max(0, recv(descriptor, buffer.baseAddress, countMax, flags))
        }
    }

    /// Sends an answer that fits into an empty socket buffer, and says that nothing follows.
    func sendLast(_ bytes: [UInt8]) {
        _ = send(
            descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Throws away what has arrived. False when there is no more to come, or it was too much.
    mutating func discard() -> Bool {
        guard case .leaving(var left) = stage else { return true }
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while left > 0 {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count < 0, errno == EAGAIN {
                stage = .leaving(bytesLeft: left)
                return true
            }
            if count <= 0 { return false }
            left -= count
        }
        return false
    }
}
