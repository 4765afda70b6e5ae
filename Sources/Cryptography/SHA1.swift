internal import COpenSSL

/// SHA-1 (FIPS 180-4). It protects nothing any more; an app receipt's device hash is made of it.
public enum SHA1 {
    /// The length of a digest in bytes.
    public static let byteCount = 20

    /// The digest of `bytes`: 20 bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            COpenSSL.SHA1(bytes, bytes.count, buffer.baseAddress)
            count = byteCount
        }
    }
}
