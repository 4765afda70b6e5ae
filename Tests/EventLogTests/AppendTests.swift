import Cryptography
import EventLog
import JSON
import PostgreSQL
import TestKit
import Testing

@Suite("Appending")
struct AppendTests {
    @Test("events stand one after the other, as they came, and the head goes with them")
    func order() async throws {
        let fresh = try await FreshLog.make()
        #expect(try await fresh.log.head().size == 0)
        let events = (1...5).map { newEvent(id: "\($0)", receivedAt: Int64($0)) }
        #expect(try await fresh.log.append(events) == (1...5).map { .appended($0) })
        let head = try await fresh.log.head()
        #expect(head.size == 5)
        let read = try await fresh.log.read(after: 0, limit: 10)
        #expect(read.map(\.position) == [1, 2, 3, 4, 5])
        #expect(read.map(\.id) == ["1", "2", "3", "4", "5"])
        #expect(read.map(\.receivedAt) == [1, 2, 3, 4, 5])
        #expect(read.last?.recordedAt == head.recordedAt)
        #expect(read.allSatisfy { $0.computedLeaf() == $0.leaf })
        #expect(read.allSatisfy { $0.personalValuesAreGenuine() == true })
        for (event, sent) in zip(read, events) {
            #expect(try await fresh.log.received(event) == sent.received)
        }
    }

    @Test("all columns come back as they went in")
    func columns() async throws {
        let fresh = try await FreshLog.make()
        let text = cloudEvent(id: "ü/1", data: #"{"account":"anna","a":"x.y.z","b":"MII\/a"}"#)
        let keys = EventKeys(
            orderNumber: [0, 255], transactionId: [1], originalTransactionId: [],
            bundleId: Array("com.example".utf8), environment: nil)
        let sent = NewEvent(
            source: "platform", id: "ü/1", type: "order.created", subject: "", time: -5,
            receivedAt: 1_700_000_000_123, actor: "key/1", keys: keys, received: text,
            personal: [try range(of: #""anna""#, in: text)],
            evidence: [
                Evidence(bytes: Array("MII/a".utf8), range: try range(of: #""MII\/a""#, in: text)),
                Evidence(bytes: Array("x.y.z".utf8), range: try range(of: #""x.y.z""#, in: text)),
                Evidence(bytes: Array("else".utf8), range: nil),
            ],
            parts: Array(#"[{"token":"t"}]"#.utf8), personalInParts: [10..<13])
        #expect(try await fresh.log.append([sent]) == [.appended(1)])
        let event = try #require(try await fresh.log.read(positions: [1, 99]).first)
        #expect(event.eventKey == sent.key)
        #expect(event.subject == "" && event.time == -5 && event.actor == "key/1")
        #expect(event.receivedAt == 1_700_000_000_123)
        #expect(event.keys == keys)
        #expect(event.evidence == sent.evidence.map { SHA256.hash($0.bytes) })
        #expect(event.parts == Array(#"[{"token":null}]"#.utf8))
        #expect(try event.readableParts() == sent.parts)
        #expect(
            try event.readableBody()
                == cloudEvent(id: "ü/1", data: #"{"account":"anna","a":null,"b":null}"#))
        #expect(try await fresh.log.received(event) == text)
        #expect(try await fresh.log.evidence(event.evidence[2]) == Array("else".utf8))
        #expect(event.computedLeaf() == event.leaf)
    }

    @Test(
        "the same event with its members in another order is a duplicate, told where the first is")
    func duplicate() async throws {
        let fresh = try await FreshLog.make()
        let first = newEvent(id: "a", data: #"{"x":1,"y":"z"}"#)
        let again = newEvent(
            id: "a",
            received: Array(
                #"""
                {"data": {"y":"z", "x":1}, "type":"order.created",
                 "source":"platform","id":"a","specversion":"1.0"}
                """#.utf8),
            receivedAt: 99_000)
        #expect(try await fresh.log.append([newEvent(id: "0"), first]).last == .appended(2))
        #expect(try await fresh.log.append([again, first]) == [.duplicate(2), .duplicate(2)])
        #expect(try await fresh.log.head().size == 2)
    }

    @Test("another value is a conflict: refused, told where the first is, and kept once")
    func conflict() async throws {
        let fresh = try await FreshLog.make()
        let first = newEvent(id: "a", data: #"{"x":1}"#)
        let other = newEvent(id: "a", data: #"{"x":2}"#)
        _ = try await fresh.log.append([first])
        #expect(try await fresh.log.append([other]) == [.conflict(first: 1, kept: 2)])
        #expect(
            try await fresh.log.append([other, first]) == [
                .conflict(first: 1, kept: 2), .duplicate(1),
            ])
        let third = newEvent(id: "a", data: #"{"x":3}"#)
        #expect(try await fresh.log.append([third]) == [.conflict(first: 1, kept: 3)])
        #expect(try await fresh.log.head().size == 3)

        let kept = try #require(try await fresh.log.read(positions: [2]).first)
        #expect(kept.source == "ingest" && kept.type == "ingest.conflicted")
        let body = try JSONValue(parsing: kept.body)
        #expect(body.at("data", "conflictsWith", "id")?.string == "a")
        #expect(body.at("data", "conflictsWith", "source")?.string == "platform")
        #expect(body.at("data", "conflictsWith", "position")?.int64 == 1)
        let received = try #require(body.at("data", "received"))
        #expect(Array(kept.body[received.range]) == other.received)
    }

    @Test("a batch may hold its own duplicates and conflicts")
    func withinBatch() async throws {
        let fresh = try await FreshLog.make()
        let one = newEvent(id: "a", data: "1")
        let two = newEvent(id: "a", data: "2")
        let outcomes = try await fresh.log.append([
            newEvent(id: "0"), one, one, two, two, newEvent(id: "b"),
        ])
        #expect(
            outcomes == [
                .appended(1), .appended(2), .duplicate(2), .conflict(first: 2, kept: 3),
                .conflict(first: 2, kept: 3), .appended(4),
            ])
        #expect(try await fresh.log.append([two]) == [.conflict(first: 2, kept: 3)])
    }

    @Test("a kept conflict holds personal values and evidence as the event did")
    func conflictWithCuts() async throws {
        let fresh = try await FreshLog.make()
        func event(_ account: String) throws -> NewEvent {
            let text = cloudEvent(id: "a", data: #"{"account":"\#(account)","jws":"x.y.z"}"#)
            var event = newEvent(id: "a", received: text)
            event.personal = [try range(of: "\"\(account)\"", in: text)]
            event.evidence = [
                Evidence(bytes: Array("x.y.z".utf8), range: try range(of: #""x.y.z""#, in: text))
            ]
            event.parts = Array(#"[{"account":"\#(account)"}]"#.utf8)
            event.personalInParts = [try range(of: "\"\(account)\"", in: event.parts)]
            return event
        }
        _ = try await fresh.log.append([event("anna")])
        let outcomes = try await fresh.log.append([event("bert"), event("carl"), event("bert")])
        #expect(
            outcomes == [
                .conflict(first: 1, kept: 2), .conflict(first: 1, kept: 3),
                .conflict(first: 1, kept: 2),
            ])
        let kept = try #require(try await fresh.log.read(positions: [2]).first)
        #expect(!String(decoding: kept.body + kept.parts, as: UTF8.self).contains("bert"))
        let whole = try #require(try await fresh.log.received(kept))
        let received = try #require(JSONValue(parsing: whole).at("data", "received"))
        #expect(Array(whole[received.range]) == (try event("bert").received))
        #expect(try kept.readableParts() == event("bert").parts)
        #expect(kept.evidence == [SHA256.hash(Array("x.y.z".utf8))])
    }

    @Test("a conflict that is no JSON is kept as evidence")
    func conflictOfBytes() async throws {
        let fresh = try await FreshLog.make()
        let bytes: [UInt8] = [255, 0, 1]
        _ = try await fresh.log.append([newEvent(id: "a")])
        let outcomes = try await fresh.log.append([newEvent(id: "a", received: bytes)])
        #expect(outcomes == [.conflict(first: 1, kept: 2)])
        let kept = try #require(try await fresh.log.read(positions: [2]).first)
        let body = try JSONValue(parsing: kept.body)
        let digest = Hexadecimal.encode(SHA256.hash(bytes))
        #expect(body.at("data", "receivedDigest")?.string == digest)
        #expect(try await fresh.log.evidence(SHA256.hash(bytes)) == bytes)
    }

    @Test("other evidence under the same key is a conflict")
    func otherEvidence() async throws {
        let fresh = try await FreshLog.make()
        func event(_ jws: String) throws -> NewEvent {
            var event = newEvent(id: "a", received: Array(#"{"signedPayload":"\#(jws)"}"#.utf8))
            event.evidence = [
                Evidence(
                    bytes: Array(jws.utf8), range: try range(of: "\"\(jws)\"", in: event.received))
            ]
            return event
        }
        _ = try await fresh.log.append([event("x.y.z")])
        #expect(try await fresh.log.append([event("x.y.z")]) == [.duplicate(1)])
        #expect(try await fresh.log.append([event("x.y.q")]) == [.conflict(first: 1, kept: 2)])
    }

    @Test("batches of any size", arguments: [0, 1, 47, 48, 999, 1_000, 1_001, 4_096, 4_097])
    func sizes(count: Int) async throws {
        try await expectBatch(of: count)
    }

    @Test("a batch of 65,536")
    func large() async throws {
        try await expectBatch(of: 65_536)
    }

    private func expectBatch(of count: Int) async throws {
        let fresh = try await FreshLog.make()
        let events = (0..<count).map { newEvent(id: "\($0)", data: "1") }
        let outcomes = try await fresh.log.append(events)
        #expect(outcomes == events.indices.map { .appended(Int64($0 + 1)) })
        #expect(try await fresh.log.head().size == Int64(count))
        let again = try await fresh.log.append(events.suffix(2_000))
        let positions = events.indices.suffix(2_000).map { AppendOutcome.duplicate(Int64($0 + 1)) }
        #expect(again == positions)
    }

    @Test("reading stops at a limit of bytes, but never before the first event")
    func readLimits() async throws {
        let fresh = try await FreshLog.make()
        let data = "\"" + String(repeating: "x", count: 1_000) + "\""
        _ = try await fresh.log.append((1...10).map { newEvent(id: "\($0)", data: data) })
        #expect(try await fresh.log.read(after: 2, limit: 3).map(\.position) == [3, 4, 5])
        #expect(try await fresh.log.read(after: 2, limit: 9, bytesMax: 1).map(\.position) == [3])
        let some = try await fresh.log.read(after: 2, limit: 9, bytesMax: 2_500)
        #expect(some.map(\.position) == [3, 4, 5])
        #expect(try await fresh.log.read(after: 10, limit: 5).isEmpty)
        #expect(try await fresh.log.read(positions: []).isEmpty)
    }

    @Test("events are found by type, by key, and counted")
    func finding() async throws {
        let fresh = try await FreshLog.make()
        let types = ["a", "b", "a", "c", "a"]
        let events = types.enumerated().map { newEvent(id: "\($0)", type: $1) }
        _ = try await fresh.log.append(events)
        let found = try await fresh.log.read(types: ["a", "c"], after: 1, limit: 2)
        #expect(found.map(\.position) == [3, 4])
        let unknown = EventKey(source: "x", id: "y")
        let positions = try await fresh.log.positions(eventKeys: [events[2].key, unknown])
        #expect(positions == [events[2].key: 3])
        let counts = try await fresh.log.countByType().map { "\($0.type) \($0.count)" }
        #expect(counts == ["a 3", "b 1", "c 1"])
    }

    @Test("an event that the log cannot hold is refused with its place and its reason")
    func invalid() async throws {
        let fresh = try await FreshLog.make()
        func refusal(_ change: (inout NewEvent) -> Void) async -> EventLogError? {
            var event = newEvent(id: "1")
            change(&event)
            do {
                _ = try await fresh.log.append([newEvent(id: "0"), event])
                return nil
            } catch {
                return error as? EventLogError
            }
        }
        #expect(await refusal { $0.source = "" } == .invalidEvent(index: 1, .badSource))
        #expect(await refusal { $0.id = "a\0" } == .invalidEvent(index: 1, .badId))
        #expect(
            await refusal { $0.type = String(repeating: "t", count: 256) }
                == .invalidEvent(index: 1, .badType))
        #expect(await refusal { $0.subject = "\0" } == .invalidEvent(index: 1, .badSubject))
        #expect(await refusal { $0.receivedAt = .max } == .invalidEvent(index: 1, .badInstant))
        #expect(await refusal { $0.time = .min } == .invalidEvent(index: 1, .badInstant))
        #expect(
            await refusal { $0.personal = [0..<9, 3..<4] }
                == .invalidEvent(index: 1, .overlappingRanges))
        #expect(
            await refusal { $0.received = [UInt8](repeating: 32, count: 32 << 20 + 1) }
                == .invalidEvent(index: 1, .tooLarge))
        #expect(try await fresh.log.head().size == 0)
    }
}
