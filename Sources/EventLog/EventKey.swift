internal import Cryptography

/// What makes an event the same event for ever: the first 16 bytes of SHA-256 over its source and
/// its id, each with its length before it in four bytes (schema/leaf-encoding.md).
public struct EventKey: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The length in bytes.
    public static let byteCount = 16

    /// 16 bytes.
    public let bytes: [UInt8]

    /// The key of the event with this source and id.
    public init(source: String, id: String) {
        var text: [UInt8] = []
        text.append(lengthPrefixed: source.utf8)
        text.append(lengthPrefixed: id.utf8)
        bytes = Array(SHA256.hash(text).prefix(Self.byteCount))
    }

    /// A key that was stored; `nil` if it is not 16 bytes long.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// 32 hexadecimal digits.
    public var description: String { Hexadecimal.encode(bytes) }

    /// By bytes.
    public static func < (left: EventKey, right: EventKey) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
