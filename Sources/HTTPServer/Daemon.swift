internal import CMicroHTTPD

// libmicrohttpd's callbacks. They stand at the top level of a file that is not `main.swift`: a
// closure that inherits the main actor compiles, and traps when another thread calls it.

/// Starts libmicrohttpd with neither a thread nor a listening socket of its own; `loop` drives it,
/// and must outlive it.
func startDaemon(for loop: EventLoop) throws(ServerStartError) -> OpaquePointer {
    let context = Unmanaged.passUnretained(loop).toOpaque()
    let flags =
        MHD_USE_EPOLL.rawValue | MHD_USE_NO_LISTEN_SOCKET.rawValue | MHD_USE_ITC.rawValue
        | MHD_ALLOW_SUSPEND_RESUME.rawValue
    let options = [
        MHD_OptionItem(
            option: .CONNECTION_LIMIT, value: loop.limits.connectionsMax, ptr_value: nil),
        // The head, once as it came and once taken apart, and the head of the answer.
        MHD_OptionItem(
            option: .CONNECTION_MEMORY_LIMIT,
            value: 3 * loop.limits.headBytesMax + 16 << 10, ptr_value: nil),
        MHD_OptionItem(option: .STRICT_FOR_CLIENT, value: 1, ptr_value: nil),
        MHD_OptionItem(
            option: .NOTIFY_CONNECTION,
            value: quittance_mhd_option(connectionChanged), ptr_value: context),
        MHD_OptionItem(option: .END, value: 0, ptr_value: nil),
    ]
    guard let daemon = quittance_mhd_start(flags, requestProceeds, context, options) else {
        throw ServerStartError("libmicrohttpd does not start")
    }
    return daemon
}

private func loop(_ context: UnsafeMutableRawPointer?) -> EventLoop? {
    context.map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
}

private func exchange(_ context: UnsafeMutableRawPointer?) -> Exchange? {
    context.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
}

/// `MHD_NotifyConnectionCallback`: a connection begins or ends.
private func connectionChanged(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    what: MHD_ConnectionNotificationCode
) {
    guard let loop = loop(context), let connection, let socketContext else { return }
    if what == .CONNECTION_NOTIFY_STARTED {
        let begun = loop.begin(connection)
        socketContext.pointee = begun.map { Unmanaged.passUnretained($0).toOpaque() }
    } else if let exchange = exchange(socketContext.pointee) {
        socketContext.pointee = nil
        loop.end(exchange)
    }
}

/// `MHD_AccessHandlerCallback`: called when the head is read, for each piece of the content, when
/// there is no more of it, and again when a suspension ends. What libmicrohttpd made of the request
/// line is not looked at: the guard has read it before.
private func requestProceeds(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, url: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?,
    content: UnsafePointer<CChar>?, contentSize: UnsafeMutablePointer<Int>?,
    request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let loop = loop(context), let connection, let contentSize,
        let exchange = exchange(quittance_mhd_connection_context(connection))
    else { return .NO }
    let piece = UnsafeRawBufferPointer(start: content, count: contentSize.pointee)
    contentSize.pointee = 0
    return loop.proceed(exchange, piece) ? .YES : .NO
}
