internal import COpenSSL

/// HMAC with SHA-256 (RFC 2104).
public enum HMAC {
    /// The code of `message` under `key`: 32 bytes.
    public static func sha256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { buffer, count in
            var length: UInt32 = 0
            let done = COpenSSL.HMAC(
                EVP_sha256(), key, Int32(key.count), message, message.count,
                buffer.baseAddress, &length)
            precondition(done != nil, "libcrypto could not compute an HMAC")
            count = Int(length)
        }
    }
}
