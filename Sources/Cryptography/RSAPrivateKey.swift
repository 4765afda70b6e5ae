internal import COpenSSL

/// RSA with the padding of PKCS#1 v1.5 (RFC 8017), as receipts and their certificates
/// are signed.
public enum RSA {
    /// A private key of 2048 bits, derived from a text: the same material gives the same key, and
    /// the same message the same signature, on every machine. It exists for minted chains and
    /// samples; no secret worth keeping belongs here.
    public final class PrivateKey: @unchecked Sendable {
        // SAFETY: the key is never changed after `init`; libcrypto locks what it caches in it, so
        // any number of threads may sign with it.
        private let key: OpaquePointer
        /// The modulus: 256 bytes, most significant first. The public exponent is 65537.
        public let modulus: [UInt8]

        /// The public exponent of every key here.
        public static let publicExponent: UInt = 65537
        private static let primeByteCount = 128

        /// The key that `material` stands for: each prime is the next after a number that is made
        /// of its digests.
        public init(derivedFrom material: [UInt8]) {
            guard let scratch = BN_CTX_new(), let key = RSA_new(), let exponent = BN_new() else {
                preconditionFailure("out of memory")
            }
            defer { BN_CTX_free(scratch) }
            check(BN_set_word(exponent, Self.publicExponent))
            let p = Self.prime(material + [1], scratch)
            let q = Self.prime(material + [2], scratch)
            let product = Self.product(p, q, scratch)
            modulus = product.bytes(count: 2 * Self.primeByteCount)

            let (less1, less2) = (p.adding(-1), q.adding(-1))
            let order = ModularArithmetic(modulus: Self.product(less1, less2, scratch))
            let d = order.inverse(BigNumber(adopting: BN_dup(exponent)))
            let d1 = ModularArithmetic(modulus: less1).reduced(d)
            let d2 = ModularArithmetic(modulus: less2).reduced(d)
            let coefficient = ModularArithmetic(modulus: p).inverse(q)
            // What is set belongs to the key.
            check(RSA_set0_key(key, product.copy, exponent, d.copy))
            check(RSA_set0_factors(key, p.copy, q.copy))
            check(RSA_set0_crt_params(key, d1.copy, d2.copy, coefficient.copy))
            self.key = key
        }

        deinit { RSA_free(key) }

        /// The signature (256 bytes) over a message with this `digest`: SHA-256, or SHA-1 where it
        /// has 20 bytes, as Apple signed receipts until 2023.
        public func signature(digest: [UInt8]) -> [UInt8] {
            let isSHA1 = digest.count == SHA1.byteCount
            precondition(isSHA1 || digest.count == SHA256.byteCount, "not a digest")
            return [UInt8](unsafeUninitializedCapacity: 2 * Self.primeByteCount) { buffer, count in
                var length: UInt32 = 0
                check(
                    RSA_sign(
                        isSHA1 ? NID_sha1 : NID_sha256, digest, UInt32(digest.count),
                        buffer.baseAddress, &length, key))
                count = Int(length)
            }
        }

        private static func product(
            _ left: BigNumber, _ right: BigNumber, _ scratch: OpaquePointer
        ) -> BigNumber {
            let product = BigNumber()
            withExtendedLifetime((left, right, product)) {
                check(BN_mul(product.pointer, left.pointer, right.pointer, scratch))
            }
            return product
        }

        /// The first prime from a number on whose two highest bits are set, so that the product of
        /// two has the full length; its predecessor shares no factor with the public exponent.
        private static func prime(_ material: [UInt8], _ scratch: OpaquePointer) -> BigNumber {
            var bytes: [UInt8] = []
            for block: UInt8 in 0..<UInt8(primeByteCount / SHA256.byteCount) {
                bytes += SHA256.hash(material + [block])
            }
            bytes[0] |= 0xC0
            bytes[primeByteCount - 1] |= 1
            let candidate = BigNumber(bytes)
            // A prime is found within a few hundred steps; that many without one never happen.
            for _ in 0..<100_000 {
                let isFound = withExtendedLifetime(candidate) {
                    BN_mod_word(candidate.pointer, publicExponent) != 1
                        && BN_check_prime(candidate.pointer, scratch, nil) == 1
                }
                if isFound { return candidate }
                check(withExtendedLifetime(candidate) { BN_add_word(candidate.pointer, 2) })
            }
            preconditionFailure("no prime in a long stretch of numbers")
        }
    }
}
