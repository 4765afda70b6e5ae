internal import Cryptography
internal import JSON

/// What somebody of ours did to what is kept, and why.
public struct AdminAct: Sendable {
    /// What was done, kebab-case with a point, such as `quarantine.drop`.
    public var action: String
    /// Who did it.
    public var actor: String
    /// Why, in the words of who did it: free text, which can be forgotten.
    public var reason: String
    /// When, in milliseconds since 1970 UTC.
    public var at: Int64
    /// The SHA-256 of what it was done to.
    public var digest: [UInt8]?

    /// An act. The actor is at most 1,024 bytes.
    public init(
        action: String, actor: String, reason: String, at: Int64, digest: [UInt8]? = nil
    ) {
        self.action = action
        self.actor = actor
        self.reason = reason
        self.at = at
        self.digest = digest
    }

    /// The event `admin.acted`. Every act is one of its own: its id is random.
    func event() throws(JSONError) -> NewEvent {
        let id = Hexadecimal.encode(SecureRandom.bytes(16))
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("specversion", "1.0")
            writer.member("id", id)
            writer.member("source", "admin")
            writer.member("type", "admin.acted")
            writer.name("data")
            writer.object { writer in
                writer.member("action", action)
                writer.member("actor", actor)
                writer.member("reason", reason)
                if let digest { writer.member("digest", Hexadecimal.encode(digest)) }
            }
        }
        let written = try JSONValue(parsing: writer.bytes)
        return NewEvent(
            source: "admin", id: id, type: "admin.acted", receivedAt: at, actor: actor,
            received: writer.bytes,
            personal: [written.at("data", "reason")?.range].compactMap { $0 })
    }
}
