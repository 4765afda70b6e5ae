/// A running HTTP/1.1 server on this machine, for a reverse proxy or for tools beside it.
///
/// Framing is strict: what two readers could read in two ways is refused (`FramingGuard`). Each
/// connection carries one request and is closed after its answer. Requests with `Transfer-Encoding`
/// are asked for a `Content-Length` instead. Everything has a bound (`RequestLimits`).
public final class HTTPServer: Sendable {
    /// Where it listens, with the port that was chosen.
    public let address: ServerAddress
    private let inbox: Inbox
    private let finishLine: FinishLine

    private init(address: ServerAddress, inbox: Inbox, finishLine: FinishLine) {
        self.address = address
        self.inbox = inbox
        self.finishLine = finishLine
    }

    deinit { inbox.post(.stop(graceMilliseconds: 0)) }

    /// Starts a server. It answers until `stop` is called or nobody holds it any more.
    /// - Parameter onFailure: is told every error of a handler that is no `Problem`, since the
    ///   client only learns that there was one.
    /// - Throws: `ServerStartError` if the address is taken or not allowed.
    public static func start(
        at address: ServerAddress, limits: RequestLimits = RequestLimits(),
        onFailure: @escaping @Sendable (any Error) -> Void = { _ in },
        handler: @escaping HTTPHandler
    ) async throws -> HTTPServer {
        precondition((256...16 << 10).contains(limits.headBytesMax), "see RequestLimits")
        let listener = try Listener(address)
        let finishLine = FinishLine()
        do {
            let inbox = try Inbox()
            try await withCheckedThrowingContinuation { continuation in
                run(
                    continuation, finishLine,
                    onThread: { () throws(ServerStartError) in
                        try EventLoop(listener: listener, limits: limits, inbox: inbox) { request in
                            await respond(to: request, handler, onFailure)
                        }
                    })
            }
            return HTTPServer(address: listener.address, inbox: inbox, finishLine: finishLine)
        } catch {
            listener.end()
            throw error
        }
    }

    /// Stops: no new connections; requests that have begun may finish within the grace, then they
    /// are told that the server is shutting down, and their tasks are cancelled. Returns when every
    /// connection is closed, a second after the grace at the latest.
    public func stop(graceMilliseconds: Int = 10_000) async {
        inbox.post(.stop(graceMilliseconds: graceMilliseconds))
        await finishLine.wait()
    }

    /// Makes a loop on a new thread, tells whether that worked, and runs it to its end.
    private static func run(
        _ started: CheckedContinuation<Void, any Error>, _ finishLine: FinishLine,
        onThread make: @escaping @Sendable () throws(ServerStartError) -> EventLoop
    ) {
        do throws(ServerStartError) {
            try startThread {
                do throws(ServerStartError) {
                    let loop = try make()
                    started.resume()
                    loop.run()
                    finishLine.reach()
                } catch {
                    started.resume(throwing: error)
                }
            }
        } catch {
            started.resume(throwing: error)
        }
    }
}

/// What `handler` answers, or the problem that it throws.
func respond(
    to request: HTTPRequest, _ handler: HTTPHandler, _ onFailure: (any Error) -> Void
) async -> HTTPResponse {
    do {
        return try await handler(request)
    } catch let problem as Problem {
        return problem.response
    } catch is CancellationError {
        // The client was told already: the handler took too long, or the server is shutting down.
        return Problem(.handlerTimeout).response
    } catch {
        onFailure(error)
        return Problem(.internalError).response
    }
}
