internal import Cryptography
internal import JSON

/// What the log says of refused material: never its bytes, and never under an id that a genuine
/// event could have.
enum RefusedEvent {
    static let source = "refused"
    static let type = "evidence.refused"

    static func key(digest: [UInt8]) -> EventKey {
        EventKey(source: source, id: Hexadecimal.encode(digest))
    }

    static func make(_ refusal: Refusal, digest: [UInt8]) -> NewEvent {
        let id = Hexadecimal.encode(digest)
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("specversion", "1.0")
            writer.member("id", id)
            writer.member("source", source)
            writer.member("type", type)
            writer.name("data")
            writer.object { writer in
                writer.member("digest", id)
                writer.member("reason", refusal.reason)
                writer.member("door", refusal.door)
                writer.member("size", refusal.bytes.count)
            }
        }
        return NewEvent(
            source: source, id: id, type: type, receivedAt: refusal.receivedAt,
            received: writer.bytes)
    }
}
