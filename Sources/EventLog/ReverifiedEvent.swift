internal import Cryptography
internal import JSON
internal import PostgreSQL

/// What the log says of evidence that it holds and that was judged anew: an event that repeats what
/// came with the evidence, so that it means by itself what the first meant with another judgement.
public enum ReverifiedEvent {
    /// The `source` that only the service uses for it.
    public static let source = "reverified"
    /// The `type`.
    public static let type = "evidence.reverified"

    /// The key of the n-th time, from 1, that evidence of an event was judged anew.
    public static func key(of event: RecordedEvent, number: Int) -> EventKey {
        EventKey(source: source, id: id(of: event, number: number))
    }

    /// - Parameters:
    ///   - number: the n-th time, from 1.
    ///   - evidence: the material, which the log holds already.
    ///   - parts: the new judgements, a JSON array.
    ///   - personalInParts: where in `parts` the values of personal members stand.
    ///   - keys: those of the event, and what the new judgements name beside them.
    ///   - judgedAt: milliseconds since 1970 UTC.
    /// - Throws: `EventLogError.damaged`.
    public static func make(
        of event: RecordedEvent, number: Int, evidence: [[UInt8]], parts: [UInt8],
        personalInParts: [Range<Int>], keys: EventKeys, judgedAt: Int64, actor: String?
    ) throws(EventLogError) -> NewEvent {
        let values = event.personal?.values(in: .body) ?? []
        guard let joined = Join.joinWithRanges(event.body, values) else {
            throw .damaged(position: event.position, "a cut value has no place")
        }
        let (before, after) = envelope(of: event, id: id(of: event, number: number))
        return NewEvent(
            source: source, id: id(of: event, number: number), type: type, receivedAt: judgedAt,
            actor: actor, keys: keys, received: before + joined.text + after,
            personal: joined.ranges.map {
                $0.lowerBound + before.count..<$0.upperBound + before.count
            },
            evidence: evidence.map { Evidence(bytes: $0, range: nil) }, parts: parts,
            personalInParts: personalInParts)
    }

    private static func id(of event: RecordedEvent, number: Int) -> String {
        "\(Hexadecimal.encode(event.eventKey.bytes))/\(number)"
    }

    /// The text before and after what came first.
    private static func envelope(of event: RecordedEvent, id: String)
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
                writer.name("of")
                writer.object { writer in
                    writer.member("source", event.source)
                    writer.member("id", event.id)
                    writer.member("type", event.type)
                    writer.member("receivedAt", event.receivedAt)
                }
                writer.name("received")
                writer.null()
            }
        }
        let suffix = Array("}}".utf8)
        return (Array(writer.bytes.dropLast(suffix.count + 4)), suffix)
    }
}

extension EventLog {
    /// The events after a position that carry evidence of which some part may have been refused, in
    /// the log's order. Reads the whole log.
    /// - Parameter limit: 1 to 1,000.
    public func readRefused(after position: Int64, limit: Int) async throws -> [RecordedEvent] {
        let limit = Int64(min(max(limit, 1), 1_000))
        return try await pool.withConnection { connection in
            try connection.query(.logReadRefused, [.int64(position), .int64(limit)])
                .map(RecordedEvent.init(row:))
        }
    }
}
