internal import Cryptography
public import JSON

/// An event as the log holds it.
public struct RecordedEvent: Sendable {
    /// The bounds within which a body or parts of the log are read: wider than a door's, because a
    /// kept conflict holds another event.
    public static let jsonLimits = JSONLimits(
        bytesMax: 64 << 20, depthMax: 128, valuesMax: 4_000_000)

    /// Its place in the log, from 1, without gaps.
    public let position: Int64
    /// When it was recorded, in milliseconds since 1970 UTC; never less than its predecessor's.
    public let recordedAt: Int64
    /// SHA-256 over the encoding of its immutable columns (schema/leaf-encoding.md).
    public let leaf: [UInt8]
    let columns: EventColumns
    let personal: PersonalValues?
    let personalBytes: [UInt8]?
    let salt: [UInt8]?

    /// What makes it the same event for ever.
    public var eventKey: EventKey { columns.eventKey }
    /// Who said it.
    public var source: String { columns.source }
    /// Unique within the source.
    public var id: String { columns.id }
    /// What kind of event it is.
    public var type: String { columns.type }
    /// What it is about, if the producer says so.
    public var subject: String? { columns.subject }
    /// The producer's own time, in milliseconds since 1970 UTC.
    public var time: Int64? { columns.time }
    /// When the first door of ours received it, in milliseconds since 1970 UTC.
    public var receivedAt: Int64 { columns.receivedAt }
    /// Which key or person of ours brought it in.
    public var actor: String? { columns.actor }
    /// The first of each key that it names.
    public var keys: EventKeys { columns.keys }
    /// The SHA-256 of each piece of evidence.
    public var evidence: [[UInt8]] { columns.evidence }
    /// What came, with `null` for every personal value and every piece of evidence cut out.
    public var body: [UInt8] { columns.body }
    /// The judged signed parts, a JSON array, with `null` for every personal value.
    public var parts: [UInt8] { columns.parts }
    /// SHA-256 over the salt and the personal values; stays when they are erased.
    public var personalDigest: [UInt8] { columns.personalDigest }

    /// Whether the personal values were erased. An event that had none is never erased.
    public var isErased: Bool { personalBytes == nil }

    /// What came, with the personal values in their places and evidence left `null`; an erased
    /// event gives its body.
    /// - Throws: `EventLogError.damaged`.
    public func readableBody() throws(EventLogError) -> [UInt8] {
        try join(body, personal?.values(in: .body) ?? [])
    }

    /// The judged parts with the personal values in their places.
    /// - Throws: `EventLogError.damaged`.
    public func readableParts() throws(EventLogError) -> [UInt8] {
        try join(parts, personal?.values(in: .parts) ?? [])
    }

    /// The bytes as they came; `nil` if something of them was erased or `evidence` lacks a piece.
    /// - Parameter evidence: the bytes of each piece under its SHA-256.
    /// - Throws: `EventLogError.damaged`.
    public func received(evidence: [[UInt8]: [UInt8]]) throws(EventLogError) -> [UInt8]? {
        guard !isErased else { return nil }
        return try comparableText(evidence: evidence)
    }

    /// As `received(evidence:)`; an erased event gives its text with `null` for its personal
    /// values.
    func comparableText(evidence: [[UInt8]: [UInt8]]) throws(EventLogError) -> [UInt8]? {
        var values = personal?.values(in: .body) ?? []
        for (digest, place) in zip(self.evidence, columns.places) {
            guard let (offset, spelling) = place.place else { continue }
            guard let bytes = evidence[digest] else { return nil }
            values.append((offset, EvidencePlace.spell(bytes, spelling)))
        }
        return try join(body, values)
    }

    /// The leaf computed anew from the columns; differs from `leaf` only if a row was tampered
    /// with.
    public func computedLeaf() -> [UInt8] {
        LeafEncoding(columns).leaf(position: position, recordedAt: recordedAt)
    }

    /// Whether the personal values are those that the digest covers; `nil` if they were erased.
    public func personalValuesAreGenuine() -> Bool? {
        guard let salt, let personalBytes else { return nil }
        return SHA256.hash(salt + personalBytes) == personalDigest
    }

    private func join(_ text: [UInt8], _ values: [(offset: Int, bytes: [UInt8])])
        throws(EventLogError) -> [UInt8]
    {
        guard let result = Join.join(text, values) else {
            throw .damaged(position: position, "a cut value has no place")
        }
        return result
    }
}
