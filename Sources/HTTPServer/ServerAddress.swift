/// Where a server listens: never beyond this machine, for TLS and the world are the reverse proxy's
/// business.
public enum ServerAddress: Sendable, Equatable, CustomStringConvertible {
    /// A port of 127.0.0.1; 0 for any free one.
    case loopback(port: UInt16)
    /// A Unix socket, which the owner and the group may connect to; at most 107 bytes.
    case unixSocket(path: String)

    /// `http://127.0.0.1:8080` or `unix:PATH`.
    public var description: String {
        switch self {
        case .loopback(let port): "http://127.0.0.1:\(port)"
        case .unixSocket(let path): "unix:\(path)"
        }
    }
}
