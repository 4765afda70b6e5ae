/// When something was told, and by which event: the total order that facts may use.
///
/// `receivedAt` is part of an event from the first door on, and the key makes the order total; a
/// position in the log would depend on how events happened to arrive.
public struct Stamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970 UTC.
    public let receivedAt: Int64
    private let high: UInt64
    private let low: UInt64

    /// - Parameter key: The key of the event; its first 16 bytes count.
    public init(receivedAt: Int64, key: [UInt8]) {
        self.receivedAt = receivedAt
        high = Self.word(key, from: 0)
        low = Self.word(key, from: 8)
    }

    /// The 16 bytes of the event's key.
    public var key: [UInt8] {
        [high, low].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
        }
    }

    /// The key in hexadecimal: the name of the event in maps and bounded sets.
    var name: String {
        [high, low].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
    }

    /// Earlier stands before later; of one instant the lesser key.
    public static func < (left: Stamp, right: Stamp) -> Bool {
        (left.receivedAt, left.high, left.low) < (right.receivedAt, right.high, right.low)
    }

    private static func word(_ key: [UInt8], from start: Int) -> UInt64 {
        (start..<start + 8).reduce(0) { $0 << 8 | (($1 < key.count) ? UInt64(key[$1]) : 0) }
    }
}

extension Stamp {
    init(from coder: inout FactsCoder) throws(FactsError) {
        receivedAt = try coder.readInteger()
        high = try coder.readWord()
        low = try coder.readWord()
    }

    func write(to coder: inout FactsCoder) {
        coder.writeInteger(receivedAt)
        coder.writeWord(high)
        coder.writeWord(low)
    }
}
