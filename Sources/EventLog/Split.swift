/// The received bytes taken apart: what stays for ever, and what can be forgotten.
///
/// `body` is the received text with `null` in place of each personal value and each piece of
/// evidence; `personal` holds the personal values with their places. Joined again they are the
/// received bytes, exactly. It works on bytes and never decodes.
struct Split: Sendable, Equatable {
    let body: [UInt8]
    let parts: [UInt8]
    let personal: PersonalValues
    /// For each piece of evidence where its `null` stands, or `EvidencePlace.nowhere`.
    let places: [EvidencePlace]

    init(_ event: NewEvent) throws(InvalidEvent) {
        var cuts = event.personal.map { Cut(range: $0, evidence: nil) }
        for (index, evidence) in event.evidence.enumerated() {
            guard let range = evidence.range else { continue }
            try Cut.check(range, in: event.received)
            let spelling = EvidencePlace.spelling(of: evidence.bytes, at: range, in: event.received)
            cuts.append(Cut(range: range, evidence: spelling.map { (index, $0) }))
        }
        let body = try Cut.cut(cuts, from: event.received)
        let parts = try Cut.cut(
            event.personalInParts.map { Cut(range: $0, evidence: nil) }, from: event.parts)

        var places = [EvidencePlace](repeating: .nowhere, count: event.evidence.count)
        var personal: [PersonalValue] = []
        for piece in body.pieces {
            if let (index, spelling) = piece.cut.evidence {
                places[index] = EvidencePlace(offset: piece.offset, spelling: spelling)
            } else {
                personal.append(
                    PersonalValue(
                        target: .body, offset: piece.offset,
                        bytes: Array(event.received[piece.cut.range])))
            }
        }
        personal += parts.pieces.map {
            PersonalValue(
                target: .parts, offset: $0.offset, bytes: Array(event.parts[$0.cut.range]))
        }
        self.body = body.text
        self.parts = parts.text
        self.personal = PersonalValues(personal)
        self.places = places
    }
}

/// A range that is taken out of a text.
private struct Cut {
    static let replacement = Array("null".utf8)

    let range: Range<Int>
    /// The place in the event's list and the spelling, for a piece of evidence; else it is
    /// personal.
    let evidence: (index: Int, spelling: EvidencePlace.Spelling)?

    static func check(_ range: Range<Int>, in text: [UInt8]) throws(InvalidEvent) {
        guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= text.count else {
            throw .badRange
        }
    }

    /// The text with `null` for each cut, and where in it each `null` stands, in its order.
    static func cut(_ cuts: [Cut], from text: [UInt8]) throws(InvalidEvent)
        -> (text: [UInt8], pieces: [(cut: Cut, offset: Int)])
    {
        var result: [UInt8] = []
        var pieces: [(cut: Cut, offset: Int)] = []
        var end = 0
        for cut in cuts.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            try check(cut.range, in: text)
            guard cut.range.lowerBound >= end else { throw .overlappingRanges }
            result += text[end..<cut.range.lowerBound]
            pieces.append((cut, result.count))
            result += replacement
            end = cut.range.upperBound
        }
        result += text[end...]
        return (result, pieces)
    }
}

/// Puts cut values back.
enum Join {
    /// The text with each value in the place of the `null` at its offset; `nil` if a `null` is not
    /// where it should be.
    static func join(_ text: [UInt8], _ values: [(offset: Int, bytes: [UInt8])]) -> [UInt8]? {
        joinWithRanges(text, values)?.text
    }

    /// Also where in the joined text each value stands, in the order of `values`.
    static func joinWithRanges(_ text: [UInt8], _ values: [(offset: Int, bytes: [UInt8])])
        -> (text: [UInt8], ranges: [Range<Int>])?
    {
        var result: [UInt8] = []
        var ranges = [Range<Int>](repeating: 0..<0, count: values.count)
        var end = 0
        for (index, value) in values.enumerated().sorted(by: { $0.1.offset < $1.1.offset }) {
            guard value.offset >= end, value.offset + 4 <= text.count,
                text[value.offset..<value.offset + 4].elementsEqual("null".utf8)
            else { return nil }
            result += text[end..<value.offset]
            ranges[index] = result.count..<result.count + value.bytes.count
            result += value.bytes
            end = value.offset + 4
        }
        return (result + text[end...], ranges)
    }
}
