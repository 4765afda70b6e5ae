import AppStoreModel
public import JSON

/// A CloudEvent as a producer writes it, its members in a fixed order.
public struct EventText: Sendable {
    /// The CloudEvents `type`.
    public var type: String
    /// The CloudEvents `id`.
    public var id: String
    /// The CloudEvents `source`.
    public var source: String
    /// The extension `recordedtime`, in milliseconds since 1970 UTC.
    public var receivedAt: Int64?
    /// The members of `data`.
    public var data: [JSONMember]
    /// Further attributes, in front of `data`.
    public var attributes: [JSONMember] = []

    /// An event whose `data` has the members that are not `nil`.
    public init(
        _ type: String, id: String = "1", source: String = "platform", receivedAt: Int64? = nil,
        _ data: KeyValuePairs<String, (any JSONText)?> = [:]
    ) {
        self.type = type
        self.id = id
        self.source = source
        self.receivedAt = receivedAt
        self.data = members(data)
    }

    /// Its JSON text in one line.
    public var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("specversion", "1.0")
            writer.member("id", id)
            writer.member("source", source)
            writer.member("type", type)
            if let receivedAt { writer.member("recordedtime", RFC3339.text(receivedAt)) }
            for member in attributes {
                writer.name(member.name)
                writer.value(member.value)
            }
            writer.name("data")
            writer.value(JSONValue(.object(data)))
        }
        return writer.bytes
    }

    /// Its JSON text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The same without a member of `data`.
    public func without(_ name: String) -> EventText {
        var copy = self
        copy.data.removeAll { $0.name == name }
        return copy
    }

    /// The same with another member of `data`.
    public func with(_ name: String, _ value: any JSONText) -> EventText {
        var copy = without(name)
        copy.data.append(JSONMember(name, value.json))
        return copy
    }
}

/// What can stand in a JSON text.
public protocol JSONText: Sendable {
    /// As JSON.
    var json: JSONValue { get }
}

extension JSONValue: JSONText {
    /// Itself.
    public var json: JSONValue { self }
}

extension String: JSONText {
    /// A string.
    public var json: JSONValue { JSONValue(.string(self)) }
}

extension Int64: JSONText {
    /// A number.
    public var json: JSONValue { JSONValue(.number(String(self))) }
}

extension Int: JSONText {
    /// A number.
    public var json: JSONValue { JSONValue(.number(String(self))) }
}

extension Bool: JSONText {
    /// `true` or `false`.
    public var json: JSONValue { JSONValue(.bool(self)) }
}

extension [String]: JSONText {
    /// An array of strings.
    public var json: JSONValue { JSONValue(.array(map(\.json))) }
}

/// The members of an object, without those that are `nil`.
public func members(_ pairs: KeyValuePairs<String, (any JSONText)?>) -> [JSONMember] {
    pairs.compactMap { name, value in value.map { JSONMember(name, $0.json) } }
}
