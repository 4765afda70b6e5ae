/// Where in a body the `null` of a piece of evidence stands, and how the evidence was written
/// there.
///
/// Stored as one integer: offset times four, plus the spelling; or -1.
struct EvidencePlace: Sendable, Equatable {
    /// How the received text wrote the evidence.
    enum Spelling: Int, Sendable {
        /// A JSON string without escapes.
        case quoted = 0
        /// A JSON string in which every `/` is written `\/` (Apple's own encoder does so).
        case quotedWithEscapedSlashes = 1
        /// The text itself, without quotation marks.
        case bare = 2
    }

    /// Not cut out of the body; or written in another spelling, and then among the personal values.
    static let nowhere = EvidencePlace(number: -1)

    let number: Int32

    init(number: Int32) { self.number = number }

    init(offset: Int, spelling: Spelling) {
        number = Int32(offset * 4 + spelling.rawValue)
    }

    /// The place in the body and the spelling; `nil` if it stands nowhere.
    var place: (offset: Int, spelling: Spelling)? {
        guard number >= 0, let spelling = Spelling(rawValue: Int(number & 3)) else { return nil }
        return (Int(number >> 2), spelling)
    }

    /// Which spelling of `evidence` stands at that place of the text, if it is one we can repeat.
    static func spelling(of evidence: [UInt8], at range: Range<Int>, in text: [UInt8])
        -> Spelling?
    {
        let spellings: [Spelling] = [.quoted, .quotedWithEscapedSlashes, .bare]
        return spellings.first { text[range].elementsEqual(spell(evidence, $0)) }
    }

    /// The evidence as the received text wrote it.
    static func spell(_ evidence: [UInt8], _ spelling: Spelling) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        switch spelling {
        case .quoted: return [quote] + evidence + [quote]
        case .quotedWithEscapedSlashes:
            var result = [quote]
            result.reserveCapacity(evidence.count + evidence.count / 16 + 2)
            for byte in evidence {
                if byte == UInt8(ascii: "/") { result.append(UInt8(ascii: "\\")) }
                result.append(byte)
            }
            return result + [quote]
        case .bare: return evidence
        }
    }
}
