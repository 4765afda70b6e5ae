internal import COpenSSL

/// The arithmetic of ECDSA on P-256 that libcrypto does not offer with a nonce of one's own.
struct CurveArithmetic {
    private let field: ModularArithmetic

    init() {
        guard let order = EC_GROUP_get0_order(Self.group.pointer) else {
            preconditionFailure("libcrypto has no P-256")
        }
        field = ModularArithmetic(modulus: BigNumber(adopting: BN_dup(order)))
    }

    /// A scalar from 1 to the order less 1, evenly enough: `bytes` modulo (order − 1), plus 1.
    func scalar(from bytes: [UInt8]) -> [UInt8] {
        let below = ModularArithmetic(modulus: field.modulus.adding(-1))
        return below.reduced(BigNumber(bytes)).adding(1).bytes
    }

    /// Whether a number is from 1 to the order less 1.
    func isInRange(_ bytes: [UInt8]) -> Bool {
        let number = BigNumber(bytes)
        return !number.isZero && number < field.modulus
    }

    /// `bytes` modulo the order.
    func reduced(_ bytes: [UInt8]) -> [UInt8] {
        field.reduced(BigNumber(bytes)).bytes
    }

    /// The point of `scalar`: 0x04, x and y.
    func publicPoint(_ scalar: [UInt8]) -> [UInt8] {
        let (x, y) = coordinates(BigNumber(scalar))
        return [4] + x.bytes + y.bytes
    }

    /// r and s, or `nil` in the (never seen) case that one of them is 0.
    func sign(digest: [UInt8], scalar: [UInt8], nonce: [UInt8]) -> [UInt8]? {
        let k = BigNumber(nonce)
        let r = field.reduced(coordinates(k).x)
        let sum = field.sum(BigNumber(digest), field.product(r, BigNumber(scalar)))
        let s = field.product(field.inverse(k), sum)
        return r.isZero || s.isZero ? nil : r.bytes + s.bytes
    }

    private func coordinates(_ scalar: BigNumber) -> (x: BigNumber, y: BigNumber) {
        guard let point = EC_POINT_new(Self.group.pointer) else {
            preconditionFailure("out of memory")
        }
        defer { EC_POINT_free(point) }
        let (x, y) = (BigNumber(), BigNumber())
        withExtendedLifetime((scalar, x, y)) {
            check(EC_POINT_mul(Self.group.pointer, point, scalar.pointer, nil, nil, nil))
            check(
                EC_POINT_get_affine_coordinates(
                    Self.group.pointer, point, x.pointer, y.pointer, nil))
        }
        return (x, y)
    }

    private static let group = Group()

    private struct Group: @unchecked Sendable {
        // SAFETY: the group is made once, never changed, and only read by any number of threads.
        let pointer = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)
    }
}
