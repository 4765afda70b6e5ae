import JSON
import PostgreSQL
import TestKit
import Testing

@testable import EventLog

/// A statement of a test.
func sql(_ text: String) -> Statement { Statement(name: "test", sql: text) }

/// The text of a CloudEvent, its members in this order.
func cloudEvent(
    id: String, source: String = "platform", type: String = "order.created",
    data: String = #"{"orderNumber":"7"}"#
) -> [UInt8] {
    let envelope = #"{"specversion":"1.0","id":"\#(id)","source":"\#(source)","type":"\#(type)""#
    return Array((envelope + #","data":\#(data)}"#).utf8)
}

/// An event as a door would hand it over.
func newEvent(
    id: String, source: String = "platform", type: String = "order.created",
    data: String = #"{"orderNumber":"7"}"#, received: [UInt8]? = nil, receivedAt: Int64 = 1_000
) -> NewEvent {
    NewEvent(
        source: source, id: id, type: type, receivedAt: receivedAt,
        received: received ?? cloudEvent(id: id, source: source, type: type, data: data))
}

/// Where a text stands in the bytes.
func range(of text: String, in bytes: [UInt8]) throws -> Range<Int> {
    let needle = Array(text.utf8)
    let start = try #require(
        bytes.indices.first { bytes[$0...].starts(with: needle) }, "\(text) is not in the bytes")
    return start..<start + needle.count
}

extension Connection {
    /// The only value of the only row.
    func scalar<T: RowValue>(
        _ text: String, _ parameters: [Parameter] = [], as type: T.Type = T.self
    ) throws -> T {
        let rows = try query(sql(text), parameters)
        let row = try #require(rows.first)
        return try row.value(at: 0)
    }
}

/// Adds the leaves of rows that a test wrote itself, within its transaction.
func growTree(on connection: isolated Connection) throws {
    let head = try HeadLock.take(isDurable: false, on: connection)
    if head.edge.size == head.size { return }
    var tree = TreeWriter(head.edge)
    let rows = try connection.query(.logLeaves, [.int64(head.edge.size), .int64(head.size)])
    for row in rows { tree.append(try row.value(at: 0)) }
    try tree.write(tellingOn: nil, on: connection)
}

/// The code of the error that `body` throws.
func codeThrown(_ body: () async throws -> Void) async -> PostgreSQLError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? PostgreSQLError)?.code
    }
}

/// What the log's triggers raise.
let restricted = PostgreSQLError.Code(rawValue: "23001")

/// A generator of random numbers that repeats itself for a seed.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &+ 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
