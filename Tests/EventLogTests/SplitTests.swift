import JSON
import Testing

@testable import EventLog

@Suite("The split of what came")
struct SplitTests {
    @Test("the pieces of random texts, joined, are the texts again", arguments: 0..<40)
    func randomTexts(seed: Int) throws {
        var random = Seeded(UInt64(seed))
        for _ in 0..<50 {
            let text = RandomJSON.text(using: &random)
            let values = RandomJSON.disjointValues(of: text, using: &random)
            var event = newEvent(id: "1", received: text)
            for range in values {
                if text[range.lowerBound] == UInt8(ascii: "\""), Bool.random(using: &random) {
                    let bytes = Array(text[range].dropFirst().dropLast())
                    event.evidence.append(Evidence(bytes: bytes, range: range))
                } else {
                    event.personal.append(range)
                }
            }
            event.parts = text
            event.personalInParts = values.shuffled(using: &random)
            try expectRestored(event)
        }
    }

    private func expectRestored(_ event: NewEvent) throws {
        let prepared = try PreparedEvent(event)
        let values = prepared.personal.values(in: .body)
        let evidence = prepared.evidencePieces.map { (offset: $0.offset, bytes: $0.text) }
        #expect(Join.join(prepared.columns.body, values + evidence) == event.received)
        let inParts = prepared.personal.values(in: .parts)
        #expect(Join.join(prepared.columns.parts, inParts) == event.parts)
        #expect(PersonalValues(encoded: prepared.personal.encoded) == prepared.personal)
        #expect(throws: Never.self) {
            try JSONValue(parsing: prepared.columns.body)
        }
    }

    @Test("what is personal and what is evidence is in neither body nor parts")
    func nothingLeft() throws {
        let text = cloudEvent(id: "1", data: #"{"account":"anna-9","jws":"ey.ey.x","n":1}"#)
        var event = newEvent(id: "1", received: text)
        event.personal = [try range(of: #""anna-9""#, in: text)]
        event.evidence = [
            Evidence(bytes: Array("ey.ey.x".utf8), range: try range(of: #""ey.ey.x""#, in: text))
        ]
        let split = try Split(event)
        let body = String(decoding: split.body, as: UTF8.self)
        #expect(body.hasSuffix(#""data":{"account":null,"jws":null,"n":1}}"#))
        #expect(split.personal.values.map(\.bytes) == [Array(#""anna-9""#.utf8)])
    }

    @Test("a receipt whose slashes are escaped is cut out and comes back with its escapes")
    func escapedSlashes() throws {
        let text = cloudEvent(id: "1", data: #"{"receipt":"MII\/a\/b="}"#)
        var event = newEvent(id: "1", received: text)
        let place = try range(of: #""MII\/a\/b=""#, in: text)
        event.evidence = [Evidence(bytes: Array("MII/a/b=".utf8), range: place)]
        #expect(try Split(event).places.first?.place?.spelling == .quotedWithEscapedSlashes)
        try expectRestored(event)
    }

    @Test("evidence in a spelling that cannot be repeated stands among the personal values")
    func otherSpelling() throws {
        let text = cloudEvent(id: "1", data: #"{"receipt":"MII\/a/b\u003d"}"#)
        var event = newEvent(id: "1", received: text)
        let place = try range(of: #""MII\/a/b\u003d""#, in: text)
        event.evidence = [Evidence(bytes: Array("MII/a/b=".utf8), range: place)]
        let split = try Split(event)
        #expect(split.places == [.nowhere])
        #expect(split.personal.values.map(\.bytes) == [Array(text[place])])
        try expectRestored(event)
    }

    @Test("a bare JWS leaves only null behind")
    func bare() throws {
        let text = Array("ey.ey.sig".utf8)
        var event = newEvent(id: "1", received: text)
        event.evidence = [Evidence(bytes: text, range: 0..<text.count)]
        #expect(try Split(event).body == Array("null".utf8))
        try expectRestored(event)
    }

    @Test("cuts that overlap, nest, are empty or outside are refused")
    func badRanges() {
        let text = cloudEvent(id: "1")
        func refusal(_ personal: [Range<Int>], evidence: Range<Int>? = nil) -> InvalidEvent? {
            var event = newEvent(id: "1", received: text)
            event.personal = personal
            if evidence != nil { event.evidence = [Evidence(bytes: [1], range: evidence)] }
            do {
                _ = try Split(event)
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal([2..<8, 4..<6]) == .overlappingRanges)
        #expect(refusal([2..<8, 7..<9]) == .overlappingRanges)
        #expect(refusal([2..<8, 2..<8]) == .overlappingRanges)
        #expect(refusal([2..<8], evidence: 4..<6) == .overlappingRanges)
        #expect(refusal([3..<3]) == .badRange)
        #expect(refusal([-1..<3]) == .badRange)
        #expect(refusal([0..<text.count + 1]) == .badRange)
        #expect(refusal([], evidence: text.count..<text.count + 1) == .badRange)
        #expect(refusal([2..<4, 4..<8]) == nil)
    }
}

/// Random JSON texts and values in them.
enum RandomJSON {
    static func text(using random: inout Seeded) -> [UInt8] {
        var text = ""
        value(depth: 0, into: &text, using: &random)
        return Array(text.utf8)
    }

    private static let leaves = [
        "null", "true", "1e400000", "-0.0", #""""#, #""a/b""#, #""a\/b""#, #""\u0000""#,
        #""\ud800""#, #""漢字""#, #""null""#, "12345678901234567890", #""\"\\""#,
    ]

    private static func value(depth: Int, into text: inout String, using random: inout Seeded) {
        let space = ["", " ", "\n\t"].randomElement(using: &random) ?? ""
        text += space
        switch Int.random(in: 0..<(depth > 4 ? 2 : 6), using: &random) {
        case 0, 1: text += leaves.randomElement(using: &random) ?? "0"
        case 2, 3:
            list("[", "]", into: &text, using: &random) { _, text, random in
                value(depth: depth + 1, into: &text, using: &random)
            }
        default:
            list("{", "}", into: &text, using: &random) { index, text, random in
                text += #""m\#(index)":"#
                value(depth: depth + 1, into: &text, using: &random)
            }
        }
        text += space
    }

    private static func list(
        _ open: String, _ close: String, into text: inout String, using random: inout Seeded,
        _ element: (Int, inout String, inout Seeded) -> Void
    ) {
        text += open
        for index in 0..<Int.random(in: 0...4, using: &random) {
            if index > 0 { text += "," }
            element(index, &text, &random)
        }
        text += close
    }

    /// Ranges of values of the text, none within another.
    static func disjointValues(of text: [UInt8], using random: inout Seeded) -> [Range<Int>] {
        guard let value = try? JSONValue(parsing: text) else { return [] }
        var chosen: [Range<Int>] = []
        choose(value, into: &chosen, using: &random)
        return chosen
    }

    private static func choose(
        _ value: JSONValue, into chosen: inout [Range<Int>], using random: inout Seeded
    ) {
        if Int.random(in: 0..<3, using: &random) == 0 {
            chosen.append(value.range)
            return
        }
        for element in value.array ?? [] { choose(element, into: &chosen, using: &random) }
        for member in value.members ?? [] { choose(member.value, into: &chosen, using: &random) }
    }
}
