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
    /// The dates of older formats whose two forms name different instants, by their path.
    private(set) var disagreeing: [String] = []

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

    /// An instant of the older formats: `NAME_ms` in milliseconds since 1970 UTC, else `NAME` as
    /// `2020-07-14 19:36:40 Etc/GMT`, as RFC 3339, or as milliseconds too. Where both are there and
    /// differ, the milliseconds count and the name is listed as disagreeing.
    mutating func date(_ name: String) -> Int64? {
        let milliseconds = number(name + "_ms")
        asked.formUnion([name + "_pst", name + "_formatted", name + "_formatted_pst"])
        let written = read(name) { $0.int64 ?? $0.string.flatMap(Self.olderInstant) }
        if let milliseconds, let written, milliseconds / 1000 != written / 1000 {
            disagreeing.append(name)
        }
        return milliseconds ?? written
    }

    private static func olderInstant(_ text: String) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count == 3, words[2] == "Etc/GMT" else { return RFC3339.milliseconds(text) }
        return RFC3339.milliseconds("\(words[0])T\(words[1])Z")
    }

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

    /// Views of the elements of an array. A single object stands for an array of one, as it does in
    /// some notifications V1.
    mutating func views<View: PayloadView>(_ name: String) -> [View] {
        let elements = read(name) { $0.array ?? ($0.members == nil ? nil : [$0]) } ?? []
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
