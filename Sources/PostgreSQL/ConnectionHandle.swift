import CPostgreSQL
import Glibc

/// Owns a connection of libpq, and closes it when the last owner goes.
final class ConnectionHandle {
    let pointer: OpaquePointer
    let notices: NoticeSink
    private var isBroken = false

    /// Begins to connect; see `finishConnecting`.
    init(_ options: ConnectionOptions) throws {
        let parameters = options.parameters.sorted { $0.key < $1.key }
        let keys = parameters.map { strdup($0.key) }
        let values = parameters.map { strdup($0.value) }
        defer { (keys + values).forEach { free($0) } }
        let connection = PQconnectStartParams(
            keys.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 0)
        guard let connection else { throw PostgreSQLError(.unreachable) }
        pointer = connection
        notices = NoticeSink(options.onNotice)
        notices.attach(to: connection)
        // Verbose messages carry the SQLSTATE, for which libpq has no other road while it connects.
        PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
    }

    deinit { PQfinish(pointer) }

    /// Drives the connection to its end, within `connect_timeout` (10 s unless said) a host.
    func finishConnecting() throws {
        let deadline = ContinuousClock.now + .seconds(timeoutSeconds)
        var state = PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            if PQstatus(pointer) == CONNECTION_BAD || state == PGRES_POLLING_FAILED {
                throw connectionError()
            }
            let events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT
            guard wait(for: events, until: deadline) else {
                throw PostgreSQLError(.unreachable, place: address)
            }
            state = PQconnectPoll(pointer)
        }
    }

    /// True when the socket is ready, false when the time is up.
    func wait(for events: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let left = deadline - ContinuousClock.now
            let milliseconds = max(0, left.components.seconds * 1000 + left.wholeMilliseconds)
            var entry = pollfd(fd: PQsocket(pointer), events: Int16(events), revents: 0)
            let ready = poll(&entry, 1, Int32(clamping: milliseconds))
            if ready > 0 { return true }
            if ready == 0 && milliseconds == 0 { return false }
            if ready < 0 && errno != EINTR { return false }
        }
    }

    var isOpen: Bool { !isBroken && PQstatus(pointer) == CONNECTION_OK }

    /// The connection is of no use any more. libpq does not always know: after a failed write it
    /// still holds the connection for good.
    func lost(_ place: String?) -> PostgreSQLError {
        isBroken = true
        return PostgreSQLError(.connectionLost, place: place)
    }

    /// The host (or the folder of the socket) and the port.
    var address: String? {
        guard let host = PQhost(pointer), let port = PQport(pointer), host.pointee != 0 else {
            return nil
        }
        return "\(String(cString: host)):\(String(cString: port))"
    }

    private var timeoutSeconds: Int {
        guard let options = PQconninfo(pointer) else { return 10 }
        defer { PQconninfoFree(options) }
        let values = ConnectionOptions.values(of: options)
        let hosts = (values["host"] ?? values["hostaddr"] ?? "").split(separator: ",").count
        let seconds = values["connect_timeout"].flatMap(Int.init) ?? 10
        return min(3600, max(2, seconds <= 0 ? 3600 : seconds)) * max(1, hosts)
    }

    private func connectionError() -> PostgreSQLError {
        if PQconnectionNeedsPassword(pointer) == 1 {
            return PostgreSQLError(.invalidPassword, place: address)
        }
        let message = PQerrorMessage(pointer).map { String(cString: $0) } ?? ""
        return PostgreSQLError(sqlState(inVerbose: message) ?? .unreachable, place: address)
    }
}

/// The last code in a verbose message: `FATAL:  28P01: …`.
func sqlState(inVerbose message: String) -> PostgreSQLError.Code? {
    let bytes = Array(message.utf8)
    let isCode: (ArraySlice<UInt8>) -> Bool = { code in
        code.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
    }
    guard bytes.count >= 10 else { return nil }
    for start in stride(from: bytes.count - 10, through: 0, by: -1)
    where bytes[start..<start + 3].elementsEqual(":  ".utf8)
        && isCode(bytes[start + 3..<start + 8])
        && bytes[start + 8..<start + 10].elementsEqual(": ".utf8)
    {
        return .init(rawValue: String(decoding: bytes[start + 3..<start + 8], as: UTF8.self))
    }
    return nil
}

extension Duration {
    /// The part below a second, rounded up so that a wait never ends early.
    fileprivate var wholeMilliseconds: Int64 {
        (components.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}
