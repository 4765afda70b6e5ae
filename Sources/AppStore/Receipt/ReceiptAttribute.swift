internal import Cryptography

/// One attribute as it stands in a receipt: SEQUENCE { type INTEGER, version INTEGER, value OCTET
/// STRING }.
struct ReceiptAttribute {
    let type: Int64
    let version: Int64
    let value: ArraySlice<UInt8>

    /// Every attribute of an ASN.1 set that is all of `bytes`, or of an octet string around one.
    static func all(in bytes: [UInt8]) throws(BasicReader.Failure) -> [ReceiptAttribute] {
        var reader = BasicReader(bytes)
        let element = try reader.only()
        guard element.identifier == BasicTag.set else {
            let octets = try reader.octets(element)
            // Every wrapping costs two bytes, so this ends; yet nobody wraps more than once.
            return try set(in: Array(octets))
        }
        return try attributes(reader.inside(element))
    }

    private static func set(in bytes: [UInt8]) throws(BasicReader.Failure) -> [ReceiptAttribute] {
        var reader = BasicReader(bytes)
        let element = try reader.only()
        guard element.identifier == BasicTag.set else { throw .malformed }
        return try attributes(reader.inside(element))
    }

    private static func attributes(_ set: BasicReader) throws(BasicReader.Failure)
        -> [ReceiptAttribute]
    {
        var set = set
        var attributes: [ReceiptAttribute] = []
        while let element = try set.next() {
            guard element.identifier == BasicTag.sequence else { throw .malformed }
            var members = try set.inside(element)
            guard let type = try members.next(), let version = try members.next(),
                let typeNumber = number(type, members), let versionNumber = number(version, members)
            else { throw .malformed }
            let value = try members.only()
            attributes.append(
                ReceiptAttribute(
                    type: typeNumber, version: versionNumber, value: try members.octets(value)))
        }
        return attributes
    }

    private static func number(_ element: BasicElement, _ reader: BasicReader) -> Int64? {
        guard element.identifier == BasicTag.integer else { return nil }
        return number(reader.content(element))
    }

    /// A whole number of one to eight bytes, most significant first, in two's complement.
    private static func number(_ content: ArraySlice<UInt8>) -> Int64? {
        guard let first = content.first, content.count <= 8 else { return nil }
        return content.reduce(first & 0x80 == 0 ? 0 : -1) { $0 << 8 | Int64($1) }
    }

    // MARK: The value

    /// Whether the value is empty, or an encoded string without characters: absent, in a receipt.
    var isEmpty: Bool {
        value.isEmpty
            || (value.count == 2 && value.last == 0
                && (value.first == BasicTag.utf8String || value.first == BasicTag.ia5String))
    }

    /// The content of a value that is exactly one primitive value of that tag.
    private func content(_ tag: UInt8) -> ArraySlice<UInt8>? {
        guard value.first == tag, value.count >= 2 else { return nil }
        let start = value.startIndex + 2
        // Nearly all are short: the second byte is the length of the rest.
        if value[start - 1] == UInt8(clamping: value.count - 2), value.count < 130 {
            return value[start...]
        }
        let bytes = Array(value)
        var reader = BasicReader(bytes)
        guard let element = try? reader.only() else { return nil }
        return bytes[element.content]
    }

    var number: Int64? { content(BasicTag.integer).flatMap(Self.number) }

    var text: String? {
        guard let content = content(BasicTag.utf8String) ?? content(BasicTag.ia5String) else {
            return nil
        }
        return String(validating: content, as: UTF8.self)
    }
}
