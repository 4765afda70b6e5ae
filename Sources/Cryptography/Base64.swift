/// Base64 of RFC 4648: section 4 with padding, and section 5 (`base64url`) without, as JWS uses it.
///
/// Decoding is canonical: every byte sequence has exactly one text that is accepted. Unused bits
/// that are not zero are refused, since a signed text that can be changed and still verifies would
/// have two digests.
public enum Base64 {
    /// The text of section 4, padded.
    public static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text = encode(bytes, alphabet: standardAlphabet)
        while !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
        return text
    }

    /// The text of section 5, without padding.
    public static func encodeURL(_ bytes: [UInt8]) -> [UInt8] {
        encode(bytes, alphabet: urlAlphabet)
    }

    /// The bytes of a padded text of section 4; `nil` for anything else.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 4) else { return nil }
        let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        let digits = Array(text.dropLast(padding))
        return digits.withUnsafeBufferPointer { decode($0, table: standardTable) }
    }

    /// The bytes of an unpadded text of section 5; `nil` for anything else.
    public static func decodeURL(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        decode(text, table: urlTable)
    }

    /// The bytes of an unpadded text of section 5; `nil` for anything else.
    public static func decodeURL(_ text: [UInt8]) -> [UInt8]? {
        text.withUnsafeBufferPointer { decodeURL($0) }
    }

    // MARK: Parts

    private static let standardAlphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let urlAlphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let standardTable = table(standardAlphabet)
    private static let urlTable = table(urlAlphabet)

    /// The value of each byte, and 0xFF for those outside the alphabet.
    private static func table(_ alphabet: [UInt8]) -> [UInt8] {
        var table = [UInt8](repeating: 0xFF, count: 256)
        for (value, byte) in alphabet.enumerated() { table[Int(byte)] = UInt8(value) }
        return table
    }

    private static func encode(_ bytes: [UInt8], alphabet: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
            for digit in 0...group.count {
                text.append(alphabet[Int(bits >> (18 - 6 * UInt32(digit)) & 63)])
            }
        }
        return text
    }

    private static func decode(_ text: UnsafeBufferPointer<UInt8>, table: [UInt8]) -> [UInt8]? {
        let rest = text.count % 4
        guard rest != 1 else { return nil }
        var valid = true
        let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 3) { output, count in
            table.withUnsafeBufferPointer { table in
                count = decodeGroups(text, table: table, into: output, valid: &valid)
            }
        }
        return valid ? bytes : nil
    }

    /// Returns how many bytes were written; clears `valid` at the first digit that is none.
    private static func decodeGroups(
        _ text: UnsafeBufferPointer<UInt8>, table: UnsafeBufferPointer<UInt8>,
        into output: UnsafeMutableBufferPointer<UInt8>, valid: inout Bool
    ) -> Int {
        var written = 0
        var seen: UInt8 = 0
        let whole = text.count & ~3
        for start in stride(from: 0, to: whole, by: 4) {
            let a = table[Int(text[start])]
            let b = table[Int(text[start + 1])]
            let c = table[Int(text[start + 2])]
            let d = table[Int(text[start + 3])]
            seen |= a | b | c | d
            output[written] = a << 2 | b >> 4
            output[written + 1] = b << 4 | c >> 2
            output[written + 2] = c << 6 | d
            written += 3
        }
        if whole < text.count {
            let last = text[whole...].map { table[Int($0)] }
            seen |= last.reduce(0, |)
            let bits = last.reduce(0) { $0 << 6 | UInt32($1) }
            let spare: UInt32 = last.count == 2 ? 4 : 2
            if bits & (1 << spare - 1) != 0 { valid = false }
            for index in 0..<last.count - 1 {
                let shift = spare + 8 * UInt32(last.count - 2 - index)
                output[written] = UInt8(truncatingIfNeeded: bits >> shift)
                written += 1
            }
        }
        if seen & 0x80 != 0 { valid = false }
        return written
    }
}
