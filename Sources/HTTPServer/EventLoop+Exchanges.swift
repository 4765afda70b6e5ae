internal import CMicroHTTPD
internal import Glibc

/// What libmicrohttpd's callbacks ask of the loop, always on the loop's thread.
extension EventLoop {
    /// libmicrohttpd has taken a connection: the exchange that it gets as its context.
    func begin(_ connection: OpaquePointer) -> Exchange? {
        let descriptor = quittance_mhd_socket(connection)
        guard let exchange = handedOver.removeValue(forKey: descriptor) else { return nil }
        exchange.connection = connection
        return exchange
    }

    /// libmicrohttpd is about to close a connection.
    func end(_ exchange: Exchange) {
        exchange.connection = nil
        forget(exchange)
        // Closing over unread bytes (a second request, say) resets the connection, and the answer
        // may never be seen. A copy of the descriptor keeps it open until they are read.
        var byte: UInt8 = 0
        let flags = Int32(MSG_PEEK | MSG_DONTWAIT)
        guard recv(exchange.descriptor, &byte, 1, flags) > 0 else { return }
        let copy = fcntl(exchange.descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return }
        Glibc.shutdown(copy, Int32(SHUT_WR))
        epoll.add(copy, .arrivals)
        leave(copy)
    }

    /// The next step of an exchange; false ends its connection.
    func proceed(_ exchange: Exchange, _ content: UnsafeRawBufferPointer) -> Bool {
        switch exchange.stage {
        case .receiving where !exchange.isShown:
            exchange.isShown = true
            return true
        case .receiving where !content.isEmpty:
            exchange.body.append(contentsOf: content)
            return exchange.body.count <= exchange.head.contentLength
        case .receiving:
            guard exchange.body.count == exchange.head.contentLength else { return false }
            startHandler(exchange)
            return true
        case .answered(let response):
            exchange.stage = .responding
            exchange.deadline = deadline(limits.responseMillisecondsMax)
            return queue(response, on: exchange)
        case .handling, .responding: return false
        }
    }

    private func startHandler(_ exchange: Exchange) {
        MHD_suspend_connection(exchange.connection)
        let request = HTTPRequest(head: exchange.head, body: exchange.body)
        exchange.body = []
        exchange.deadline = deadline(limits.handlerMillisecondsMax)
        handlersRunning += 1
        exchange.stage = .handling(
            Task.detached { [inbox, respond, number = exchange.number] in
                inbox.post(.answered(number, await respond(request)))
            })
    }

    /// Ends the suspension; libmicrohttpd then asks for the answer.
    func answer(_ exchange: Exchange, _ response: HTTPResponse) {
        exchange.stage = .answered(response)
        exchange.deadline = deadline(limits.responseMillisecondsMax)
        MHD_resume_connection(exchange.connection)
    }

    private func queue(_ given: HTTPResponse, on exchange: Exchange) -> Bool {
        let isValid = (200...599).contains(given.status)
        let response = isValid ? given : Problem(.internalError).response
        let made = response.body.withUnsafeBytes { buffer in
            MHD_create_response_from_buffer(
                buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress),
                .RESPMEM_MUST_COPY)
        }
        guard let made else { return false }
        defer { MHD_destroy_response(made) }
        for field in response.fields.lines {
            MHD_add_response_header(made, field.name, field.value)
        }
        MHD_add_response_header(made, "Connection", "close")
        return MHD_queue_response(exchange.connection, UInt32(response.status), made) == .YES
    }

    /// An exchange has taken too long.
    func expire(_ exchange: Exchange) {
        switch exchange.stage {
        case .handling(let task):
            task.cancel()
            answer(exchange, Problem(.handlerTimeout, retryAfterSeconds: 1).response)
        case .receiving, .answered, .responding:
            cut(exchange)
        }
    }

    /// Makes the socket useless, so that libmicrohttpd ends the connection.
    func cut(_ exchange: Exchange) {
        exchange.deadline = .max
        Glibc.shutdown(exchange.descriptor, Int32(SHUT_RDWR))
    }
}
