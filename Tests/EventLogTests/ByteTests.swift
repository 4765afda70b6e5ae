import Cryptography
import EventLog
import JSON
import TestKit
import Testing

@Suite("Bytes are kept as they came")
struct ByteTests {
    @Test(
        "U+0000, a lone surrogate and 1e400000 are stored byte for byte, personal or not",
        arguments: [
            #""\u0000""#, #""\ud800""#, #""\udc00\ud800""#, "1e400000", "-0.0", #""a\/b""#,
            #""\u00e9""#, #""é""#, #""e\u0301""#, "\"\u{7F}\"", "[ 1 ,\n2 ]", "0.10", "null",
        ], [false, true])
    func exact(value: String, isPersonal: Bool) async throws {
        let fresh = try await FreshLog.make()
        let text = cloudEvent(id: "1", data: #"{"applicationUsername":\#(value),"z":"end"}"#)
        var event = newEvent(id: "1", received: text)
        event.keys.orderNumber = Array(value.utf8) + [0]
        if isPersonal {
            let member = try #require(
                JSONValue(parsing: text).at("data", "applicationUsername"))
            event.personal = [member.range]
        }
        _ = try await fresh.log.append([event])
        let stored = try #require(try await fresh.log.read(after: 0, limit: 1).first)
        let received = try #require(try await fresh.log.received(stored))
        #expect(SHA256.hash(received) == SHA256.hash(text))
        #expect(try stored.readableBody() == text)
        #expect(stored.keys.orderNumber == event.keys.orderNumber)
        #expect(try await fresh.log.append([event]) == [.duplicate(1)])
        await fresh.log.close()
    }

    @Test("two numbers or strings that a decoder would take for one are in conflict")
    func notTheSame() async throws {
        let fresh = try await FreshLog.make()
        let pairs = [("1.0", "1"), ("1e400000", "1e400001"), (#""\ud800""#, #""\ud801""#)]
        for (index, pair) in pairs.enumerated() {
            let first = newEvent(id: "\(index)", data: pair.0)
            let second = newEvent(id: "\(index)", data: pair.1)
            let outcomes = try await fresh.log.append([first, second])
            let place = Int64(index * 2 + 1)
            #expect(outcomes == [.appended(place), .conflict(first: place, kept: place + 1)])
        }
    }

    @Test("bytes that are no JSON, and large ones, come back whole")
    func anything() async throws {
        let fresh = try await FreshLog.make()
        let texts: [[UInt8]] = [
            [], [0], Array(0...255), [UInt8](repeating: 0x5B, count: 3 << 20),
        ]
        let events = texts.enumerated().map { newEvent(id: "\($0)", received: $1) }
        _ = try await fresh.log.append(events)
        for event in try await fresh.log.read(after: 0, limit: 10) {
            #expect(try await fresh.log.received(event) == texts[Int(event.position) - 1])
        }
        #expect(try await fresh.log.append(events) == (1...4).map { .duplicate($0) })
    }
}
