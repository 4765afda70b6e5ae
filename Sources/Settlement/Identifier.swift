package import JSON

extension JSONValue {
    /// The longest identifier that names something, in bytes: far beyond what any store or platform
    /// gives out, and short enough for every index.
    package static var nameBytesMax: Int { 512 }

    /// An identifier that names something: not empty, at most `nameBytesMax` bytes. What a client
    /// puts there by mistake, however long, names nothing.
    package var name: String? {
        guard let text = identifier, (1...Self.nameBytesMax).contains(text.utf8.count) else {
            return nil
        }
        return text
    }
}
