import JSON

/// A JSON object of the members that are not `nil`.
func json(_ members: KeyValuePairs<String, Any?>) -> JSONValue {
    JSONValue(.object(members.compactMap { name, value in value.map { JSONMember(name, json($0)) } }))
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
    (UInt64(0)..<4).flatMap { salt in
        var state = text.utf8.reduce(0xcbf2_9ce4_8422_2325 ^ salt &* 0x9E37_79B9) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        state = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
        state = (state ^ (state >> 27)) &* 0x94d0_49bb_1331_11eb
        state ^= state >> 31
        return (0..<8).map { UInt8(truncatingIfNeeded: state >> (8 * UInt64($0))) }
    }
}

func hex(_ bytes: [UInt8]) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
}
