/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers for the same seed on every machine.
struct SampleRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A whole number of the range, both ends included.
    mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
        Int64.random(in: range, using: &self)
    }

    /// One of `choices`, which must not be empty.
    mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[Int(next() % UInt64(choices.count))]
    }

    /// A version 4 UUID (RFC 9562) in lower case, as Apple's JSON writes them.
    mutating func uuid() -> String {
        let digits = Array("0123456789abcdef")
        var text = ""
        for place in 0..<32 {
            if [8, 12, 16, 20].contains(place) { text.append("-") }
            let nibble = Int(next() & 15)
            switch place {
            case 12: text.append("4")
            case 16: text.append(digits[8 | nibble & 3])
            default: text.append(digits[nibble])
            }
        }
        return text
    }

    /// `count` characters of the standard base64 alphabet.
    mutating func base64(_ count: Int) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        return String((0..<count).map { _ in alphabet[Int(next() & 63)] })
    }
}
