internal import Cryptography
internal import JSON

/// What an event says: by it two events of one key are the same, or in conflict.
///
/// Content is type, subject, time, data and extension attributes as parsed JSON, and the evidence.
/// When it was received, where it stands and the salt are not content; nor is what only
/// says how to read it (`specversion`, `datacontenttype`, `dataschema`), nor the extension
/// `recordedtime`, which is the instant of receipt.
///
/// Of what Apple signed (source `apple`) type and evidence are all: the same notification comes as
/// Apple's own body, bare, or wrapped by a company's server, and says the same.
struct EventContent: Sendable {
    private static let signedSource = "apple"
    private static let notContent: Set<String> = [
        "id", "source", "specversion", "datacontenttype", "dataschema", "recordedtime",
    ]
    private enum Text {
        /// A CloudEvent: its members that are content, ordered by name.
        case envelope([JSONMember])
        /// Other JSON, such as the body of Apple's notification.
        case json(JSONValue)
        case bytes([UInt8])
    }

    private let text: Text
    private let columns: EventColumns

    /// - Parameter text: what came; or, of an erased event, its body with the evidence put back.
    init(columns: EventColumns, text: [UInt8]) {
        self.columns = columns
        self.text = Self.read(text)
    }

    private static func read(_ text: [UInt8]) -> Text {
        guard let value = try? JSONValue(parsing: text, limits: RecordedEvent.jsonLimits) else {
            return .bytes(text)
        }
        guard let members = value.members, value["specversion"] != nil else { return .json(value) }
        return .envelope(members.filter { !notContent.contains($0.name) })
    }

    /// Whether `other`, which came later, says the same.
    /// - Parameter erased: whether this one's personal values are gone: then a `null` of this one
    ///   may have been anything.
    func isSame(as other: EventContent, erased: Bool) -> Bool {
        guard columns.type.utf8.elementsEqual(other.columns.type.utf8),
            Self.ordered(columns.evidence) == Self.ordered(other.columns.evidence)
        else { return false }
        if isSigned, other.isSigned { return true }
        switch (text, other.text) {
        case (.envelope(let a), .envelope(let b)):
            return Self.same(JSONValue(.object(a)), JSONValue(.object(b)), erased)
        case (.json(let a), .json(let b)): return sameColumns(other) && Self.same(a, b, erased)
        case (.bytes(let a), .bytes(let b)): return sameColumns(other) && a == b
        case (.envelope, _), (.json, _), (.bytes, _): return false
        }
    }

    private var isSigned: Bool {
        columns.source.utf8.elementsEqual(Self.signedSource.utf8) && !columns.evidence.isEmpty
    }

    /// What an envelope says in its members and other texts cannot: subject and time.
    private func sameColumns(_ other: EventContent) -> Bool {
        columns.time == other.columns.time
            && (columns.subject ?? "").utf8.elementsEqual((other.columns.subject ?? "").utf8)
    }

    private static func ordered(_ digests: [[UInt8]]) -> [[UInt8]] {
        digests.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private static func same(_ kept: JSONValue, _ other: JSONValue, _ erased: Bool) -> Bool {
        guard erased else { return kept == other }
        switch (kept.content, other.content) {
        case (.null, _): return true
        case (.array(let a), .array(let b)):
            return a.count == b.count && zip(a, b).allSatisfy { same($0, $1, true) }
        case (.object(let a), .object(let b)):
            return a.count == b.count
                && zip(byName(a), byName(b)).allSatisfy {
                    $0.name.utf8.elementsEqual($1.name.utf8) && same($0.value, $1.value, true)
                }
        case (.bool, _), (.number, _), (.string, _), (.array, _), (.object, _):
            return kept == other
        }
    }

    private static func byName(_ members: [JSONMember]) -> [JSONMember] {
        members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    // MARK: A name for it

    /// SHA-256 over key, content and evidence in hexadecimal digits, the same for every spelling of
    /// the content.
    /// - Parameter secret: stands before all; without it nobody can find a personal value by
    ///   trying.
    func name(secret: [UInt8]) -> String {
        var result: [UInt8] = []
        result.append(field: secret)
        result.append(field: Array(columns.source.utf8))
        result.append(field: Array(columns.id.utf8))
        result.append(field: Array(columns.type.utf8))
        result.append(field: Self.ordered(columns.evidence).flatMap { $0 })
        if isSigned { return Hexadecimal.encode(SHA256.hash(result)) }
        result.append(field: columns.subject.map { Array($0.utf8) })
        result.append(field: columns.time.map { Array(String($0).utf8) })
        switch text {
        case .envelope(let members):
            result.append(field: Self.canonical(JSONValue(.object(members))))
        case .json(let value): result.append(field: Self.canonical(value))
        case .bytes(let bytes): result.append(field: bytes)
        }
        return Hexadecimal.encode(SHA256.hash(result))
    }

    /// Without white space, members ordered by the bytes of their names.
    private static func canonical(_ value: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        write(value, into: &writer)
        return writer.bytes
    }

    private static func write(_ value: JSONValue, into writer: inout JSONWriter) {
        switch value.content {
        case .null, .bool, .number, .string: writer.value(value)
        case .array(let elements): writer.array(elements) { write($1, into: &$0) }
        case .object(let members):
            writer.object { writer in
                for member in byName(members) {
                    writer.name(member.name)
                    write(member.value, into: &writer)
                }
            }
        }
    }
}
