/// One value in ASN.1's basic encoding (X.690, section 8), as it stands in its bytes.
public struct BasicElement: Sendable, Equatable {
    /// The identifier octet: class, form and tag number (below 31).
    public let identifier: UInt8
    /// Where its content stands; for the indefinite form without the end-of-contents octets.
    public let content: Range<Int>
    /// Where it stands as a whole.
    public let whole: Range<Int>

    /// Whether it consists of further values.
    public var isConstructed: Bool { identifier & 0x20 != 0 }
}

/// Reads values in ASN.1's basic encoding, one after the other: definite and indefinite lengths,
/// primitive and constructed strings. It allocates nothing but what it returns.
public struct BasicReader: Sendable {
    /// How deep values may nest.
    public static let depthMax = 64

    /// Why bytes are not ASN.1 that we accept.
    public enum Failure: Error, Sendable, Equatable {
        /// A length beyond the bytes, a tag of more than one octet, a missing end of contents.
        case malformed
        /// Nested deeper than `depthMax`.
        case tooDeep
    }

    private let bytes: [UInt8]
    private var position: Int
    private let end: Int
    private let depth: Int

    /// A reader of all `bytes`.
    public init(_ bytes: [UInt8]) {
        self.init(bytes, 0..<bytes.count, depth: 0)
    }

    private init(_ bytes: [UInt8], _ range: Range<Int>, depth: Int) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
        self.depth = depth
    }

    /// The next value; `nil` at the end.
    public mutating func next() throws(Failure) -> BasicElement? {
        guard position < end else { return nil }
        let element = try Self.element(in: bytes, from: position, to: end, depth: depth)
        position = element.whole.upperBound
        return element
    }

    /// The only value that is left.
    public mutating func only() throws(Failure) -> BasicElement {
        guard let element = try next(), position == end else { throw .malformed }
        return element
    }

    /// A reader of the values that `element` consists of.
    public func inside(_ element: BasicElement) throws(Failure) -> BasicReader {
        guard element.isConstructed else { throw .malformed }
        guard depth < Self.depthMax else { throw .tooDeep }
        return BasicReader(bytes, element.content, depth: depth + 1)
    }

    /// The bytes of an octet string, put together where it is constructed.
    public func octets(_ element: BasicElement) throws(Failure) -> ArraySlice<UInt8> {
        switch element.identifier {
        case BasicTag.octetString: return bytes[element.content]
        case BasicTag.octetString | 0x20:
            var parts = try inside(element)
            var joined: [UInt8] = []
            while let part = try parts.next() { joined += try parts.octets(part) }
            return joined[...]
        default: throw .malformed
        }
    }

    /// The content of a primitive value.
    public func content(_ element: BasicElement) -> ArraySlice<UInt8> { bytes[element.content] }

    // MARK: Lengths

    private static func element(
        in bytes: [UInt8], from start: Int, to end: Int, depth: Int
    ) throws(Failure) -> BasicElement {
        let (identifier, length, content) = try header(in: bytes, from: start, to: end)
        if let length {
            guard length <= end - content else { throw .malformed }
            return BasicElement(
                identifier: identifier, content: content..<content + length,
                whole: start..<content + length)
        }
        guard identifier & 0x20 != 0 else { throw .malformed }
        guard depth < depthMax else { throw .tooDeep }
        let stop = try endOfContents(in: bytes, from: content, to: end, depth: depth + 1)
        return BasicElement(
            identifier: identifier, content: content..<stop, whole: start..<stop + 2)
    }

    /// The identifier, the length (`nil` for the indefinite form), and where the content begins.
    private static func header(
        in bytes: [UInt8], from start: Int, to end: Int
    ) throws(Failure) -> (UInt8, Int?, Int) {
        guard end - start >= 2, bytes[start] & 0x1F != 0x1F else { throw .malformed }
        let identifier = bytes[start]
        let first = bytes[start + 1]
        if first < 0x80 { return (identifier, Int(first), start + 2) }
        if first == 0x80 { return (identifier, nil, start + 2) }
        let count = Int(first & 0x7F)
        guard count <= 4, end - start - 2 >= count else { throw .malformed }
        let content = start + 2 + count
        let length = bytes[start + 2..<content].reduce(0) { $0 << 8 | Int($1) }
        return (identifier, length, content)
    }

    /// Where the two zero octets stand that end an indefinite form beginning at `start`.
    private static func endOfContents(
        in bytes: [UInt8], from start: Int, to end: Int, depth: Int
    ) throws(Failure) -> Int {
        var position = start
        while true {
            guard end - position >= 2 else { throw .malformed }
            if bytes[position] == 0, bytes[position + 1] == 0 { return position }
            position = try element(in: bytes, from: position, to: end, depth: depth).whole
                .upperBound
        }
    }
}

/// Identifier octets of the universal class that are read here.
public enum BasicTag {
    /// INTEGER
    public static let integer: UInt8 = 0x02
    /// OCTET STRING, primitive.
    public static let octetString: UInt8 = 0x04
    /// OBJECT IDENTIFIER
    public static let objectIdentifier: UInt8 = 0x06
    /// UTF8String, primitive.
    public static let utf8String: UInt8 = 0x0C
    /// IA5String, primitive.
    public static let ia5String: UInt8 = 0x16
    /// SEQUENCE
    public static let sequence: UInt8 = 0x30
    /// SET
    public static let set: UInt8 = 0x31
    /// [0], constructed: the content of a ContentInfo.
    public static let content: UInt8 = 0xA0
}
