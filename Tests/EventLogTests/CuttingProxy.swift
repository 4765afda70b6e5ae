import Dispatch
import Glibc
import Synchronization

/// Stands between a client and a server on Unix sockets, and cuts the line where the server has
/// answered a COMMIT and the client has not heard it.
final class CuttingProxy: Sendable {
    private struct State {
        var isArmed = false
        var cuts = 0
    }

    /// `COMMIT` as libpq's simple protocol sends it.
    private static let commit: [UInt8] = [UInt8(ascii: "Q"), 0, 0, 0, 11] + Array("commit\0".utf8)

    private let listener: Int32
    private let server: String
    private let state = Mutex(State())

    /// - Parameters:
    ///   - folder: where its socket is to be.
    ///   - server: the path of the server's socket.
    init(folder: String, server: String) {
        self.server = server
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        Self.withAddress("\(folder)/.s.PGSQL.5432") { _ = bind(listener, $0, $1) }
        listen(listener, 16)
        DispatchQueue(label: "quittance.test.proxy").async { [self] in acceptAll() }
    }

    /// The next COMMIT is answered, and nobody hears it.
    func arm() { state.withLock { $0.isArmed = true } }

    /// How many answers were cut off.
    var cuts: Int { state.withLock { $0.cuts } }

    /// Takes no more connections.
    func close() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func acceptAll() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else {
                _ = Glibc.close(listener)
                return
            }
            let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            Self.withAddress(server) { _ = connect(upstream, $0, $1) }
            DispatchQueue(label: "quittance.test.line").async { [self] in
                relay(client, upstream)
                _ = Glibc.close(client)
                _ = Glibc.close(upstream)
            }
        }
    }

    private func relay(_ client: Int32, _ upstream: Int32) {
        var isCutting = false
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            var ends = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: upstream, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&ends, 2, -1) > 0 else { return }
            if ends[1].revents != 0 {
                let count = read(upstream, &buffer, buffer.count)
                if isCutting {
                    state.withLock { $0.cuts += 1 }
                    return
                }
                guard count > 0, write(client, buffer, count) == count else { return }
            }
            if ends[0].revents != 0 {
                let count = read(client, &buffer, buffer.count)
                guard count > 0 else { return }
                if buffer[..<count].elementsEqual(Self.commit) {
                    isCutting = state.withLock { state in
                        defer { state.isArmed = false }
                        return state.isArmed
                    }
                }
                guard write(upstream, buffer, count) == count else { return }
            }
        }
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Void
    ) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            bytes.copyBytes(from: Array(path.utf8.prefix(bytes.count - 1)))
        }
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
