/// A path with holes: `/v1/orders/{number}`. A hole takes one whole segment that is not empty.
public struct PathTemplate: Sendable, ExpressibleByStringLiteral {
    private enum Part: Sendable {
        case literal(String)
        case hole(String)
    }

    private let parts: [Part]

    /// A template from its text, which must begin with a slash.
    public init(stringLiteral text: String) {
        precondition(text.hasPrefix("/"), "a path template begins with a slash: \(text)")
        parts = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
            $0.hasPrefix("{") && $0.hasSuffix("}")
                ? .hole(String($0.dropFirst().dropLast())) : .literal(String($0))
        }
    }

    /// What fills the holes, by their names; `nil` for a path of another form.
    func match(_ segments: [String]) -> [String: String]? {
        guard segments.count == parts.count else { return nil }
        var found: [String: String] = [:]
        for (part, segment) in zip(parts, segments) {
            switch part {
            case .literal(let text): guard text == segment else { return nil }
            case .hole(let name):
                guard !segment.isEmpty else { return nil }
                found[name] = segment
            }
        }
        return found
    }
}
