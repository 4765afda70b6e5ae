internal import CMicroHTTPD
internal import Glibc

/// A socket that waits for connections; never blocks, never reaches a child process.
struct Listener: Sendable {
    let descriptor: Int32
    /// With the port that was chosen.
    let address: ServerAddress

    /// How many connections wait in the kernel until they are accepted.
    private static let backlog: Int32 = 1024

    init(_ address: ServerAddress) throws(ServerStartError) {
        switch address {
        case .loopback(let port): self = try Self.loopback(port)
        case .unixSocket(let path): self = try Self.unix(path)
        }
    }

    private init(descriptor: Int32, address: ServerAddress) {
        self.descriptor = descriptor
        self.address = address
    }

    /// Closes it, and removes the socket's file.
    func end() {
        close(descriptor)
        switch address {
        case .loopback: break
        case .unixSocket(let path): unlink(path)
        }
    }

    // MARK: Loopback

    private static func loopback(_ port: UInt16) throws(ServerStartError) -> Listener {
        let descriptor = try socket(AF_INET)
        var yes: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        try bind(descriptor, &name, place: "port \(port)")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withGeneric(&name) { getsockname(descriptor, $0, &length) }
        return Listener(
            descriptor: descriptor, address: .loopback(port: UInt16(bigEndian: name.sin_port)))
    }

    // MARK: Unix

    private static func unix(_ path: String) throws(ServerStartError) -> Listener {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: name.sun_path) else {
            throw ServerStartError("the socket's path must have 1 to 107 bytes")
        }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
        try removeStale(path, &name)
        let descriptor = try socket(AF_UNIX)
        // Before bind, so that there is no instant at which others could connect; and after it, for
        // the process's mask may have taken the group's permission away.
        fchmod(descriptor, 0o660)
        try bind(descriptor, &name, place: path)
        chmod(path, 0o660)
        return Listener(descriptor: descriptor, address: .unixSocket(path: path))
    }

    /// A server that was killed leaves its socket's file behind; nobody answers there.
    private static func removeStale(_ path: String, _ name: inout sockaddr_un)
        throws(ServerStartError)
    {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
        let probe = try socket(AF_UNIX)
        defer { close(probe) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withGeneric(&name) { connect(probe, $0, length) }
        if result != 0, errno == ECONNREFUSED { unlink(path) }
    }

    // MARK: Both

    private static func socket(_ family: Int32) throws(ServerStartError) -> Int32 {
        let descriptor = quittance_stream_socket(family)
        guard descriptor >= 0 else { throw ServerStartError("no socket", errno) }
        return descriptor
    }

    private static func bind<Name>(_ descriptor: Int32, _ name: inout Name, place: String)
        throws(ServerStartError)
    {
        let length = socklen_t(MemoryLayout<Name>.size)
        guard withGeneric(&name, { Glibc.bind(descriptor, $0, length) }) == 0,
            listen(descriptor, backlog) == 0
        else {
            let code = errno
            close(descriptor)
            throw ServerStartError("cannot listen at \(place)", code)
        }
    }

    private static func withGeneric<Name, R>(
        _ name: inout Name, _ body: (UnsafeMutablePointer<sockaddr>) -> R
    ) -> R {
        withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }
}
