import JSON

/// A JSON object of the members that are not `nil`.
func json(_ members: KeyValuePairs<String, Any?>) -> JSONValue {
    JSONValue(
        .object(members.compactMap { name, value in value.map { JSONMember(name, json($0)) } }))
}

private func json(_ value: Any) -> JSONValue {
    switch value {
    case let value as JSONValue: value
    case let value as String: JSONValue(.string(value))
    case let value as Bool: JSONValue(.bool(value))
    case let value as Int: JSONValue(.number(String(value)))
    case let value as Int64: JSONValue(.number(String(value)))
    case let value as [Any]: JSONValue(.array(value.map { json($0) }))
    default: JSONValue(.null)
    }
}

/// 32 well-mixed bytes for a text: stands for a digest.
func digest(_ text: String) -> [UInt8] {
    var state: UInt64 = 0xcbf2_9ce4_8422_2325
    var text = text
    text.withUTF8 { bytes in
        var index = 0
        while index < bytes.count {
            state = (state ^ UInt64(bytes[index])) &* 0x100_0000_01b3
            index += 1
        }
    }
    var generator = SeededGenerator(seed: state)
    var result: [UInt8] = []
    while result.count < 32 { result.append(UInt8(truncatingIfNeeded: generator.next() >> 32)) }
    return result
}

func hex(_ bytes: [UInt8]) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
}

/// `null` itself, where `nil` would leave the member out.
func json(_: Null) -> JSONValue { JSONValue(.null) }

/// See `json(null)`.
struct Null {}
let null = Null()
