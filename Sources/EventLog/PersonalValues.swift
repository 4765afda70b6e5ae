/// A value that was cut out because it is personal.
struct PersonalValue: Sendable, Equatable {
    /// Which text it was cut from.
    enum Target: UInt8, Sendable {
        case body = 0
        case parts = 1
    }

    let target: Target
    /// Where in the cut text the `null` stands that replaced it.
    let offset: Int
    /// The bytes of the value as they came, quotation marks included.
    let bytes: [UInt8]
}

/// The personal values of one event: what an erasure empties.
///
/// Encoded as one byte `0x01`, and for each value, in the order of the texts: target (one byte),
/// offset and length (four bytes each, highest first), bytes.
struct PersonalValues: Sendable, Equatable {
    private static let version: UInt8 = 1

    let values: [PersonalValue]

    init(_ values: [PersonalValue]) { self.values = values }

    /// What was stored; `nil` if it is not this encoding.
    init?(encoded: [UInt8]) {
        guard encoded.first == Self.version else { return nil }
        var values: [PersonalValue] = []
        var index = 1
        while index < encoded.count {
            guard let target = PersonalValue.Target(rawValue: encoded[index]),
                let offset = encoded.bigEndianUInt32(at: index + 1),
                let length = encoded.bigEndianUInt32(at: index + 5),
                index + 9 + Int(length) <= encoded.count
            else { return nil }
            index += 9
            let bytes = Array(encoded[index..<index + Int(length)])
            values.append(PersonalValue(target: target, offset: Int(offset), bytes: bytes))
            index += Int(length)
        }
        self.values = values
    }

    var encoded: [UInt8] {
        var result = [Self.version]
        for value in values {
            result.append(value.target.rawValue)
            result.append(bigEndian: UInt32(value.offset))
            result.append(lengthPrefixed: value.bytes)
        }
        return result
    }

    /// The values of one text, as `Join` wants them.
    func values(in target: PersonalValue.Target) -> [(offset: Int, bytes: [UInt8])] {
        values.lazy.filter { $0.target == target }.map { ($0.offset, $0.bytes) }
    }
}
