internal import Cryptography

/// The immutable columns of a row but for its position and the instant of its recording.
struct EventColumns: Sendable, Equatable {
    var eventKey: EventKey
    var source: String
    var id: String
    var type: String
    var subject: String?
    var time: Int64?
    var receivedAt: Int64
    var actor: String?
    var keys: EventKeys
    /// SHA-256 of each piece of evidence, in the order of the event's list.
    var evidence: [[UInt8]]
    var places: [EvidencePlace]
    var body: [UInt8]
    var parts: [UInt8]
    var personalDigest: [UInt8]
}

/// The immutable columns of a row, as the leaf of the log's tree covers them.
///
/// schema/leaf-encoding.md is the specification. Position and instant of recording come last: what
/// stands before them is known before the log's head is locked.
struct LeafEncoding: Sendable {
    private static let leafPrefix: UInt8 = 0
    private static let version: UInt8 = 1

    /// All that stands before the position, hashed once: under the lock little is left to do.
    private let fields: SHA256

    init(_ columns: EventColumns) {
        var fields: [UInt8] = [Self.leafPrefix, Self.version]
        fields.reserveCapacity(columns.body.count + columns.parts.count + 512)
        fields.append(field: columns.eventKey.bytes)
        fields.append(field: columns.source.utf8)
        fields.append(field: columns.id.utf8)
        fields.append(field: columns.type.utf8)
        fields.append(field: columns.subject?.utf8)
        fields.append(field: columns.time.map(Self.bytes))
        fields.append(field: Self.bytes(columns.receivedAt))
        fields.append(field: columns.actor?.utf8)
        fields.append(field: columns.keys.orderNumber)
        fields.append(field: columns.keys.transactionId)
        fields.append(field: columns.keys.originalTransactionId)
        fields.append(field: columns.keys.bundleId)
        fields.append(field: columns.keys.environment)
        fields.append(field: columns.evidence.joined())
        fields.append(field: columns.places.flatMap { Self.bytes($0.number) })
        fields.append(field: columns.body)
        fields.append(field: columns.parts)
        fields.append(field: columns.personalDigest)
        var hash = SHA256()
        hash.update(fields)
        self.fields = hash
    }

    /// The leaf: 32 bytes.
    func leaf(position: Int64, recordedAt: Int64) -> [UInt8] {
        var last: [UInt8] = []
        last.append(field: Self.bytes(position))
        last.append(field: Self.bytes(recordedAt))
        var hash = fields
        hash.update(last)
        return hash.digest()
    }

    private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        var result: [UInt8] = []
        result.append(bigEndian: value)
        return result
    }
}
