internal import CMicroHTTPD
internal import Glibc

/// All the work of a server but its handlers', on one thread: it accepts, guards, and drives
/// libmicrohttpd, which is never called from anywhere else.
///
/// A connection carries one request. It is watched, and its bytes only peeked at, until the guard
/// has seen a whole head; then its socket goes to libmicrohttpd, which reads from the first byte
/// on. With no second request on the connection there is nothing that smuggled bytes could be taken
/// for.
final class EventLoop {
    typealias Respond = @Sendable (HTTPRequest) async -> HTTPResponse

    let limits: RequestLimits
    let inbox: Inbox
    let respond: Respond
    let epoll: Epoll
    private let framingGuard: FramingGuard

    var listener: Listener?
    var daemon: OpaquePointer?
    /// By descriptor.
    var guarded: [Int32: GuardedConnection] = [:]
    /// By number.
    var exchanges: [UInt64: Exchange] = [:]
    /// Exchanges whose socket libmicrohttpd was given and has not called back about, by descriptor.
    var handedOver: [Int32: Exchange] = [:]
    var shutdown: Shutdown?
    /// Handlers whose answer has not come, late ones included.
    var handlersRunning = 0
    private var lastNumber: UInt64 = 0
    private var bodyBytesReserved = 0
    /// When to look at the listener again; `nil` while it is watched.
    private var acceptAgainAt: Int64?
    private var nextSweep: Int64 = 0

    /// How far apart deadlines are looked at, in milliseconds.
    private static let sweepMilliseconds: Int64 = 100

    init(
        listener: Listener, limits: RequestLimits, inbox: Inbox, respond: @escaping Respond
    ) throws(ServerStartError) {
        self.listener = listener
        self.limits = limits
        self.inbox = inbox
        self.respond = respond
        framingGuard = FramingGuard(limits: limits)
        epoll = try Epoll()
        let daemon = try startDaemon(for: self)
        self.daemon = daemon
        epoll.add(listener.descriptor, .readable)
        epoll.add(inbox.descriptor, .readable)
        epoll.add(quittance_mhd_epoll(daemon), .readable)
    }

    /// Until it was stopped and every connection is gone.
    func run() {
        guard let daemon else { return }
        while !isFinished {
            for event in epoll.wait(milliseconds: waitMilliseconds(daemon)) { handle(event) }
            MHD_run(daemon)
            sweepIfDue()
        }
        guarded.keys.forEach { close($0) }
        MHD_stop_daemon(daemon)
    }

    private func waitMilliseconds(_ daemon: OpaquePointer) -> Int32 {
        let isIdle = guarded.isEmpty && exchanges.isEmpty
        if isIdle, shutdown == nil, acceptAgainAt == nil { return -1 }
        var milliseconds: UInt64 = 0
        let isGiven = MHD_get_timeout(daemon, &milliseconds) == .YES
        return isGiven
            ? Int32(min(milliseconds, UInt64(Self.sweepMilliseconds)))
            : Int32(Self.sweepMilliseconds)
    }

    private func handle(_ event: Epoll.Event) {
        if event.descriptor == listener?.descriptor {
            acceptConnections()
        } else if event.descriptor == inbox.descriptor {
            for message in inbox.take() { handle(message) }
        } else if guarded[event.descriptor] != nil {
            advance(event)
        }
    }

    private func handle(_ message: Inbox.Message) {
        switch message {
        case .answered(let number, let response):
            handlersRunning -= 1
            if let exchange = exchanges[number], case .handling = exchange.stage {
                answer(exchange, response)
            }
        case .stop(let graceMilliseconds): beginShutdown(graceMilliseconds)
        }
    }

    // MARK: Accepting

    private func acceptConnections() {
        guard let listener else { return }
        while guarded.count + exchanges.count < limits.connectionsMax {
            let descriptor = quittance_accept(listener.descriptor)
            guard descriptor >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                // Anything but "none left" is a shortage, of descriptors say: others end first.
                if errno != EAGAIN { pauseAccepting(listener, milliseconds: 100) }
                return
            }
            guarded[descriptor] = GuardedConnection(
                descriptor: descriptor, stage: .awaitingHead,
                deadline: deadline(limits.headMillisecondsMax))
            if !epoll.add(descriptor, .arrivals) { drop(descriptor) }
        }
        pauseAccepting(listener, milliseconds: 0)
    }

    private func pauseAccepting(_ listener: Listener, milliseconds: Int) {
        epoll.change(listener.descriptor, .nothing)
        acceptAgainAt = deadline(milliseconds)
    }

    private func resumeAccepting(_ now: Int64) {
        guard let listener, let acceptAgainAt, acceptAgainAt <= now,
            guarded.count + exchanges.count < limits.connectionsMax
        else { return }
        self.acceptAgainAt = nil
        epoll.change(listener.descriptor, .readable)
    }

    // MARK: Guarding

    private func advance(_ event: Epoll.Event) {
        guard var connection = guarded[event.descriptor] else { return }
        switch connection.stage {
        case .awaitingHead:
            let bytes = connection.peek(limits.headBytesMax)
            switch framingGuard.examine(bytes) {
            case .head(let head): pass(connection, head)
            case .refused(let problem): refuse(connection, problem)
            case .incomplete where !event.isHangup:
                connection.hasBegun = !bytes.isEmpty
                guarded[event.descriptor] = connection
            case .incomplete where bytes.isEmpty: drop(event.descriptor)
            case .incomplete:
                refuse(connection, Problem(.malformedRequest, "the head ends too early"))
            }
        case .leaving:
            let isLeaving = connection.discard()
            guarded[event.descriptor] = connection
            if !isLeaving { drop(event.descriptor) }
        }
    }

    /// Hands a connection over to libmicrohttpd.
    private func pass(_ connection: GuardedConnection, _ head: RequestHead) {
        guard let daemon, handlersRunning < limits.connectionsMax,
            bodyBytesReserved + head.contentLength <= limits.bodyBytesTotalMax
        else { return refuse(connection, Problem(.overloaded, retryAfterSeconds: 1)) }
        guard let peer = PeerName(of: connection.descriptor) else {
            return drop(connection.descriptor)
        }
        guarded[connection.descriptor] = nil
        epoll.remove(connection.descriptor)
        lastNumber += 1
        let exchange = Exchange(
            number: lastNumber, descriptor: connection.descriptor, head: head,
            deadline: deadline(limits.bodyMillisecondsMax))
        exchanges[exchange.number] = exchange
        handedOver[exchange.descriptor] = exchange
        bodyBytesReserved += head.contentLength
        let isTaken = peer.withGeneric { MHD_add_connection(daemon, exchange.descriptor, $0, $1) }
        // libmicrohttpd closes what it does not take.
        if isTaken != .YES { forget(exchange) }
    }

    private func refuse(_ connection: GuardedConnection, _ problem: Problem) {
        connection.sendLast(problem.response.serialized(secondsSince1970: time(nil)))
        leave(connection.descriptor)
    }

    /// Lets a connection that was answered go without losing the answer.
    func leave(_ descriptor: Int32) {
        var connection = GuardedConnection(
            descriptor: descriptor,
            stage: .leaving(bytesLeft: GuardedConnection.leavingBytesMax),
            deadline: deadline(Int(GuardedConnection.leavingMillisecondsMax)), hasBegun: true)
        let isLeaving = connection.discard()
        guarded[descriptor] = connection
        if !isLeaving { drop(descriptor) }
    }

    func drop(_ descriptor: Int32) {
        guarded[descriptor] = nil
        close(descriptor)
    }

    func forget(_ exchange: Exchange) {
        guard exchanges.removeValue(forKey: exchange.number) != nil else { return }
        handedOver[exchange.descriptor] = nil
        bodyBytesReserved -= exchange.head.contentLength
    }

    // MARK: Time

    func deadline(_ milliseconds: Int) -> Int64 {
        MonotonicClock.milliseconds + Int64(milliseconds)
    }

    private func sweepIfDue() {
        let now = MonotonicClock.milliseconds
        resumeAccepting(now)
        advanceShutdown(now)
        guard now >= nextSweep else { return }
        nextSweep = now + Self.sweepMilliseconds
        for connection in guarded.values where connection.deadline <= now {
            switch connection.stage {
            case .awaitingHead where connection.hasBegun: refuse(connection, Problem(.headTimeout))
            case .awaitingHead, .leaving: drop(connection.descriptor)
            }
        }
        for exchange in exchanges.values where exchange.deadline <= now { expire(exchange) }
    }
}
