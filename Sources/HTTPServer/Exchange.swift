/// One request and its answer on a connection that passed the guard. It belongs to the loop's
/// thread.
final class Exchange {
    enum Stage {
        /// libmicrohttpd reads the request.
        case receiving
        /// libmicrohttpd is suspended while the task makes the answer.
        case handling(Task<Void, Never>)
        /// There is an answer; libmicrohttpd will ask for it.
        case answered(HTTPResponse)
        /// libmicrohttpd sends the answer, or has sent it.
        case responding
    }

    let number: UInt64
    let descriptor: Int32
    let head: RequestHead
    var stage = Stage.receiving
    var body: [UInt8] = []
    /// libmicrohttpd's connection, from its first callback to its last.
    var connection: OpaquePointer?
    /// Whether libmicrohttpd has shown the request's head.
    var isShown = false
    /// When `stage` must be over, on the monotonic clock.
    var deadline: Int64

    init(number: UInt64, descriptor: Int32, head: RequestHead, deadline: Int64) {
        self.number = number
        self.descriptor = descriptor
        self.head = head
        self.deadline = deadline
    }
}
