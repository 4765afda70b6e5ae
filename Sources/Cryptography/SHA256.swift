internal import COpenSSL

/// SHA-256 (FIPS 180-4), by libcrypto: in one call, or piece by piece.
///
/// A value: a copy taken in the middle goes on independently of its original.
public struct SHA256: Sendable {
    /// The length of a digest in bytes.
    public static let byteCount = 32

    private var context = SHA256_CTX()

    /// A computation that has seen nothing yet.
    public init() {
        SHA256_Init(&context)
    }

    /// The digest of `bytes`: 32 bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        // libcrypto's own function for this looks its algorithm up by name each time.
        var hash = SHA256()
        hash.update(bytes)
        return hash.digest()
    }

    /// Takes in the bytes that follow.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        SHA256_Update(&context, bytes.baseAddress, bytes.count)
    }

    /// Takes in the bytes that follow.
    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// The digest of all that was taken in: 32 bytes. The computation itself can go on.
    public func digest() -> [UInt8] {
        var last = context
        return [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
            SHA256_Final(buffer.baseAddress, &last)
            count = Self.byteCount
        }
    }
}
