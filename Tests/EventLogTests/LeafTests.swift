import Cryptography
import Foundation
import JSON
import Testing

@testable import EventLog

@Suite("The leaf of an event")
struct LeafTests {
    /// The vectors of schema/leaf-encoding.md, which were computed by another program.
    private static func vectors() throws -> [JSONValue] {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appending(path: "schema/leaf-encoding.md"), encoding: .utf8)
        let start = try #require(page.range(of: "```json\n"))
        let end = try #require(page.range(of: "```", range: start.upperBound..<page.endIndex))
        let block = page[start.upperBound..<end.lowerBound]
        return try #require(JSONValue(parsing: Array(block.utf8)).array)
    }

    @Test("the vectors of the specification hold")
    func vectors() throws {
        let vectors = try Self.vectors()
        #expect(vectors.count >= 3)
        for vector in vectors {
            let name = try #require(vector["name"]?.string)
            let columns = try columns(vector)
            let leaf = LeafEncoding(columns).leaf(
                position: try #require(vector["position"]?.int64),
                recordedAt: try #require(vector["recordedAt"]?.int64))
            #expect(leaf == bytes(vector, "leaf"), "\(name)")
            #expect(columns.eventKey.bytes == bytes(vector, "eventKey"), "\(name)")
            let personal = try #require(bytes(vector, "personal"))
            let salt = try #require(bytes(vector, "personalSalt"))
            #expect(SHA256.hash(salt + personal) == columns.personalDigest, "\(name)")
            #expect(PersonalValues(encoded: personal)?.encoded == personal, "\(name)")
        }
    }

    @Test("every column changes the leaf")
    func everyColumn() throws {
        let vector = try #require(try Self.vectors().first { $0["name"]?.string == "everything" })
        let original = try columns(vector)
        let changes: [(inout EventColumns) -> Void] = [
            { $0.eventKey = EventKey(source: "x", id: "y") }, { $0.source += "x" },
            { $0.id += "x" }, { $0.type += "x" }, { $0.subject = nil }, { $0.subject = "" },
            { $0.time = nil }, { $0.time = 5 }, { $0.receivedAt += 1 }, { $0.actor = nil },
            { $0.keys.orderNumber = nil }, { $0.keys.transactionId = nil },
            { $0.keys.originalTransactionId = nil }, { $0.keys.bundleId = nil },
            { $0.keys.environment = nil }, { $0.evidence = [] }, { $0.places = [.nowhere] },
            { $0.body += [32] }, { $0.parts += [32] }, { $0.personalDigest[0] ^= 1 },
        ]
        var leaves = changes.map { change in
            var columns = original
            change(&columns)
            return LeafEncoding(columns).leaf(position: 7, recordedAt: 8)
        }
        leaves.append(LeafEncoding(original).leaf(position: 7, recordedAt: 8))
        leaves.append(LeafEncoding(original).leaf(position: 8, recordedAt: 8))
        leaves.append(LeafEncoding(original).leaf(position: 7, recordedAt: 9))
        #expect(Set(leaves).count == changes.count + 3)
    }

    private func columns(_ vector: JSONValue) throws -> EventColumns {
        let source = try #require(vector["source"]?.string)
        let id = try #require(vector["id"]?.string)
        let digests = vector["evidence"]?.array?.compactMap { $0.string }
        let places = vector["evidencePlaces"]?.array?.compactMap(\.int64)
        return EventColumns(
            eventKey: EventKey(source: source, id: id), source: source, id: id,
            type: try #require(vector["type"]?.string), subject: vector["subject"]?.string,
            time: vector["time"]?.int64, receivedAt: try #require(vector["receivedAt"]?.int64),
            actor: vector["actor"]?.string,
            keys: EventKeys(
                orderNumber: bytes(vector, "orderNumber"),
                transactionId: bytes(vector, "transactionId"),
                originalTransactionId: bytes(vector, "originalTransactionId"),
                bundleId: bytes(vector, "bundleId"), environment: bytes(vector, "environment")),
            evidence: try #require(digests).compactMap(Hexadecimal.decode),
            places: try #require(places).map { EvidencePlace(number: Int32($0)) },
            body: try #require(bytes(vector, "body")), parts: try #require(bytes(vector, "parts")),
            personalDigest: try #require(bytes(vector, "personalDigest")))
    }

    private func bytes(_ vector: JSONValue, _ name: String) -> [UInt8]? {
        vector[name]?.string.flatMap(Hexadecimal.decode)
    }
}
