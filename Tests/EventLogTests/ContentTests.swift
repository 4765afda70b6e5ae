import Testing

@testable import EventLog

@Suite("What an event says")
struct ContentTests {
    private func content(_ text: String, type: String = "t") throws -> EventContent {
        let event = try PreparedEvent(newEvent(id: "1", type: type, received: Array(text.utf8)))
        return EventContent(columns: event.columns, text: event.event.received)
    }

    private func same(_ left: String, _ right: String, erased: Bool = false) throws -> Bool {
        try content(left).isSame(as: content(right), erased: erased)
    }

    private let event =
        #"{"specversion":"1.0","id":"1","source":"a","type":"t","data":{"x":1,"y":[1,{"z":"s"}]}}"#

    @Test("order of members and white space do not count")
    func order() throws {
        let other = #"""
            { "data": {"y":[1, {"z":"s"}], "x":1}, "type":"t", "source":"a",
              "id":"1", "specversion":"1.0"}
            """#
        #expect(try same(event, other))
        #expect(
            try content(event).name(secret: []) == content(other).name(secret: []))
    }

    @Test(
        "another value of data, time, subject or an extension is other content",
        arguments: [
            #""data":{"x":1.0}"#, #""data":{"x":"1"}"#, #""data":{"x":1,"y":null}"#,
            #""data":{"x":1},"time":"2024-01-01T00:00:00Z""#, #""data":{"x":1},"subject":"s""#,
            #""data":{"x":1},"extension":"e""#,
        ])
    func other(members: String) throws {
        let first = #"{"specversion":"1.0","data":{"x":1}}"#
        #expect(try !same(first, #"{"specversion":"1.0",\#(members)}"#))
        #expect(
            try content(first).name(secret: [])
                != content(#"{"specversion":"1.0",\#(members)}"#).name(secret: []))
    }

    @Test("the instant of receipt is not content")
    func recordedTime() throws {
        let stamped = event.dropLast() + #","recordedtime":"2024-01-01T00:00:00Z"}"#
        #expect(try same(event, String(stamped)))
    }

    @Test("another type is other content")
    func type() throws {
        #expect(try !content("{}", type: "a").isSame(as: content("{}", type: "b"), erased: false))
    }

    @Test("where members were erased, null may have been anything, and nothing else may")
    func erased() throws {
        let kept = #"{"specversion":"1.0","data":{"account":null,"x":[1,null]}}"#
        let sent = #"{"specversion":"1.0","data":{"x":[1,"b"],"account":"a"}}"#
        #expect(try same(kept, sent, erased: true))
        #expect(try !same(kept, sent, erased: false))
        let changed = #"{"specversion":"1.0","data":{"x":[2,"b"],"account":"a"}}"#
        #expect(try !same(kept, changed, erased: true))
        let longer = #"{"specversion":"1.0","data":{"x":[1,"b",3],"account":"a"}}"#
        #expect(try !same(kept, longer, erased: true))
    }

    @Test("what is no JSON is compared byte by byte")
    func bytes() throws {
        #expect(try same("a.b.c", "a.b.c"))
        #expect(try !same("a.b.c", "a.b.d"))
        #expect(try !same("a.b.c", "{}"))
    }

    @Test("the name of a conflict tells nothing without its secret")
    func secret() throws {
        #expect(try content(event).name(secret: [1]) != content(event).name(secret: [2]))
    }
}
