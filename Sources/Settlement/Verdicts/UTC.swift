internal import AppStoreModel

/// Instants as customers read them.
public enum UTC {
    /// An instant in milliseconds since 1970 UTC, to the minute: `2026-03-01 09:30 UTC`.
    public static func text(_ milliseconds: Int64) -> String {
        let text = RFC3339.text(milliseconds)
        guard let separator = text.firstIndex(of: "T") else { return text }
        return "\(text[..<separator]) \(text[text.index(after: separator)...].prefix(5)) UTC"
    }
}
