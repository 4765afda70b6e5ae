internal import COpenSSL

/// Keys and signatures on NIST's curve P-256 with SHA-256 digests: `ES256` of RFC 7518.
public enum P256 {
    /// The length of a signature in bytes: r and s, 32 bytes each, most significant first.
    public static let signatureByteCount = 64
}

extension P256 {
    /// A public key: it only checks signatures.
    public final class PublicKey: @unchecked Sendable {
        // SAFETY: the key is never changed after `init`; libcrypto allows any number of threads to
        // verify with one EVP_PKEY, each with its own EVP_PKEY_CTX.
        private let key: OpaquePointer

        /// Takes over `key`, unless it is no P-256 key.
        init?(adopting key: OpaquePointer) {
            guard Self.isP256(key) else {
                EVP_PKEY_free(key)
                return nil
            }
            self.key = key
        }

        /// A key from its point: 0x04, x and y (65 bytes). `nil` for a point off the curve.
        public convenience init?(x963 point: [UInt8]) {
            guard point.count == 65 else { return nil }
            let encoded = subjectPublicKeyInfo(x963: point)
            let key = encoded.withUnsafeBufferPointer { buffer in
                var start = buffer.baseAddress
                return d2i_PUBKEY(nil, &start, buffer.count)
            }
            guard let key else { return nil }
            self.init(adopting: key)
        }

        deinit { EVP_PKEY_free(key) }

        private static func isP256(_ key: OpaquePointer) -> Bool {
            guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC else { return false }
            var name = [CChar](repeating: 0, count: 64)
            var length = 0
            guard EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1 else {
                return false
            }
            return name.prefix(length).elementsEqual("prime256v1".utf8.map { CChar($0) })
        }

        /// Whether `signature` (r and s, 64 bytes) over a message with this SHA-256 `digest` was
        /// made with the private key of this one.
        public func verifies(signature: [UInt8], digest: [UInt8]) -> Bool {
            guard signature.count == signatureByteCount, digest.count == SHA256.byteCount,
                let context = EVP_PKEY_CTX_new(key, nil)
            else { return false }
            defer { EVP_PKEY_CTX_free(context) }
            guard EVP_PKEY_verify_init(context) == 1 else { return false }
            let encoded = derSignature(signature)
            let verdict = EVP_PKEY_verify(
                context, encoded, encoded.count, digest, digest.count)
            // A refusal leaves entries in this thread's queue, which nobody would ever read.
            if verdict != 1 { ERR_clear_error() }
            return verdict == 1
        }
    }

    /// SubjectPublicKeyInfo (RFC 5480) of a point on P-256, in DER.
    public static func subjectPublicKeyInfo(x963 point: [UInt8]) -> [UInt8] {
        subjectPublicKeyInfoPrefix + point
    }

    /// SEQUENCE { SEQUENCE { id-ecPublicKey, prime256v1 }, BIT STRING of 65 bytes follows }
    private static let subjectPublicKeyInfoPrefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01,
        0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    /// A signature as X.509 and libcrypto have it: SEQUENCE { INTEGER r, INTEGER s }.
    public static func derSignature(_ raw: [UInt8]) -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(72)
        for half in [raw.prefix(raw.count / 2), raw.suffix(raw.count / 2)] {
            var digits = half.drop { $0 == 0 }
            if digits.isEmpty { digits = half.suffix(1) }
            let sign: [UInt8] = (digits.first ?? 0) & 0x80 == 0 ? [] : [0]
            body += [0x02, UInt8(sign.count + digits.count)] + sign + digits
        }
        return [0x30, UInt8(body.count)] + body
    }
}
