/// Writes JSON text, member by member, in the order given.
public struct JSONWriter: Sendable {
    /// What was written so far.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// A writer that has written nothing.
    public init() {}

    /// The text as a string.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// An object; `body` writes its members.
    public mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
        try enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    /// An array; `body` writes its elements.
    public mutating func array(_ body: (inout JSONWriter) throws -> Void) rethrows {
        try enclose(UInt8(ascii: "["), UInt8(ascii: "]"), body)
    }

    /// An array with a value for each element.
    public mutating func array<Elements: Sequence>(
        _ elements: Elements, _ each: (inout JSONWriter, Elements.Element) throws -> Void
    ) rethrows {
        try array { writer in for element in elements { try each(&writer, element) } }
    }

    /// A member's name; its value must follow.
    public mutating func name(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// A string, or `null`.
    public mutating func string(_ value: String?) {
        guard let value else { return null() }
        separate()
        quote(value)
        needsComma = true
    }

    /// A whole number, or `null`.
    public mutating func number(_ value: (some BinaryInteger)?) {
        guard let value else { return null() }
        raw(Array(String(value).utf8))
    }

    /// A boolean, or `null`.
    public mutating func bool(_ value: Bool?) {
        guard let value else { return null() }
        raw(Array((value ? "true" : "false").utf8))
    }

    /// `null`.
    public mutating func null() { raw(Array("null".utf8)) }

    /// A value that is JSON text already.
    public mutating func raw(_ json: [UInt8]) {
        separate()
        bytes += json
        needsComma = true
    }

    /// A value that was read: its content, written anew without white space.
    public mutating func value(_ value: JSONValue) {
        switch value.content {
        case .null: null()
        case .bool(let flag): bool(flag)
        case .number(let text): raw(Array(text.utf8))
        case .string(let text): string(text)
        case .array(let elements): array(elements) { $0.value($1) }
        case .object(let members):
            object { writer in
                for member in members {
                    writer.name(member.name)
                    writer.value(member.value)
                }
            }
        }
    }

    // MARK: Members

    /// A string member; `nil` writes `null`.
    public mutating func member(_ name: String, _ value: String?) {
        self.name(name)
        string(value)
    }

    /// A whole number as a member; `nil` writes `null`.
    public mutating func member(_ name: String, _ value: (some BinaryInteger)?) {
        self.name(name)
        number(value)
    }

    /// A boolean as a member; `nil` writes `null`.
    public mutating func member(_ name: String, _ value: Bool?) {
        self.name(name)
        bool(value)
    }

    // MARK: Parts

    private mutating func enclose(
        _ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) throws -> Void
    ) rethrows {
        separate()
        bytes.append(open)
        needsComma = false
        try body(&self)
        bytes.append(close)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = false
    }

    private mutating func quote(_ text: String) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { utf8 in
            // Most texts need no escape, so whole runs are taken over at once.
            var start = utf8.startIndex
            for index in utf8.indices where Self.needsEscape(utf8[index]) {
                bytes += utf8[start..<index]
                escape(utf8[index])
                start = index + 1
            }
            bytes += utf8[start...]
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        guard byte < 0x20 || byte == 0x7F else { return bytes.append(byte) }
        let digits = String(byte, radix: 16)
        bytes += Array(("u00" + (digits.count == 1 ? "0" : "") + digits).utf8)
    }
}
