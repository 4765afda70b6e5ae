/// The path and query of a request: origin-form of RFC 9112, section 3.2.1, in the characters of
/// RFC 3986 and no others.
public struct RequestTarget: Sendable, Equatable {
    /// A name and value of the query, decoded.
    public struct Item: Sendable, Equatable {
        /// Before the first `=`.
        public let name: String
        /// After it; empty if there is none.
        public let value: String
    }

    /// As it came.
    public let text: String
    /// The path's segments, each decoded by itself: an encoded slash separates nothing.
    public let segments: [String]
    /// The query's items, in order.
    public let query: [Item]

    /// The values of every item of that name.
    public func values(_ name: String) -> [String] {
        query.filter { $0.name == name }.map(\.value)
    }

    init(_ bytes: ArraySlice<UInt8>) throws(Problem) {
        guard bytes.first == UInt8(ascii: "/") else {
            throw Problem(.malformedRequest, "the target must begin with a slash")
        }
        guard bytes.allSatisfy(Self.isAllowed) else {
            throw Problem(.malformedRequest, "the target holds a character that it may not")
        }
        text = String(decoding: bytes, as: UTF8.self)
        let path = bytes.prefix { $0 != UInt8(ascii: "?") }
        var segments: [String] = []
        for segment in path.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        {
            segments.append(try Self.decoded(segment))
        }
        self.segments = segments
        query = try Self.items(bytes.dropFirst(path.count + 1))
    }

    /// `pchar`, `/` and `?` of RFC 3986.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "-._~!$&'()*+,;=:@/?%".utf8.contains(byte)
    }

    private static func items(_ query: ArraySlice<UInt8>) throws(Problem) -> [Item] {
        var items: [Item] = []
        for pair in query.split(separator: UInt8(ascii: "&")) {
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            let value = pair.dropFirst(name.count + 1)
            items.append(Item(name: try decoded(name), value: try decoded(value)))
        }
        return items
    }

    /// Percent-decoded text. What is no UTF-8 or holds control characters is refused: a NUL would
    /// end the text for the next reader (libevent #1810).
    private static func decoded(_ bytes: ArraySlice<UInt8>) throws(Problem) -> String {
        var decoded: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexadecimalValue,
                let low = rest.popFirst()?.hexadecimalValue
            else { throw Problem(.malformedRequest, "the target holds a broken percent sign") }
            decoded.append(high << 4 | low)
        }
        guard decoded.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
            let text = String(validating: decoded, as: UTF8.self)
        else { throw Problem(.malformedRequest, "the target holds what is no text") }
        return text
    }
}
