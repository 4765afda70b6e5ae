import JSON
import Testing

@Suite("JSON is read without losing anything")
struct JSONValueTests {
    func parse(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

    func reason(_ text: String, limits: JSONLimits = JSONLimits()) -> JSONError.Reason? {
        reason(Array(text.utf8), limits: limits)
    }

    func reason(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) -> JSONError.Reason? {
        do {
            _ = try JSONValue(parsing: bytes, limits: limits)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("a value's range leads back to its bytes")
    func ranges() throws {
        let bytes = Array(#" { "a" : [1, "x\u00e9"] , "b":{} } "#.utf8)
        let value = try JSONValue(parsing: bytes)
        let array = try #require(value["a"])
        #expect(String(decoding: bytes[array.range], as: UTF8.self) == #"[1, "x\u00e9"]"#)
        let text = try #require(array.array?.last)
        #expect(text.string == "xé")
        #expect(String(decoding: bytes[text.range], as: UTF8.self) == #""x\u00e9""#)
    }

    @Test("a number keeps its text")
    func numbers() throws {
        let numbers = try parse("[1e400000, 1.0, -0, 18446744073709551616]").array
        #expect(numbers?.map(\.identifier) == ["1e400000", "1.0", "-0", "18446744073709551616"])
    }

    @Test("an id is the same as a number and as a string (go-iap#153, go-iap#160)")
    func identifiers() throws {
        let ids = try parse(#"[1000000123456789, "1000000123456789"]"#).array?.map(\.identifier)
        #expect(ids == ["1000000123456789", "1000000123456789"])
    }

    @Test(
        "a whole number is read from digits, and a fraction is cut off",
        arguments: [
            ("12", 12), ("\"12\"", 12), ("1697679936049.7297", 1_697_679_936_049),
            ("-62135769600000", -62_135_769_600_000), ("1e3", nil), ("\"1.\"", 1),
            ("9223372036854775808", nil), ("\"\"", nil), ("\"1.x\"", nil), ("true", nil),
        ] as [(String, Int64?)])
    func wholeNumbers(text: String, expected: Int64?) throws {
        #expect(try parse(text).int64 == expected)
    }

    @Test("two different lone surrogates stay different, and a pair becomes one character")
    func surrogates() throws {
        let texts = try parse(#"["\ud800", "\ud801", "\ud83d\ude00", "\udc00\ud800"]"#).array
        #expect(texts?.map(\.string) == ["\\uD800", "\\uD801", "😀", "\\uDC00\\uD800"])
    }

    @Test("U+0000 is a character like any other")
    func nul() throws {
        #expect(try parse(#""a\u0000b""#).string == "a\u{0}b")
    }

    @Test("every escape is read")
    func escapes() throws {
        #expect(try parse(#""\"\\\/\b\f\n\r\t""#).string == "\"\\/\u{8}\u{C}\n\r\t")
    }

    @Test(
        "what is not JSON is refused with the reason",
        arguments: [
            ("", .unexpectedEnd), ("{", .unexpectedEnd), ("[1,]", .unexpectedByte),
            ("{\"a\":1,}", .unexpectedByte), ("01", .trailingBytes), ("1.", .badNumber),
            ("-", .unexpectedEnd), ("+1", .unexpectedByte), ("1e", .badNumber),
            ("nul", .unexpectedEnd), ("NaN", .unexpectedByte), ("\"\\x\"", .badEscape),
            ("\"\\u12g4\"", .badEscape), ("\"a\nb\"", .controlCharacter),
            ("{} {}", .trailingBytes), ("{\"a\":1,\"a\":2}", .duplicateName),
            ("{a:1}", .unexpectedByte), ("\u{FEFF}{}", .unexpectedByte), ("'a'", .unexpectedByte),
        ] as [(String, JSONError.Reason)])
    func refusals(text: String, expected: JSONError.Reason) {
        #expect(reason(text) == expected)
    }

    @Test("a name that stands twice is found in a large object and behind an escape")
    func duplicateNames() {
        let many = (0..<20).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        #expect(reason("{\(many)}") == nil)
        #expect(reason("{\(many),\"k\\u0037\":1}") == .duplicateName)
    }

    @Test("two spellings of one letter are two names")
    func canonicalEquivalence() throws {
        let value = try parse("{\"\u{E9}\":1,\"e\u{301}\":2}")
        #expect(value["\u{E9}"]?.int64 == 1)
        #expect(value["e\u{301}"]?.int64 == 2)
        #expect(try parse("\"\u{E9}\"") != parse("\"e\u{301}\""))
    }

    @Test(
        "bytes that are not UTF-8 are refused",
        arguments: [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3]]
            as [[UInt8]])
    func notUTF8(bytes: [UInt8]) {
        #expect(reason([0x22] + bytes + [0x22]) == .notUTF8)
    }

    @Test("every bound holds")
    func bounds() {
        let limits = JSONLimits(bytesMax: 100, depthMax: 4, valuesMax: 10)
        #expect(reason("[[[[1]]]]", limits: limits) == nil)
        #expect(reason("[[[[[1]]]]]", limits: limits) == .tooDeep)
        #expect(reason("[1,2,3,4,5,6,7,8,9,0]", limits: limits) == .tooManyValues)
        #expect(reason(String(repeating: " ", count: 100) + "1", limits: limits) == .tooLarge)
        #expect(reason(String(repeating: "[", count: 1_000_000)) == .tooDeep)
    }

    @Test("equality ignores places and the order of members, and compares numbers by text")
    func equality() throws {
        #expect(try parse(#"{"a":1,"b":[true,null]}"#) == parse(#" { "b":[true , null],"a":1}"#))
        #expect(try parse("1") != parse("1.0"))
        #expect(try parse("[1,2]") != parse("[2,1]"))
        #expect(try parse(#"{"a":null}"#) != parse("{}"))
    }

    @Test("what is written reads back the same")
    func writing() throws {
        let text = #"{"a":"x\"\\\u0000é😀","b":[1,true,null,{"c":-1.50e3}],"d":{}}"#
        var writer = JSONWriter()
        writer.value(try parse(text))
        #expect(try JSONValue(parsing: writer.bytes) == parse(text))
    }
}
