internal import COpenSSL

extension P256 {
    /// A private key that signs deterministically (RFC 6979): the same key and message give the
    /// same bytes on every machine. It exists for minted test chains and samples; arithmetic on it
    /// is not guarded against timing, so no secret worth keeping belongs here.
    public struct PrivateKey: Sendable {
        /// The scalar: 32 bytes, most significant first, from 1 to the order of the curve less 1.
        private let scalar: [UInt8]
        /// The public point: 0x04, x and y.
        public let x963: [UInt8]

        /// The key that `material` stands for: its SHA-256, brought into range.
        public init(derivedFrom material: [UInt8]) {
            let arithmetic = CurveArithmetic()
            scalar = arithmetic.scalar(from: SHA256.hash(material))
            x963 = arithmetic.publicPoint(scalar)
        }

        /// A key from its scalar (32 bytes). `nil` if it is 0 or not below the order of the curve.
        public init?(scalar: [UInt8]) {
            let arithmetic = CurveArithmetic()
            guard scalar.count == 32, arithmetic.isInRange(scalar) else { return nil }
            self.scalar = scalar
            x963 = arithmetic.publicPoint(scalar)
        }

        /// r and s (64 bytes) over a message with this SHA-256 `digest`.
        public func signature(digest: [UInt8]) -> [UInt8] {
            let arithmetic = CurveArithmetic()
            var nonces = DeterministicNonces(
                scalar: scalar, reducedDigest: arithmetic.reduced(digest))
            while true {
                let nonce = nonces.next()
                guard arithmetic.isInRange(nonce) else { continue }
                if let signature = arithmetic.sign(digest: digest, scalar: scalar, nonce: nonce) {
                    return signature
                }
            }
        }
    }
}

/// The candidates for the nonce k of RFC 6979, section 3.2, for P-256 with SHA-256.
///
/// Each is out of range with a chance of 2⁻³², so the loop that asks for more ends.
private struct DeterministicNonces {
    private var key = [UInt8](repeating: 0, count: 32)
    private var value = [UInt8](repeating: 1, count: 32)

    init(scalar: [UInt8], reducedDigest: [UInt8]) {
        for step: UInt8 in [0, 1] {
            mix([step] + scalar + reducedDigest)
        }
    }

    private mutating func mix(_ bytes: [UInt8]) {
        key = HMAC.sha256(key: key, value + bytes)
        value = HMAC.sha256(key: key, value)
    }

    private var started = false

    mutating func next() -> [UInt8] {
        if started { mix([0]) }
        started = true
        value = HMAC.sha256(key: key, value)
        return value
    }
}
