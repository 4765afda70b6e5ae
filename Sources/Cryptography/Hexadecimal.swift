/// Bytes and their lower-case hexadecimal form.
public enum Hexadecimal {
    /// Two lower-case digits a byte.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
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
