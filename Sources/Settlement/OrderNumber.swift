/// What the platform's order numbers look like when they arrive.
public enum OrderNumber {
    /// What clients send when there is no order number (domain: the pitfalls). A bundle's own list
    /// is added in its settings.
    static let placeholders: Set<String> = [
        "", "nil", "(nil)", "null", "(null)", "<null>", "undefined", "None", "苹果返回透传参数为nil",
    ]

    /// The number as it is compared: a UUID (8-4-4-4-12 hexadecimal digits) in lower case, anything
    /// else as it is.
    public static func folded(_ number: String) -> String {
        isUUID(number) ? number.lowercased() : number
    }

    /// Whether `text` is a UUID: the only form that reaches Apple's servers.
    public static func isUUID(_ text: String) -> Bool {
        guard text.utf8.count == 36 else { return false }
        var text = text
        return text.withUTF8 { bytes in
            var index = 0
            while index < bytes.count {
                let isHyphen = bytes[index] == UInt8(ascii: "-")
                switch index {
                case 8, 13, 18, 23: if !isHyphen { return false }
                default: if !isHexadecimal(bytes[index]) { return false }
                }
                index += 1
            }
            return true
        }
    }

    /// The number that an event carried, or `nil` when it carried none: a placeholder, with or
    /// without blanks around it.
    package static func read(_ text: String?) -> String? {
        guard let text, !isPlaceholder(text, among: placeholders) else { return nil }
        return folded(text)
    }

    static func isPlaceholder(_ text: String, among list: some Collection<String>) -> Bool {
        let trimmed = trimmingBlanks(text)
        return list.contains { sameBytes($0, trimmed) }
    }

    private static func trimmingBlanks(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !isBlank($0) }),
            let last = scalars.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(scalars[first...last])
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar == "\0" || scalar == "\u{FEFF}"
            || scalar == "\u{200B}"
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
