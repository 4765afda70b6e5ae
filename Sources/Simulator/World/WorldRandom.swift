/// SplitMix64 (Steele, Lea, Flood 2014) with whole numbers only: the same on every machine and with
/// every standard library.
struct WorldRandom {
    private var state: UInt64

    /// A stream of its own for a seed, a purpose and a number.
    init(seed: UInt64, purpose: UInt64, number: Int) {
        state = Self.mixed(Self.mixed(seed &+ purpose) &+ UInt64(truncatingIfNeeded: number))
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// A bijection that leaves no pattern.
    static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which must be positive.
    mutating func below(_ bound: Int64) -> Int64 {
        Int64(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// A number of the range, both ends included.
    mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    /// True in `partsPerMillion` of a million cases.
    mutating func chance(_ partsPerMillion: Int) -> Bool { below(1_000_000) < partsPerMillion }

    /// True in so many of a hundred cases.
    mutating func percent(_ hundredths: Int64) -> Bool { below(100) < hundredths }

    /// One of `choices`, which must not be empty.
    mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[Int(below(Int64(choices.count)))]
    }

    /// One of `choices` by their weights, of which one must be positive.
    mutating func pick<Choice>(weighted choices: [(Choice, Int64)]) -> Choice {
        var rest = below(choices.reduce(0) { $0 + $1.1 })
        for (choice, weight) in choices {
            if rest < weight { return choice }
            rest -= weight
        }
        return choices[choices.count - 1].0
    }

    /// A version 4 UUID (RFC 9562).
    mutating func uuid(upperCase: Bool = false) -> String {
        let high = next() & ~0xF000 | 0x4000
        let low = next() & ~0xC000_0000_0000_0000 | 0x8000_0000_0000_0000
        let letters: UInt8 = upperCase ? 55 : 87
        return String(unsafeUninitializedCapacity: 36) { text in
            var place = 0
            for digit in 0..<32 {
                if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
                    text[place] = UInt8(ascii: "-")
                    place += 1
                }
                let half = digit < 16 ? high : low
                let nibble = UInt8(half >> UInt64((15 - digit % 16) * 4) & 15)
                text[place] = nibble < 10 ? nibble + 48 : nibble + letters
                place += 1
            }
            return 36
        }
    }
}
