import Glibc

/// How much the tests do: little on every run, more under `QUITTANCE_FULL=1`.
public enum Effort {
    /// Whether the full counts are asked for.
    public static let isFull = getenv("QUITTANCE_FULL").map { String(cString: $0) } == "1"

    /// How often something is done.
    public static func times(_ usual: Int, full: Int) -> Int { isFull ? full : usual }
}

/// Random numbers that repeat themselves for a seed (SplitMix64).
public struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    /// The numbers of that seed.
    public init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// One of the elements.
    /// - Precondition: There is one.
    public mutating func pick<C: RandomAccessCollection>(_ elements: C) -> C.Element {
        let offset = Int.random(in: 0..<elements.count, using: &self)
        return elements[elements.index(elements.startIndex, offsetBy: offset)]
    }

    /// Whether something that happens `percent` times of a hundred happens.
    public mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &self) < percent
    }
}
