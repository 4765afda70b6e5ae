internal import Cryptography
internal import JSON

/// What is kept of an event whose key is taken by another: an event `ingest.conflicted` that holds
/// it wholly.
enum ConflictEvent {
    static let source = "ingest"
    static let type = "ingest.conflicted"

    /// - Parameters:
    ///   - event: what came.
    ///   - id: a name for what it says, so that the same conflict is kept once.
    ///   - first: where the event stands that has the key.
    ///   - firstIsErased: erased members are not stored again, so this one's are left out.
    static func make(
        of prepared: PreparedEvent, id: String, first: Int64, firstIsErased: Bool
    ) throws(InvalidEvent) -> PreparedEvent {
        let event = firstIsErased ? try withoutPersonalValues(prepared) : prepared.event
        let isJSON =
            (try? JSONValue(parsing: event.received, limits: RecordedEvent.jsonLimits)) != nil
        let (before, after) = envelope(of: event, id: id, first: first, isJSON: isJSON)
        var conflict = event
        conflict.source = source
        conflict.id = id
        conflict.type = type
        if isJSON {
            conflict.received = before + event.received + after
            conflict.personal = event.personal.map { shift($0, by: before.count) }
            conflict.evidence = event.evidence.map {
                Evidence(bytes: $0.bytes, range: $0.range.map { shift($0, by: before.count) })
            }
        } else {
            conflict.received = before + after
            conflict.personal = []
            conflict.evidence = event.evidence.map { Evidence(bytes: $0.bytes, range: nil) }
            if !firstIsErased, !event.evidence.contains(where: { $0.bytes == event.received }) {
                conflict.evidence.append(Evidence(bytes: event.received, range: nil))
            }
        }
        return try PreparedEvent(unchecked: conflict)
    }

    /// The text before and after what came. Other than JSON cannot stand within JSON: its digest
    /// stands there and its bytes are evidence.
    private static func envelope(of event: NewEvent, id: String, first: Int64, isJSON: Bool)
        -> (before: [UInt8], after: [UInt8])
    {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("specversion", "1.0")
            writer.member("id", id)
            writer.member("source", source)
            writer.member("type", type)
            writer.name("data")
            writer.object { writer in
                writer.name("conflictsWith")
                writer.object { writer in
                    writer.member("source", event.source)
                    writer.member("id", event.id)
                    writer.member("position", first)
                }
                if !isJSON {
                    writer.member(
                        "receivedDigest", Hexadecimal.encode(SHA256.hash(event.received)))
                }
                writer.name("received")
                writer.null()
            }
        }
        let suffix = Array("}}".utf8)
        let prefix = Array(writer.bytes.dropLast(suffix.count + (isJSON ? 4 : 0)))
        return (prefix, suffix)
    }

    private static func shift(_ range: Range<Int>, by count: Int) -> Range<Int> {
        range.lowerBound + count..<range.upperBound + count
    }

    /// The event as if its personal values had come as `null`.
    private static func withoutPersonalValues(_ prepared: PreparedEvent) throws(InvalidEvent)
        -> NewEvent
    {
        var event = prepared.event
        event.parts = prepared.columns.parts
        event.personal = []
        event.personalInParts = []
        let pieces = prepared.evidencePieces
        let values = pieces.map { (offset: $0.offset, bytes: $0.text) }
        guard let joined = Join.joinWithRanges(prepared.columns.body, values) else {
            throw .badRange
        }
        event.received = joined.text
        for index in event.evidence.indices { event.evidence[index].range = nil }
        for (piece, range) in zip(pieces, joined.ranges) {
            event.evidence[piece.index].range = range
        }
        return event
    }
}
