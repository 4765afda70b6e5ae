/// HMAC with SHA-256 (RFC 2104).
public enum HMAC {
    /// The block of SHA-256, in bytes.
    private static let blockByteCount = 64

    /// The code of `message` under `key`: 32 bytes.
    public static func sha256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        var block = key.count > blockByteCount ? SHA256.hash(key) : key
        block += [UInt8](repeating: 0, count: blockByteCount - block.count)
        var inner = SHA256()
        inner.update(block.map { $0 ^ 0x36 })
        inner.update(message)
        var outer = SHA256()
        outer.update(block.map { $0 ^ 0x5C })
        outer.update(inner.digest())
        return outer.digest()
    }
}
