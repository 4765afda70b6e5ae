internal import Cryptography

/// When something was told: by our clock, a tie by the event's key (event-log.md: the first 16
/// bytes of SHA-256 over source and id, each with its length before it in four bytes).
struct ArrivalStamp: Comparable, Hashable {
    let receivedAt: Int64
    private let high: UInt64
    private let low: UInt64

    init(_ arrival: World.Arrival) {
        receivedAt = arrival.receivedAt
        var text: [UInt8] = []
        for part in [arrival.source, arrival.id] {
            let bytes = Array(part.utf8)
            for shift in [24, 16, 8, 0] { text.append(UInt8(bytes.count >> shift & 0xFF)) }
            text += bytes
        }
        let digest = SHA256.hash(text)
        high = digest[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = digest[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }

    static func < (left: ArrivalStamp, right: ArrivalStamp) -> Bool {
        (left.receivedAt, left.high, left.low) < (right.receivedAt, right.high, right.low)
    }
}

extension Dictionary where Value == ArrivalStamp {
    /// Keeps the earliest stamp of a key.
    mutating func tell(_ key: Key, _ stamp: ArrivalStamp) {
        self[key] = Swift.min(self[key] ?? stamp, stamp)
    }
}

extension Dictionary where Key == String, Value == ArrivalStamp {
    /// The key told earliest.
    var earliest: String? {
        self.min { ($0.value, $0.key) < ($1.value, $1.key) }?.key
    }
}
