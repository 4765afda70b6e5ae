internal import AppStoreModel
internal import Cryptography
internal import EventLog
internal import JSON

extension QuarantinedItem {
    /// The digest as it is named: 64 hexadecimal digits.
    var name: String { Hexadecimal.encode(digest) }

    /// One line: the whole digest, so that it can be named.
    var line: String {
        "\(name)  \(RFC3339.text(receivedAt))  \(door)  \(size) bytes  \(reason): \(detail ?? "")"
    }

    /// What is known of it, in lines.
    var lines: [String] {
        [
            "digest    \(name)", "door      \(door)", "received  \(RFC3339.text(receivedAt))",
            "kept      \(RFC3339.text(keptAt))", "size      \(size) bytes",
            "reason    \(reason): \(detail ?? "")",
        ]
    }

    /// One JSON object; instants are milliseconds since 1970 UTC.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("digest", name)
            writer.member("door", door)
            writer.member("reason", reason)
            writer.member("detail", detail)
            writer.member("receivedAt", receivedAt)
            writer.member("keptAt", keptAt)
            writer.member("size", size)
        }
        return writer.bytes
    }
}

extension RefusalCount {
    /// One line.
    var line: String {
        "\(door)  \(reason)  refused \(refused)  recorded \(recorded)  kept \(kept)"
    }

    /// One JSON object.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("door", door)
            writer.member("reason", reason)
            writer.member("refused", refused)
            writer.member("recorded", recorded)
            writer.member("kept", kept)
        }
        return writer.bytes
    }
}
