internal import COpenSSL

/// A whole number of libcrypto, never changed once made, freed with its last reference.
final class BigNumber {
    let pointer: OpaquePointer

    init(adopting pointer: OpaquePointer?) {
        guard let pointer else { preconditionFailure("out of memory") }
        self.pointer = pointer
    }

    /// A number for a function of libcrypto to fill.
    convenience init() { self.init(adopting: BN_new()) }

    /// From bytes, most significant first.
    convenience init(_ bytes: [UInt8]) {
        self.init(adopting: BN_bin2bn(bytes, Int32(bytes.count), nil))
    }

    deinit { BN_clear_free(pointer) }

    /// 32 bytes, most significant first.
    var bytes: [UInt8] { bytes(count: 32) }

    /// So many bytes, most significant first.
    func bytes(count length: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            let written = BN_bn2binpad(pointer, buffer.baseAddress, Int32(length))
            precondition(written == length, "a number that is longer")
            count = length
        }
    }

    /// A copy that whoever takes it has to free.
    var copy: OpaquePointer? { withExtendedLifetime(self) { BN_dup(pointer) } }

    var isZero: Bool { BN_is_zero(pointer) == 1 }

    static func < (left: BigNumber, right: BigNumber) -> Bool {
        withExtendedLifetime((left, right)) { BN_cmp(left.pointer, right.pointer) < 0 }
    }

    func adding(_ small: Int) -> BigNumber {
        let sum = BigNumber(adopting: BN_dup(pointer))
        let magnitude = UInt(small.magnitude)
        check(small < 0 ? BN_sub_word(sum.pointer, magnitude) : BN_add_word(sum.pointer, magnitude))
        return sum
    }
}

/// Whole numbers modulo another.
struct ModularArithmetic {
    let modulus: BigNumber

    func reduced(_ number: BigNumber) -> BigNumber {
        compute(number, modulus) { BN_nnmod($0, $1, $2, $3) }
    }

    func sum(_ left: BigNumber, _ right: BigNumber) -> BigNumber {
        withExtendedLifetime(modulus) {
            compute(left, right) { BN_mod_add($0, $1, $2, modulus.pointer, $3) }
        }
    }

    func product(_ left: BigNumber, _ right: BigNumber) -> BigNumber {
        withExtendedLifetime(modulus) {
            compute(left, right) { BN_mod_mul($0, $1, $2, modulus.pointer, $3) }
        }
    }

    /// `number` must not be a multiple of the modulus.
    func inverse(_ number: BigNumber) -> BigNumber {
        compute(number, modulus) { BN_mod_inverse($0, $1, $2, $3) == nil ? 0 : 1 }
    }

    private func compute(
        _ left: BigNumber, _ right: BigNumber,
        _ operation: (OpaquePointer, OpaquePointer, OpaquePointer, OpaquePointer) -> Int32
    ) -> BigNumber {
        guard let scratch = BN_CTX_new() else { preconditionFailure("out of memory") }
        defer { BN_CTX_free(scratch) }
        let result = BigNumber()
        withExtendedLifetime((left, right)) {
            check(operation(result.pointer, left.pointer, right.pointer, scratch))
        }
        return result
    }
}

/// A failure of plain arithmetic means that memory ran out; it ends the process, as Swift's own
/// allocation does.
func check(_ result: Int32) {
    precondition(result == 1, "libcrypto could not compute")
}
