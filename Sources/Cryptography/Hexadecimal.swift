/// Bytes and their lower-case hexadecimal form.
public enum Hexadecimal {
    /// Two lower-case digits a byte.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        let digits: StaticString = "0123456789abcdef"
        return String(unsafeUninitializedCapacity: 2 * bytes.count) { output in
            for (index, byte) in bytes.enumerated() {
                output[2 * index] = digits.utf8Start[Int(byte >> 4)]
                output[2 * index + 1] = digits.utf8Start[Int(byte & 15)]
            }
            return 2 * bytes.count
        }
    }

    /// The bytes of an even number of hexadecimal digits of either case; `nil` for anything else.
    public static func decode(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        let nibbles = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard nibbles.count == digits.count else { return nil }
        return stride(from: 0, to: nibbles.count, by: 2).map {
            UInt8(nibbles[$0] << 4 | nibbles[$0 + 1])
        }
    }
}
