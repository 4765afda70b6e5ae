/// A strict reader of RFC 8259 over bytes.
///
/// It never recurses deeper than `JSONLimits.depthMax`, refuses duplicate member names (two readers
/// could otherwise see two different events in one text), and refuses bytes that are not UTF-8.
struct JSONParser {
    /// For how many members an object has room from the beginning, among the first so many values
    /// of a text: many objects of one member would take five times their memory.
    private static let membersExpected = 8
    private static let valuesOfSmallText = 64
    /// Up to how many members each name is compared with each, which is faster than a set.
    private static let pairsMax = 24

    private let bytes: UnsafeBufferPointer<UInt8>
    private let limits: JSONLimits
    private var index = 0
    private var valueCount = 0

    static func parse(_ bytes: [UInt8], limits: JSONLimits) throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.bytesMax else {
            throw JSONError(reason: .tooLarge, offset: limits.bytesMax)
        }
        let result = bytes.withUnsafeBufferPointer { buffer in
            var parser = JSONParser(bytes: buffer, limits: limits)
            return Result { () throws(JSONError) in try parser.document() }
        }
        return try result.get()
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    private mutating func document() throws(JSONError) -> JSONValue {
        skipWhiteSpace()
        let value = try value(depth: 0)
        skipWhiteSpace()
        guard index == bytes.count else { throw error(.trailingBytes) }
        return value
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= limits.depthMax else { throw error(.tooDeep) }
        valueCount += 1
        guard valueCount <= limits.valuesMax else { throw error(.tooManyValues) }
        let start = index
        let content: JSONValue.Content
        switch try peek() {
        case UInt8(ascii: "{"): content = try object(depth: depth)
        case UInt8(ascii: "["): content = try array(depth: depth)
        case UInt8(ascii: "\""): content = .string(try string())
        case UInt8(ascii: "t"): content = try literal("true", .bool(true))
        case UInt8(ascii: "f"): content = try literal("false", .bool(false))
        case UInt8(ascii: "n"): content = try literal("null", .null)
        default: content = .number(try number())
        }
        return JSONValue(content, range: start..<index)
    }

    // MARK: Structures

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue.Content {
        var members: [JSONMember] = []
        index += 1
        skipWhiteSpace()
        if try take(UInt8(ascii: "}")) { return .object(members) }
        if valueCount <= Self.valuesOfSmallText {
            members.reserveCapacity(Self.membersExpected)
        }
        while true {
            guard try peek() == UInt8(ascii: "\"") else { throw error(.unexpectedByte) }
            let name = try string()
            try colon()
            members.append(JSONMember(name, try value(depth: depth + 1)))
            skipWhiteSpace()
            if try take(UInt8(ascii: "}")) { break }
            guard try take(UInt8(ascii: ",")) else { throw error(.unexpectedByte) }
            skipWhiteSpace()
        }
        try refuseDuplicates(members)
        return .object(members)
    }

    /// By bytes: Swift's own comparison would take two spellings of one letter for the same name.
    private func refuseDuplicates(_ members: [JSONMember]) throws(JSONError) {
        if members.count <= Self.pairsMax {
            for (position, member) in members.enumerated() {
                for other in members[..<position] where other.name.hasSameBytes(as: member.name) {
                    throw JSONError(reason: .duplicateName, offset: member.value.range.lowerBound)
                }
            }
            return
        }
        var seen = Set<[UInt8]>(minimumCapacity: members.count)
        for member in members where !seen.insert(Array(member.name.utf8)).inserted {
            throw JSONError(reason: .duplicateName, offset: member.value.range.lowerBound)
        }
    }

    private mutating func colon() throws(JSONError) {
        skipWhiteSpace()
        guard try take(UInt8(ascii: ":")) else { throw error(.unexpectedByte) }
        skipWhiteSpace()
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue.Content {
        var elements: [JSONValue] = []
        index += 1
        skipWhiteSpace()
        if try take(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            elements.append(try value(depth: depth + 1))
            skipWhiteSpace()
            if try take(UInt8(ascii: "]")) { return .array(elements) }
            guard try take(UInt8(ascii: ",")) else { throw error(.unexpectedByte) }
            skipWhiteSpace()
        }
    }

    // MARK: Scalars

    private mutating func literal(_ text: StaticString, _ content: JSONValue.Content)
        throws(JSONError) -> JSONValue.Content
    {
        let expected = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        for byte in expected where try !take(byte) { throw error(.unexpectedByte) }
        return content
    }

    private mutating func number() throws(JSONError) -> String {
        let start = index
        _ = index < bytes.count && takeByte(UInt8(ascii: "-"))
        guard index < bytes.count else { throw error(.unexpectedEnd) }
        if !takeByte(UInt8(ascii: "0")), digits() == 0 {
            throw error(start == index ? .unexpectedByte : .badNumber)
        }
        if takeByte(UInt8(ascii: ".")), digits() == 0 { throw error(.badNumber) }
        if takeByte(UInt8(ascii: "e")) || takeByte(UInt8(ascii: "E")) {
            _ = takeByte(UInt8(ascii: "+")) || takeByte(UInt8(ascii: "-"))
            if digits() == 0 { throw error(.badNumber) }
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func digits() -> Int {
        let start = index
        while index < bytes.count, (48...57).contains(bytes[index]) { index += 1 }
        return index - start
    }

    private mutating func string() throws(JSONError) -> String {
        index += 1
        let start = index
        skipPlainCharacters()
        switch try peek() {
        case UInt8(ascii: "\""):
            let text = try text(start..<index)
            index += 1
            return text
        case UInt8(ascii: "\\"): return try escapedString(from: start)
        default: throw error(.controlCharacter)
        }
    }

    /// Stops before what ends a string, an escape, or what may not stand in a string.
    private mutating func skipPlainCharacters() {
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { return }
            index += 1
        }
    }

    /// The rest of a string from its first escape on.
    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var result = try text(start..<index)
        while true {
            let runStart = index
            skipPlainCharacters()
            let end = try peek()
            if end < 0x20 { throw error(.controlCharacter) }
            result += try text(runStart..<index)
            index += 1
            if end == UInt8(ascii: "\"") { return result }
            try escape(into: &result)
        }
    }

    private mutating func escape(into result: inout String) throws(JSONError) {
        let byte = try peek()
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            result.unicodeScalars.append(Unicode.Scalar(byte))
        case UInt8(ascii: "b"): result += "\u{8}"
        case UInt8(ascii: "f"): result += "\u{C}"
        case UInt8(ascii: "n"): result += "\n"
        case UInt8(ascii: "r"): result += "\r"
        case UInt8(ascii: "t"): result += "\t"
        case UInt8(ascii: "u"): try unicodeEscape(into: &result)
        default:
            index -= 1
            throw error(.badEscape)
        }
    }

    private mutating func unicodeEscape(into result: inout String) throws(JSONError) {
        let unit = try hexadecimal()
        if let scalar = Unicode.Scalar(UInt32(unit)) {
            result.unicodeScalars.append(scalar)
            return
        }
        if unit < 0xDC00, let low = try lowSurrogate() {
            let code = 0x10000 + (UInt32(unit - 0xD800) << 10) + UInt32(low - 0xDC00)
            if let scalar = Unicode.Scalar(code) { result.unicodeScalars.append(scalar) }
            return
        }
        result += "\\u" + String(unit, radix: 16, uppercase: true)
    }

    /// The low surrogate that follows a high one, if it does.
    private mutating func lowSurrogate() throws(JSONError) -> UInt16? {
        guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        else { return nil }
        let start = index
        index += 2
        let unit = try hexadecimal()
        if (0xDC00...0xDFFF).contains(unit) { return unit }
        index = start
        return nil
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            let byte = try peek()
            let digit: UInt8
            switch byte {
            case 48...57: digit = byte - 48
            case 65...70: digit = byte - 55
            case 97...102: digit = byte - 87
            default: throw error(.badEscape)
            }
            unit = unit << 4 | UInt16(digit)
            index += 1
        }
        return unit
    }

    private func text(_ range: Range<Int>) throws(JSONError) -> String {
        let slice = UnsafeBufferPointer(rebasing: bytes[range])
        // The validating reader is slow to begin, and nearly all texts need none.
        if slice.allSatisfy({ $0 < 0x80 }) { return String(decoding: slice, as: UTF8.self) }
        guard let text = String(validating: slice, as: UTF8.self) else {
            throw JSONError(reason: .notUTF8, offset: range.lowerBound)
        }
        return text
    }

    // MARK: Bytes

    private func peek() throws(JSONError) -> UInt8 {
        guard index < bytes.count else { throw error(.unexpectedEnd) }
        return bytes[index]
    }

    private mutating func take(_ byte: UInt8) throws(JSONError) -> Bool {
        guard try peek() == byte else { return false }
        index += 1
        return true
    }

    private mutating func takeByte(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipWhiteSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }

    private func error(_ reason: JSONError.Reason) -> JSONError {
        JSONError(reason: reason, offset: index)
    }
}
