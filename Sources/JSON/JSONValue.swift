/// One value of a JSON text (RFC 8259), with the place where it stands in the received bytes.
///
/// Nothing is lost by reading: numbers keep their text, members their order, and `range` leads back
/// to the bytes. A lone surrogate, which no Swift string can hold, reads as its own escape
/// (`\uD800`), so that two different ones stay different.
public struct JSONValue: Sendable {
    /// What a value is.
    public enum Content: Sendable {
        case null
        case bool(Bool)
        /// The number's own text: `1e400000` and `1.0` stay what they are.
        case number(String)
        /// A string's text, its escapes read.
        case string(String)
        case array([JSONValue])
        case object([JSONMember])
    }

    /// What the value is.
    public let content: Content
    /// The bytes of the value in the text it was read from, quotation marks included.
    public let range: Range<Int>

    /// A value that was made, not read, unless it has a range.
    public init(_ content: Content, range: Range<Int> = 0..<0) {
        self.content = content
        self.range = range
    }

    /// A value read from the whole of `bytes`.
    /// - Throws: `JSONError` with the offset and the reason.
    public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
        self = try JSONParser.parse(bytes, limits: limits)
    }
}

/// A member of a JSON object.
public struct JSONMember: Sendable {
    /// Its name, with escapes read.
    public let name: String
    /// Its value.
    public let value: JSONValue

    /// A member of that name.
    public init(_ name: String, _ value: JSONValue) {
        self.name = name
        self.value = value
    }
}

/// The bounds of what is read.
public struct JSONLimits: Sendable {
    /// The longest text, in bytes.
    public var bytesMax: Int
    /// How deep arrays and objects may nest.
    public var depthMax: Int
    /// How many values a text may hold in all.
    public var valuesMax: Int

    /// Bounds that suit one event.
    public init(bytesMax: Int = 16 << 20, depthMax: Int = 64, valuesMax: Int = 1_000_000) {
        self.bytesMax = bytesMax
        self.depthMax = depthMax
        self.valuesMax = valuesMax
    }
}

/// Why a text is not JSON that we accept, and where.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: String, Sendable {
        case tooLarge = "longer than allowed"
        case tooDeep = "nested deeper than allowed"
        case tooManyValues = "more values than allowed"
        case unexpectedEnd = "ends too early"
        case unexpectedByte = "unexpected byte"
        case badNumber = "bad number"
        case badEscape = "bad escape in a string"
        case controlCharacter = "control character in a string"
        case notUTF8 = "not UTF-8"
        case duplicateName = "a member name stands twice in one object"
        case trailingBytes = "bytes after the value"
    }

    /// What is wrong.
    public let reason: Reason
    /// The offset of the byte at which it was noticed.
    public let offset: Int

    /// One line: the reason and the offset, and nothing of the text.
    public var description: String { "\(reason.rawValue) at byte \(offset)" }
}

// MARK: Reading

extension JSONValue {
    /// The member of that name, if this is an object that has one.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = content else { return nil }
        return members.first { $0.name.hasSameBytes(as: name) }?.value
    }

    /// The value at a path of member names.
    public func at(_ path: String...) -> JSONValue? {
        path.reduce(Optional(self)) { $0?[$1] }
    }

    /// Whether this is `null`.
    public var isNull: Bool {
        if case .null = content { true } else { false }
    }

    /// The text, if this is a string.
    public var string: String? {
        if case .string(let text) = content { text } else { nil }
    }

    /// The elements, if this is an array.
    public var array: [JSONValue]? {
        if case .array(let elements) = content { elements } else { nil }
    }

    /// The members, if this is an object.
    public var members: [JSONMember]? {
        if case .object(let members) = content { members } else { nil }
    }

    /// An identifier: a string, or a number's text as it was written, never read as floating point.
    public var identifier: String? {
        switch content {
        case .string(let text): text
        case .number(let text): text
        case .null, .bool, .array, .object: nil
        }
    }

    /// A boolean, or one of `"true"`, `"false"`, `1`, `0`, `"1"`, `"0"`.
    public var boolean: Bool? {
        switch content {
        case .bool(let value): value
        case .string("true"), .string("1"), .number("1"): true
        case .string("false"), .string("0"), .number("0"): false
        case .string, .number, .null, .array, .object: nil
        }
    }

    /// A whole number that fits, from a number or a string of digits. A fraction is cut off
    /// (Xcode writes fractional milliseconds); an exponent is not accepted.
    public var int64: Int64? {
        guard let text = identifier else { return nil }
        if let whole = Int64(text) { return whole }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return Int64(parts[0])
    }
}

// MARK: Equality of content

extension JSONValue: Equatable {
    /// Equal as JSON: places, white space and the order of members do not count; numbers are
    /// compared by their text.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left.content, right.content) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): sameMembers(a, b)
        case (.null, _), (.bool, _), (.number, _), (.string, _), (.array, _), (.object, _): false
        }
    }

    private static func sameMembers(_ left: [JSONMember], _ right: [JSONMember]) -> Bool {
        guard left.count == right.count else { return false }
        let byBytes = { (a: JSONMember, b: JSONMember) in
            a.name.utf8.lexicographicallyPrecedes(b.name.utf8)
        }
        return zip(left.sorted(by: byBytes), right.sorted(by: byBytes)).allSatisfy {
            $0.name.hasSameBytes(as: $1.name) && $0.value == $1.value
        }
    }
}

extension String {
    /// Whether the UTF-8 of both is the same; `==` takes two spellings of one letter for equal.
    func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let isSame = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { bytes.elementsEqual($0) }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
