/// The secret that an app shares with Apple's old servers: the member `password` of notifications
/// V1 and of requests to `verifyReceipt`. It must not be stored.
enum SharedSecret {
    private static let name = Array("\"password\"".utf8)

    /// The bytes with `null` in the place of every such member's value, and whether there was one.
    ///
    /// It works on the text, so that JSON that cannot be read loses its secret, too.
    static func removed(from bytes: [UInt8]) -> (bytes: [UInt8], found: Bool) {
        var result: [UInt8] = []
        var copied = 0
        var position = 0
        while let start = firstName(in: bytes, from: position) {
            position = start + name.count
            guard let value = value(in: bytes, after: position) else { continue }
            if bytes[value].elementsEqual("null".utf8) { continue }
            result += bytes[copied..<value.lowerBound] + Array("null".utf8)
            copied = value.upperBound
            position = copied
        }
        guard copied > 0 else { return (bytes, false) }
        return (result + bytes[copied...], true)
    }

    private static func firstName(in bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while let quote = bytes[index...].firstIndex(of: UInt8(ascii: "\"")) {
            if bytes[quote...].starts(with: name) { return quote }
            index = quote + 1
        }
        return nil
    }

    /// The value behind a name and its colon; a text that is cut off reaches to the end.
    private static func value(in bytes: [UInt8], after name: Int) -> Range<Int>? {
        var index = name
        func skip() {
            while index < bytes.count, Recognition.isWhiteSpace(bytes[index]) { index += 1 }
        }
        skip()
        guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { return nil }
        index += 1
        skip()
        let start = index
        guard index < bytes.count else { return nil }
        if bytes[index] == UInt8(ascii: "\"") {
            index += 1
            while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            return start..<min(index + 1, bytes.count)
        }
        let ends = Array(",}] \t\r\n".utf8)
        while index < bytes.count, !ends.contains(bytes[index]) { index += 1 }
        return start..<index
    }
}
