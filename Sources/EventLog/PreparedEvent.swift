internal import Cryptography

/// A new event, checked and split, with everything that is known before its position.
///
/// An object, since it never changes and goes through many hands.
final class PreparedEvent: Sendable {
    let columns: EventColumns
    /// The encoded personal values.
    let personal: PersonalValues
    /// 32 random bytes, made once for a call: by them a row is known as this call's own.
    let salt: [UInt8]
    /// As it came.
    let event: NewEvent
    let leafEncoding: LeafEncoding

    var key: EventKey { columns.eventKey }

    /// How many bytes of the database it fills, roughly.
    var byteCount: Int {
        event.received.count + event.parts.count + 512
            + event.evidence.reduce(0) { $0 + $1.bytes.count }
    }

    /// An event that a door hands over.
    convenience init(_ event: NewEvent) throws(InvalidEvent) {
        try event.check()
        try self.init(unchecked: event)
    }

    /// An event of the log's own, which may be larger by what it says about another.
    init(unchecked event: NewEvent, salt: [UInt8] = SecureRandom.bytes(32)) throws(InvalidEvent) {
        let split = try Split(event)
        columns = EventColumns(
            eventKey: event.key, source: event.source, id: event.id, type: event.type,
            subject: event.subject, time: event.time, receivedAt: event.receivedAt,
            actor: event.actor, keys: event.keys,
            evidence: event.evidence.map { SHA256.hash($0.bytes) }, places: split.places,
            body: split.body, parts: split.parts,
            personalDigest: SHA256.hash(salt + split.personal.encoded))
        personal = split.personal
        self.salt = salt
        self.event = event
        leafEncoding = LeafEncoding(columns)
    }

    /// What was cut out of the body as evidence: where its `null` stands and how it was written.
    var evidencePieces: [(index: Int, offset: Int, text: [UInt8])] {
        columns.places.indices.compactMap { index in
            columns.places[index].place.map { offset, spelling in
                (index, offset, EvidencePlace.spell(event.evidence[index].bytes, spelling))
            }
        }
    }

    /// The body with the evidence in its place and the personal values left `null`.
    var textWithoutPersonalValues: [UInt8] {
        Join.join(columns.body, evidencePieces.map { ($0.offset, $0.text) }) ?? columns.body
    }
}

/// New events, checked and split, with all that can be computed before their positions are known:
/// what many tasks can do at once, while others wait for the log.
public struct PreparedBatch: Sendable {
    /// How many events one transaction takes.
    public static let eventsMax = EventLog.Group.eventsMax
    /// How many bytes they should have together.
    public static let bytesMax = EventLog.Group.bytesMax

    let events: [PreparedEvent]
    /// How many bytes of the database they fill, roughly.
    public let byteCount: Int

    /// - Throws: `EventLogError.invalidEvent`.
    public init(_ events: [NewEvent]) throws(EventLogError) {
        self.events = try EventLog.prepare(events)
        byteCount = self.events.reduce(0) { $0 + $1.byteCount }
    }

    /// How many events there are.
    public var count: Int { events.count }
}
