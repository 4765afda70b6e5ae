package import AppStore
internal import Cryptography
internal import EventLog
internal import JSON

/// The signed material that came with one event: what is stored, and what was judged of it.
struct EvidenceParts {
    /// What is stored byte for byte, with its place in the received bytes.
    private(set) var evidence: [Evidence] = []
    /// The judged parts, the outer one before those nested in it.
    private(set) var parts: [(part: SignedPart, outerDigest: [UInt8]?)] = []
    /// Material that is kept unread: its kind, path and digest.
    private(set) var unread: [(kind: String, path: String, digest: [UInt8])] = []

    /// Adds a part that was judged, and those nested in it.
    mutating func add(_ part: SignedPart, range: Range<Int>?) {
        evidence.append(Evidence(bytes: part.bytes, range: range))
        append(part, within: nil)
    }

    /// Adds material that nothing here reads.
    mutating func add(unread bytes: [UInt8], kind: String, path: String, range: Range<Int>?) {
        evidence.append(Evidence(bytes: bytes, range: range))
        unread.append((kind, path, SHA256.hash(bytes)))
    }

    private mutating func append(_ part: SignedPart, within outerDigest: [UInt8]?) {
        parts.append((part, outerDigest))
        for nested in part.nested { append(nested, within: part.digest) }
    }

    /// The parts that were refused.
    var refusals: [EvidenceRefusal] {
        parts.compactMap { entry in
            guard entry.part.verification.status == .refused else { return nil }
            return EvidenceRefusal(
                path: entry.part.path, reason: entry.part.verification.reason ?? .malformed)
        }
    }

    /// The first of each key that a verified part names.
    func verifiedMember(_ name: String) -> String? {
        parts.lazy.filter { $0.part.verification.status == .verified }.compactMap {
            let payload = $0.part.payload
            return (payload?[name] ?? payload?.at("data", name))?.identifier
        }.first
    }

    /// The column `parts` of the event: a JSON array; empty where nothing was signed.
    func encoded() -> [UInt8] {
        guard !parts.isEmpty || !unread.isEmpty else { return [] }
        var writer = JSONWriter()
        writer.array { writer in
            for entry in parts { Self.write(entry.part, within: entry.outerDigest, to: &writer) }
            for entry in unread {
                writer.object { writer in
                    writer.member("path", entry.path)
                    writer.member("digest", Hexadecimal.encode(entry.digest))
                    writer.member("kind", entry.kind)
                }
            }
        }
        return writer.bytes
    }

    private static func write(
        _ part: SignedPart, within outerDigest: [UInt8]?, to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("path", part.path)
            writer.member("digest", Hexadecimal.encode(part.digest))
            if let outerDigest { writer.member("in", Hexadecimal.encode(outerDigest)) }
            writer.member("kind", part.kind.rawValue)
            writer.name("verification")
            part.verification.write(to: &writer)
            if let payload = part.payload {
                writer.name("payload")
                writer.raw(
                    cut(
                        part.payloadBytes,
                        at: part.nested.compactMap { nested in
                            value(at: nested.path, in: payload)?.range
                        }))
            }
        }
    }

    /// The bytes with `null` in the place of each range.
    private static func cut(_ bytes: [UInt8], at ranges: [Range<Int>]) -> [UInt8] {
        var result = bytes
        for range in ranges.sorted(by: { $0.lowerBound > $1.lowerBound }) {
            result.replaceSubrange(range, with: Array("null".utf8))
        }
        return result
    }

    private static func value(at path: String, in payload: JSONValue) -> JSONValue? {
        path.split(separator: ".").reduce(Optional(payload)) { $0?[String($1)] }
    }
}

/// A signed part of an event that was refused; the event itself is in the log.
package struct EvidenceRefusal: Sendable {
    /// Where it stood: `data.signedTransaction`.
    package let path: String
    package let reason: RefusalReason
}
