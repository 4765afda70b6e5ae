internal import AppStoreModel
internal import JSON

/// A CloudEvents 1.0 envelope as it was received, checked for what the log needs of it.
struct CloudEvent {
    let source: String
    let id: String
    let type: String
    let subject: String?
    /// The producer's clock, which orders nothing; `nil` where absent or not an instant.
    let time: Int64?
    /// When the first door of ours was passed, as a trusted producer says it.
    let recordedTime: Int64?
    let data: JSONValue?
    /// The whole, for looking up extensions.
    let envelope: JSONValue

    /// The attributes that CloudEvents and we define; any other is an extension of the producer's.
    static let attributes: Set<String> = [
        "specversion", "id", "source", "type", "subject", "time", "datacontenttype", "dataschema",
        "recordedtime", "data",
    ]

    /// Longest `source`, `id`, `type` or `subject`, in bytes of UTF-8.
    static let attributeBytesMax = 1024

    init(_ envelope: JSONValue) throws(Malformed) {
        guard envelope["specversion"]?.string?.hasPrefix("1.") == true else {
            throw Malformed("specversion is not 1.0")
        }
        source = try Self.attribute("source", of: envelope)
        id = try Self.attribute("id", of: envelope)
        type = try Self.attribute("type", of: envelope)
        subject = try Self.optionalAttribute("subject", of: envelope)
        time = envelope["time"]?.string.flatMap(RFC3339.milliseconds)
        recordedTime = try Self.recordedTime(of: envelope)
        data = envelope["data"]
        self.envelope = envelope
    }

    private static func attribute(_ name: String, of envelope: JSONValue) throws(Malformed)
        -> String
    {
        guard let text = try optionalAttribute(name, of: envelope) else {
            throw Malformed("\(name) is missing")
        }
        return text
    }

    private static func optionalAttribute(_ name: String, of envelope: JSONValue)
        throws(Malformed) -> String?
    {
        guard let value = envelope[name], !value.isNull else { return nil }
        guard let text = value.string, !text.isEmpty else {
            throw Malformed("\(name) is not a text, or empty")
        }
        guard text.utf8.count <= attributeBytesMax else {
            throw Malformed("\(name) is longer than \(attributeBytesMax) bytes")
        }
        let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        guard isPlain || text.unicodeScalars.allSatisfy({ !$0.isForbiddenInAttributes }) else {
            throw Malformed("\(name) holds a control character")
        }
        return text
    }

    private static func recordedTime(of envelope: JSONValue) throws(Malformed) -> Int64? {
        guard let value = envelope["recordedtime"], !value.isNull else { return nil }
        guard let instant = value.string.flatMap(RFC3339.milliseconds) else {
            throw Malformed("recordedtime is not an RFC 3339 instant")
        }
        return instant
    }
}

/// A text that does not have the form it must have. The reason names the place, never the value.
struct Malformed: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

extension Unicode.Scalar {
    /// CloudEvents 1.0, section "Type System": no control characters and no non-characters.
    fileprivate var isForbiddenInAttributes: Bool {
        properties.generalCategory == .control || properties.isNoncharacterCodePoint
    }
}
