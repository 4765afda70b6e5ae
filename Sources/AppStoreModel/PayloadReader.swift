public import JSON

/// A typed view of one of Apple's JSON objects.
///
/// Reading never fails as a whole: Apple adds members and values without notice, and one malformed
/// member must not hide the others. The JSON itself stays at hand in `json`.
public protocol PayloadView: Sendable {
    /// The object as it was read, with every member.
    var json: JSONValue { get }
    /// The members this view does not know, in their order.
    var unknownMembers: [String] { get }
    /// The members that are not of the documented type and therefore read as `nil`, by their path.
    var unreadableMembers: [String] { get }
    /// A view of an object; of anything else, an empty one that lists the path `` as unreadable.
    init(_ json: JSONValue)
}

/// Reads the members of an object one by one, and remembers which it was asked for and which it
/// could not read. `null` reads as absent.
struct PayloadReader {
    private let object: JSONValue
    private var asked: Set<String> = []
    private(set) var unreadable: [String] = []

    init(_ json: JSONValue) {
        object = json
        if json.members == nil { unreadable.append("") }
    }

    /// The members nobody asked for.
    var unknown: [String] {
        (object.members ?? []).map(\.name).filter { !asked.contains($0) }
    }

    /// An id: a string, or a number's own text.
    mutating func identifier(_ name: String) -> String? { read(name, \.identifier) }

    mutating func text(_ name: String) -> String? { read(name, \.string) }

    mutating func flag(_ name: String) -> Bool? { read(name, \.boolean) }

    mutating func number(_ name: String) -> Int64? { read(name, \.int64) }

    /// Milliseconds since 1970 UTC. Xcode writes fractions, which are cut off.
    mutating func instant(_ name: String) -> Int64? { read(name, \.int64) }

    mutating func value<Value: OpenValue>(_ name: String) -> Value?
    where Value.RawValue == String { read(name, \.string).map(Value.init(rawValue:)) }

    mutating func value<Value: OpenValue>(_ name: String) -> Value?
    where Value.RawValue == Int64 { read(name, \.int64).map(Value.init(rawValue:)) }

    /// A member whose content has no view of its own.
    mutating func json(_ name: String) -> JSONValue? { read(name, { $0 }) }

    mutating func view<View: PayloadView>(_ name: String) -> View? {
        guard let object = read(name, { $0.members == nil ? nil : $0 }) else { return nil }
        return nested(View(object), at: name)
    }

    mutating func views<View: PayloadView>(_ name: String) -> [View] {
        let elements = read(name, \.array) ?? []
        return elements.enumerated().map { nested(View($1), at: "\(name)[\($0)]") }
    }

    /// Texts; an element that is none is left out and listed.
    mutating func texts(_ name: String) -> [String] {
        let elements = read(name, \.array) ?? []
        return elements.enumerated().compactMap { index, element in
            if element.string == nil { unreadable.append("\(name)[\(index)]") }
            return element.string
        }
    }

    private mutating func nested<View: PayloadView>(_ view: View, at path: String) -> View {
        unreadable += view.unreadableMembers.map { $0.isEmpty ? path : "\(path).\($0)" }
        return view
    }

    private mutating func read<Value>(_ name: String, _ type: (JSONValue) -> Value?) -> Value? {
        asked.insert(name)
        guard let member = object[name], !member.isNull else { return nil }
        let value = type(member)
        if value == nil { unreadable.append(name) }
        return value
    }
}
