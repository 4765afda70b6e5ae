/// An event on its way into the log: what came in, and what of it is personal or evidence.
public struct NewEvent: Sendable {
    /// Who says it; set or checked by the door, never free. 1 to 1,024 bytes, no U+0000.
    public var source: String
    /// Unique for ever within the source. 1 to 1,024 bytes, no U+0000, nothing personal.
    public var id: String
    /// 1 to 255 bytes, no U+0000.
    public var type: String
    /// At most 1,024 bytes, no U+0000, nothing personal.
    public var subject: String?
    /// The producer's own time, in milliseconds since 1970 UTC; years 1 to 9999.
    public var time: Int64?
    /// When the first door of ours received it, in milliseconds since 1970 UTC; years 1 to 9999.
    public var receivedAt: Int64
    /// Which key or person of ours brought it in. At most 1,024 bytes, no U+0000.
    public var actor: String?
    /// The first of each key that it names.
    public var keys: EventKeys
    /// The bytes as they came; at most `EventLimits.receivedBytesMax`.
    public var received: [UInt8]
    /// Where in `received` the values of personal members stand. No two may overlap.
    public var personal: [Range<Int>]
    /// Signed material that came with it.
    public var evidence: [Evidence]
    /// The judged signed parts, a JSON array.
    public var parts: [UInt8]
    /// Where in `parts` the values of personal members stand. No two may overlap.
    public var personalInParts: [Range<Int>]

    /// Nothing is checked here; `append` does.
    public init(
        source: String, id: String, type: String, subject: String? = nil, time: Int64? = nil,
        receivedAt: Int64, actor: String? = nil, keys: EventKeys = EventKeys(),
        received: [UInt8], personal: [Range<Int>] = [], evidence: [Evidence] = [],
        parts: [UInt8] = Array("[]".utf8), personalInParts: [Range<Int>] = []
    ) {
        self.source = source
        self.id = id
        self.type = type
        self.subject = subject
        self.time = time
        self.receivedAt = receivedAt
        self.actor = actor
        self.keys = keys
        self.received = received
        self.personal = personal
        self.evidence = evidence
        self.parts = parts
        self.personalInParts = personalInParts
    }

    /// The key under which the log knows it.
    public var key: EventKey { EventKey(source: source, id: id) }
}

extension NewEvent {
    /// Whether the log can hold it, as far as its size and its columns tell: what `append` would
    /// refuse is better refused by the door, which knows the line it came from.
    public func check() throws(InvalidEvent) {
        guard Self.isText(source, 1...1_024) else { throw .badSource }
        guard Self.isText(id, 1...1_024) else { throw .badId }
        guard Self.isText(type, 1...255) else { throw .badType }
        guard Self.isText(subject ?? "", 0...1_024) else { throw .badSubject }
        guard Self.isText(actor ?? "", 0...1_024) else { throw .badActor }
        guard received.count <= EventLimits.receivedBytesMax,
            parts.count <= EventLimits.partsBytesMax,
            evidence.count <= EventLimits.evidenceMax,
            personal.count + personalInParts.count <= EventLimits.personalMax
        else { throw .tooLarge }
        guard EventLimits.instants.contains(receivedAt),
            time.map(EventLimits.instants.contains) ?? true
        else { throw .badInstant }
    }

    /// PostgreSQL's text holds no U+0000.
    private static func isText(_ text: String, _ byteCounts: ClosedRange<Int>) -> Bool {
        byteCounts.contains(text.utf8.count) && !text.utf8.contains(0)
    }
}

/// The first of each key that an event names, as the bytes of its text.
public struct EventKeys: Sendable, Equatable {
    /// The platform's number.
    public var orderNumber: [UInt8]?
    /// Apple's `transactionId`.
    public var transactionId: [UInt8]?
    /// Apple's `originalTransactionId`.
    public var originalTransactionId: [UInt8]?
    /// Apple's `bundleId`.
    public var bundleId: [UInt8]?
    /// Apple's `environment`.
    public var environment: [UInt8]?

    /// Keys that the event does not name are `nil`.
    public init(
        orderNumber: [UInt8]? = nil, transactionId: [UInt8]? = nil,
        originalTransactionId: [UInt8]? = nil, bundleId: [UInt8]? = nil,
        environment: [UInt8]? = nil
    ) {
        self.orderNumber = orderNumber
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.bundleId = bundleId
        self.environment = environment
    }
}

/// Signed material that came with an event: stored once, byte for byte, under its SHA-256.
public struct Evidence: Sendable, Equatable {
    /// The material itself: the JSON string's value, without quotes and escapes.
    public var bytes: [UInt8]
    /// The bytes of the value in the received text, quotation marks included, or the whole of the
    /// text where nothing else came; `nil` where it is not to be cut out.
    public var range: Range<Int>?

    /// Material and its place.
    public init(bytes: [UInt8], range: Range<Int>?) {
        self.bytes = bytes
        self.range = range
    }
}

/// What an event may be at most.
public enum EventLimits {
    /// The longest received text, in bytes.
    public static let receivedBytesMax = 32 << 20
    /// The longest JSON text of judged parts, in bytes.
    public static let partsBytesMax = 32 << 20
    /// How many pieces of evidence one event carries.
    public static let evidenceMax = 1_000
    /// How many personal values one event carries, in body and parts together.
    public static let personalMax = 100_000
    /// Years 1 to 9999, in milliseconds since 1970 UTC.
    public static let instants: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
}
