/// Why stored facts cannot be read: they must be rebuilt from the log.
public enum FactsError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Written by another version of the rules.
    case version(UInt8)
    /// Not facts, cut short, or followed by more bytes.
    case malformed

    /// The reason, and what to do.
    public var description: String {
        switch self {
        case .version(let version): "facts of version \(version); rebuild the projection"
        case .malformed: "facts that cannot be read; rebuild the projection"
        }
    }
}

/// Writes facts to bytes and reads them again with one list of fields for both directions.
///
/// The same facts always give the same bytes: maps are sorted, integers have one form.
struct FactsCoder {
    private(set) var bytes: [UInt8]
    private var offset = 0
    let isReading: Bool

    init() {
        bytes = []
        isReading = false
    }

    init(reading bytes: [UInt8]) {
        self.bytes = bytes
        isReading = true
    }

    var isAtEnd: Bool { offset == bytes.count }

    // MARK: Fields

    mutating func field(_ value: inout some Fact) throws(FactsError) {
        try value.code(with: &self)
    }

    mutating func field(_ value: inout Bool) throws(FactsError) {
        if isReading { value = try readByte() != 0 } else { bytes.append(value ? 1 : 0) }
    }

    mutating func field(_ value: inout String) throws(FactsError) {
        if isReading { value = try readString() } else { writeString(value) }
    }

    mutating func field(_ value: inout Int64?) throws(FactsError) {
        if try hasValue(value != nil) {
            if isReading { value = try readInteger() } else { writeInteger(value ?? 0) }
        } else {
            value = nil
        }
    }

    mutating func field(_ value: inout String?) throws(FactsError) {
        if try hasValue(value != nil) {
            if isReading { value = try readString() } else { writeString(value ?? "") }
        } else {
            value = nil
        }
    }

    mutating func field(_ value: inout Bool?) throws(FactsError) {
        if try hasValue(value != nil) {
            if isReading {
                value = try readByte() != 0
            } else {
                bytes.append(value == true ? 1 : 0)
            }
        } else {
            value = nil
        }
    }

    mutating func field(_ value: inout Stamp?) throws(FactsError) {
        if try hasValue(value != nil) {
            if isReading { value = try Stamp(from: &self) } else { value?.write(to: &self) }
        } else {
            value = nil
        }
    }

    private mutating func hasValue(_ present: Bool) throws(FactsError) -> Bool {
        if isReading { return try readByte() != 0 }
        bytes.append(present ? 1 : 0)
        return present
    }

    // MARK: Primitive forms

    mutating func readByte() throws(FactsError) -> UInt8 {
        guard offset < bytes.count else { throw .malformed }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func writeByte(_ byte: UInt8) { bytes.append(byte) }

    /// A signed integer: zigzag, then seven bits a byte, lowest first.
    mutating func writeInteger(_ value: Int64) {
        var rest = UInt64(bitPattern: (value << 1) ^ (value >> 63))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func readInteger() throws(FactsError) -> Int64 {
        var value: UInt64 = 0
        for shift in stride(from: 0, through: 63, by: 7) {
            let byte = try readByte()
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
        }
        throw .malformed
    }

    mutating func writeWord(_ value: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    mutating func readWord() throws(FactsError) -> UInt64 {
        var value: UInt64 = 0
        for _ in 0..<8 { value = value << 8 | UInt64(try readByte()) }
        return value
    }

    mutating func writeString(_ value: String) {
        writeInteger(Int64(value.utf8.count))
        bytes += value.utf8
    }

    mutating func readString() throws(FactsError) -> String {
        let count = try readCount()
        guard let text = String(validating: bytes[offset..<offset + count], as: UTF8.self) else {
            throw .malformed
        }
        offset += count
        return text
    }

    /// A count of things that take at least a byte each, so that a broken one cannot ask for more
    /// than there is.
    mutating func readCount() throws(FactsError) -> Int {
        guard let count = Int(exactly: try readInteger()), count >= 0, count <= bytes.count - offset
        else { throw .malformed }
        return count
    }
}

/// A value that can be stored; `code` names each field once, for writing and for reading.
protocol Fact: Equatable, Sendable {
    /// The value that says nothing.
    init()
    mutating func code(with coder: inout FactsCoder) throws(FactsError)
}

extension Fact {
    /// The bytes of this value, the last resort of a tie.
    func coded() -> [UInt8] {
        var coder = FactsCoder()
        var copy = self
        do { try copy.code(with: &coder) } catch { return [] }
        return coder.bytes
    }
}

/// A fact that can be joined with another of its kind: associative, commutative, idempotent.
protocol Mergeable: Fact {
    mutating func merge(_ other: Self)
}
