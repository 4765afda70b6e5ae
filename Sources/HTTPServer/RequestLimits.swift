/// The bounds of what one request, and all requests together, may take.
public struct RequestLimits: Sendable {
    /// The longest request target, in bytes; 414 beyond it.
    public var targetBytesMax = 8 << 10
    /// The longest head (request line and fields), in bytes; 431 beyond it. At most 16 KiB: the
    /// library's own buffer of a connection holds it twice.
    public var headBytesMax = 16 << 10
    /// Most field lines; 431 beyond it.
    public var fieldsMax = 100
    /// The longest content of one request, in bytes; 413 beyond it, before any of it is read.
    public var bodyBytesMax = 16 << 20
    /// What the contents of all requests under way may take together, in bytes; 503 beyond it.
    public var bodyBytesTotalMax = 256 << 20
    /// Most connections at a time; more wait in the kernel's queue of connections.
    public var connectionsMax = 512
    /// How long a head may take to arrive, in milliseconds; 408 beyond it.
    public var headMillisecondsMax = 10_000
    /// How long the content may take to arrive, in milliseconds; then the connection is closed.
    public var bodyMillisecondsMax = 30_000
    /// How long the answer may take to be made, in milliseconds; 503 beyond it.
    public var handlerMillisecondsMax = 60_000
    /// How long the client may take to read the answer, in milliseconds; then the connection is
    /// closed.
    public var responseMillisecondsMax = 60_000

    /// Bounds that suit a service behind a reverse proxy.
    public init() {}
}
