/// Header fields in the order in which they stand, found by name without regard to case.
public struct HTTPFields: Sendable, Equatable {
    /// One field line.
    public struct Field: Sendable, Equatable {
        /// As it was written.
        public let name: String
        /// Without white space around it.
        public let value: String
    }

    /// All field lines, in order.
    public private(set) var lines: [Field] = []

    /// No fields.
    public init() {}

    /// Fields of these names and values; see `append`.
    public init(_ fields: KeyValuePairs<String, String>) {
        for (name, value) in fields { append(name, value) }
    }

    /// Adds a line. Bytes that would end the line early, or that no field value may hold (RFC 9110,
    /// section 5.5), become spaces: what a value says never turns into another field.
    public mutating func append(_ name: String, _ value: String) {
        let bytes = value.utf8.map { $0 < 0x20 && $0 != 9 || $0 == 0x7F ? 0x20 : $0 }
        lines.append(Field(name: name, value: String(decoding: bytes, as: UTF8.self)))
    }

    /// The value of the first line of that name.
    public subscript(name: String) -> String? { values(name).first }

    /// The values of every line of that name.
    public func values(_ name: String) -> [String] {
        lines.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
    }
}

extension String {
    /// Field names and the words of HTTP are compared so: by ASCII, never by a locale.
    func equalsIgnoringASCIICase(_ other: String) -> Bool {
        utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
    }
}

extension UInt8 {
    var asciiLowercased: UInt8 { (65...90).contains(self) ? self | 0x20 : self }
    var isASCIIDigit: Bool { (48...57).contains(self) }
    var isASCIILetter: Bool { (97...122).contains(self | 0x20) }

    /// `tchar` of RFC 9110, section 5.6.2.
    var isTokenCharacter: Bool {
        isASCIIDigit || isASCIILetter || "!#$%&'*+-.^_`|~".utf8.contains(self)
    }

    /// The value of a hexadecimal digit of either case.
    var hexadecimalValue: UInt8? {
        switch self {
        case 48...57: self - 48
        case 65...70: self - 55
        case 97...102: self - 87
        default: nil
        }
    }
}
