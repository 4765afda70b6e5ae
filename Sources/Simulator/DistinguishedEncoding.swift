/// The few forms of DER (X.690) that minted certificates and receipts are made of.
enum DistinguishedEncoding {
    static func sequence(_ parts: [[UInt8]]) -> [UInt8] { tagged(0x30, parts.flatMap { $0 }) }

    static func set(_ parts: [[UInt8]]) -> [UInt8] { tagged(0x31, parts.flatMap { $0 }) }

    static func octetString(_ bytes: [UInt8]) -> [UInt8] { tagged(0x04, bytes) }

    /// A bit string of whole bytes, less `unused` bits of the last.
    static func bitString(_ bytes: [UInt8], unused: UInt8 = 0) -> [UInt8] {
        tagged(0x03, [unused] + bytes)
    }

    static func boolean(_ value: Bool) -> [UInt8] { tagged(0x01, [value ? 0xFF : 0]) }

    /// A whole number that is not negative, from its bytes, most significant first.
    static func integer(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        guard let first = digits.first else { return tagged(0x02, [0]) }
        return tagged(0x02, first & 0x80 == 0 ? digits : [0] + digits)
    }

    /// A whole number.
    static func integer(_ value: Int64) -> [UInt8] {
        var digits = withUnsafeBytes(of: value.bigEndian, Array.init)[...]
        while digits.count > 1, digits[digits.startIndex] == (value < 0 ? 0xFF : 0),
            digits[digits.startIndex + 1] & 0x80 == (value < 0 ? 0x80 : 0)
        {
            digits = digits.dropFirst()
        }
        return tagged(0x02, Array(digits))
    }

    static func ia5String(_ text: String) -> [UInt8] { tagged(0x16, Array(text.utf8)) }

    static func utf8String(_ text: String) -> [UInt8] { tagged(0x0C, Array(text.utf8)) }

    /// An instant as `yyyyMMddHHmmssZ`.
    static func generalizedTime(_ text: String) -> [UInt8] { tagged(0x18, Array(text.utf8)) }

    /// An instant as `yyMMddHHmmssZ`.
    static func utcTime(_ text: String) -> [UInt8] { tagged(0x17, Array(text.utf8)) }

    static func objectIdentifier(_ numbers: [UInt64]) -> [UInt8] {
        let first = numbers.prefix(2).reduce(0) { $0 * 40 + $1 }
        return tagged(0x06, ([first] + numbers.dropFirst(2)).flatMap(base128))
    }

    /// A value under a tag and its length.
    static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag] + length(content.count) + content
    }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        let digits = Array(withUnsafeBytes(of: count.bigEndian, Array.init).drop { $0 == 0 })
        return [0x80 | UInt8(digits.count)] + digits
    }

    private static func base128(_ number: UInt64) -> [UInt8] {
        var digits = [UInt8(number & 0x7F)]
        var rest = number >> 7
        while rest > 0 {
            digits.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
            rest >>= 7
        }
        return digits
    }
}
