import EventLog
import Intake
import JSON
import TestKit
import Testing

@Suite("The door checks the form of events")
struct DoorTests {
    @Test("each known type is accepted as it came", arguments: KnownEvents.all)
    func known(row: KnownEvents.Row) throws {
        for text in [row.least, row.whole] {
            let event = try World.door().accept(text)
            #expect(event.type == row.type && event.source == "platform" && event.id == "1")
            #expect(event.received == text.bytes)
            #expect(event.keys.bundleId.text == TestApple.bundle)
        }
    }

    @Test("a member that must be there is named when it is missing", arguments: KnownEvents.all)
    func missing(row: KnownEvents.Row) throws {
        let alternatives: Set = row.type.hasPrefix("delivery.") ? ["orderNumber"] : Set<String>()
        let isFree = row.type == "policy.changed"
        for name in row.required.map(\.name) where !alternatives.contains(name) && !isFree {
            for text in [
                row.least.without(name), row.least.with(name, ""),
                row.least.with(name, JSONValue(.null)),
                row.least.with(name, JSONValue(.object([]))),
            ] {
                let refusal = try World.door().refusal(of: text)
                #expect(refusal.reason == "malformed")
                #expect(refusal.detail == "data.\(name) is missing")
                #expect(refusal.bytes == text.bytes)
            }
        }
    }

    @Test("a delivery names an order or a transaction")
    func delivery() throws {
        let row = try #require(KnownEvents.delivery.first)
        let refusal = try World.door().refusal(of: row.least.without("orderNumber"))
        #expect(refusal.detail == "one of data.orderNumber and data.transactionId must be there")
        let byTransaction = row.least.without("orderNumber").with("transactionId", 7)
        #expect(try World.door().accept(byTransaction).keys.transactionId.text == "7")
    }

    @Test("an identifier that must be there and that nothing could hold is refused")
    func longIdentifiers() throws {
        let row = try #require(KnownEvents.delivery.first)
        let longest = row.least.with("deliveryId", String(repeating: "d", count: 512))
        #expect(try World.door().accept(longest).received == longest.bytes)
        for name in ["deliveryId", "orderNumber", "bundleId"] {
            let text = row.least.with(name, String(repeating: "d", count: 513))
            let refusal = try World.door().refusal(of: text)
            #expect(refusal.detail == "data.\(name) is longer than 512 bytes")
        }
    }

    @Test("types that nobody checks are kept as they came", arguments: KnownEvents.unchecked)
    func unchecked(type: String) throws {
        let text = EventText(type, ["anything": ["a"], "bundleId": TestApple.bundle])
        let event = try World.door().accept(text)
        #expect(event.type == type && event.received == text.bytes)
        let bare = Array(
            #"{"specversion":"1.0","id":"1","source":"s","type":"\#(type)"}"#.utf8)
        #expect(try World.door().accept(bare).received == bare)
    }

    @Test(
        "data of a known type is an object",
        arguments: [
            "", #","data":null"#, #","data":[]"#, #","data":"text""#, #","data_base64":"e30=""#,
        ])
    func noData(rest: String) throws {
        let text =
            #"{"specversion":"1.0","id":"1","source":"s","type":"order.created"\#(rest)}"#
        let refusal = try World.door().refusal(of: Array(text.utf8))
        #expect(refusal.detail == "data is not an object")
    }

    @Test(
        "an envelope that is not of CloudEvents 1.0 is refused, its attribute named",
        arguments: [
            ("specversion", #""0.3""#), ("specversion", "1"), ("id", #""""#), ("id", "7"),
            ("source", "null"), ("source", #""\u0000""#), ("type", #""a\nb""#),
            ("type", "[]"), ("subject", #""""#), ("recordedtime", #""yesterday""#),
            ("recordedtime", "1773489600000"),
        ])
    func envelope(attribute: String, value: String) throws {
        let good = [
            "specversion": #""1.0""#, "id": #""1""#, "source": #""s""#, "type": #""t""#,
        ]
        let members = good.merging([attribute: value]) { $1 }
            .map { #""\#($0.key)":\#($0.value)"# }
        let text = "{" + members.joined(separator: ",") + "}"
        let refusal = try World.door().refusal(of: Array(text.utf8))
        #expect(refusal.reason == "malformed")
        #expect(refusal.detail?.contains(attribute) == true)
    }

    @Test(
        "what the log could not hold is refused with its reason, not later as a failure",
        arguments: [
            ("type", #""\#(String(repeating: "t", count: 256))""#),
            ("id", #""\#(String(repeating: "i", count: 1_025))""#),
            ("subject", #""\#(String(repeating: "s", count: 1_025))""#),
            ("recordedtime", #""0000-01-01T00:00:00Z""#),
            ("time", #""0000-01-01T00:00:00Z""#),
        ])
    func beyondLimits(attribute: String, value: String) throws {
        let good = [
            "specversion": #""1.0""#, "id": #""1""#, "source": #""s""#, "type": #""t""#,
        ]
        let members = good.merging([attribute: value]) { $1 }
            .map { #""\#($0.key)":\#($0.value)"# }
        let text = "{" + members.joined(separator: ",") + "}"
        #expect(try World.door().refusal(of: Array(text.utf8)).reason == "malformed")
    }

    @Test(
        "sources and types of the service's own are refused",
        arguments: [
            ("apple", "order.created"), ("refused", "order.created"), ("ingest", "order.created"),
            ("platform", "evidence.refused"), ("platform", "evidence.reverified"),
            ("platform", "ingest.conflicted"), ("platform", "subject.erased"),
            ("platform", "admin.acted"), ("platform", "finding.opened"),
            ("platform", "finding.closed"), ("platform", "reconciliation.completed"),
            ("platform", "apple.synchronised"), ("platform", "import.completed"),
        ])
    func reserved(source: String, type: String) throws {
        let text = EventText(
            type, source: source,
            ["bundleId": TestApple.bundle, "orderNumber": "A-1", "productId": "gems.60"])
        let refusal = try World.door().refusal(of: text)
        #expect(refusal.detail == "source and type of this event are the service's own")
    }

    @Test("receivedAt is the event's recordedtime, else the door's; time is the producer's")
    func clocks() throws {
        var text = EventText("order.cancelled", ["bundleId": "b", "orderNumber": "1"])
        text.attributes = [JSONMember("time", "2026-03-14T12:00:00.250+01:00".json)]
        let stamped = try World.door().accept(text)
        #expect(stamped.receivedAt == World.receivedAt)
        #expect(stamped.time == TestApple.noon - 3_600_000 + 250)
        text.receivedAt = TestApple.noon - 5
        #expect(try World.door().accept(text).receivedAt == TestApple.noon - 5)
        text.attributes = [JSONMember("time", "noon".json)]
        #expect(try World.door().accept(text).time == nil)
    }

    @Test("the keys are what the event names; placeholders are no order numbers")
    func keys() throws {
        var text = EventText(
            "storekit.purchased",
            [
                "bundleId": TestApple.bundle, "environment": "Sandbox", "productId": "p",
                "applicationUsername": "6F9619FF-8B86-D011-B42D-00C04FC964FF",
                "transactionId": 12_345_678_901_234_567, "originalTransactionId": "9",
            ])
        let keys = try World.door().accept(text).keys
        #expect(keys.orderNumber.text == "6f9619ff-8b86-d011-b42d-00c04fc964ff")
        #expect(keys.transactionId.text == "12345678901234567")
        #expect(keys.originalTransactionId.text == "9")
        #expect(keys.environment.text == "Sandbox")
        for placeholder in ["", " ", "(null)", "nil", "苹果返回透传参数为nil"] {
            text = text.with("applicationUsername", placeholder)
            #expect(try World.door().accept(text).keys.orderNumber == nil)
        }
    }

    @Test("of a JSON array each element is accepted or refused by itself")
    func batch() throws {
        let one = EventText("order.cancelled", id: "1", ["bundleId": "b", "orderNumber": "1"])
        let two = EventText("order.cancelled", id: "2", ["bundleId": "b"])
        let door = try World.door()
        let incoming = Door.things(in: Array("[\(one.text), \(two.text)]".utf8)).map(door.read)
        try #require(incoming.count == 2)
        guard case .event(let event, _) = incoming[0], case .refused(let refusal) = incoming[1]
        else { throw Unexpected(what: "the second is to be refused") }
        #expect(event.received == one.bytes && refusal.bytes == two.bytes)
    }
}
