internal import COpenSSL

/// Keys and signatures of RSA.
public enum RSA {
    /// The digests a signature can be made over.
    public enum Digest: Sendable, Hashable {
        case sha1
        case sha256
    }
}

extension RSA {
    /// A private key of 2048 bits that signs as PKCS#1 version 1.5 has it (RFC 8017, section 8.2), which
    /// is deterministic. It exists for minted test receipts; neither its primes nor its arithmetic
    /// are guarded, so no secret worth keeping belongs here.
    public struct PrivateKey: Sendable {
        private static let byteCount = 256
        private static let publicExponent: [UInt8] = [1, 0, 1]

        /// The modulus: 256 bytes, most significant first.
        private let modulus: [UInt8]
        private let privateExponent: [UInt8]

        /// The key that `material` stands for: two primes sought from where its digests point.
        public init(derivedFrom material: [UInt8]) {
            let p = Self.prime(from: material + [1])
            let q = Self.prime(from: material + [2])
            let field = p.adding(-1).times(q.adding(-1))
            modulus = p.times(q).bytes(Self.byteCount)
            privateExponent = ModularArithmetic(modulus: field)
                .inverse(BigNumber(Self.publicExponent)).bytes(Self.byteCount)
        }

        /// SubjectPublicKeyInfo (RFC 3279) in DER.
        public var subjectPublicKeyInfo: [UInt8] {
            // Modulus and exponent have a fixed size, and so has all that is around them.
            let key: [UInt8] =
                [0x30, 0x82, 0x01, 0x0A, 0x02, 0x82, 0x01, 0x01, 0x00] + modulus + [0x02, 0x03]
                + Self.publicExponent
            return [0x30, 0x82, 0x01, 0x22] + Self.algorithmIdentifier
                + [0x03, 0x82, 0x01, 0x0F, 0x00] + key
        }

        /// SEQUENCE { rsaEncryption, NULL }
        public static let algorithmIdentifier: [UInt8] = [
            0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
        ]

        /// The signature (256 bytes) over `message`.
        public func signature(over message: [UInt8], digest: Digest) -> [UInt8] {
            let info = Self.digestInfo(message, digest)
            let padding = [UInt8](repeating: 0xFF, count: Self.byteCount - info.count - 3)
            let encoded = BigNumber([0, 1] + padding + [0] + info)
            return ModularArithmetic(modulus: BigNumber(modulus))
                .power(encoded, BigNumber(privateExponent)).bytes(Self.byteCount)
        }

        /// DigestInfo of RFC 8017, section 9.2.
        private static func digestInfo(_ message: [UInt8], _ digest: Digest) -> [UInt8] {
            switch digest {
            case .sha1:
                [
                    0x30, 0x21, 0x30, 0x09, 0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02, 0x1A, 0x05, 0x00,
                    0x04, 0x14,
                ] + SHA1.hash(message)
            case .sha256:
                [
                    0x30, 0x31, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04,
                    0x02, 0x01, 0x05, 0x00, 0x04, 0x20,
                ] + SHA256.hash(message)
            }
        }

        /// The first prime of 1024 bits from a point on that suits the public exponent. Its two highest
        /// bits are set, so that the product of two has 2048.
        private static func prime(from material: [UInt8]) -> BigNumber {
            var digits = (0..<4).flatMap { SHA256.hash(material + [$0]) }
            digits[0] |= 0xC0
            digits[127] |= 1
            var candidate = BigNumber(digits)
            while !candidate.isPrime || candidate.adding(-1).isMultiple(of: 65_537) {
                candidate = candidate.adding(2)
            }
            return candidate
        }
    }
}
