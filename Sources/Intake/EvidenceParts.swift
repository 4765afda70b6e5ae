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
    /// The names of members whose values were removed before anything was stored.
    var removed: [String] = []

    /// Adds a part that was judged, and those nested in it.
    mutating func add(_ part: SignedPart, range: Range<Int>?) {
        evidence.append(Evidence(bytes: part.bytes, range: range))
        append(part, within: nil)
    }

    /// Adds JSON that nobody signed: the signed parts inside are evidence, the rest is the body's.
    /// - Parameter offset: Where the JSON begins in the received bytes.
    mutating func add(wrapper: SignedPart, offset: Int) {
        for nested in wrapper.nested {
            let place = nested.place.map { $0.lowerBound + offset..<$0.upperBound + offset }
            evidence.append(Evidence(bytes: nested.bytes, range: place))
        }
        append(wrapper, within: nil)
    }

    /// Adds a part that the log holds and that was judged anew.
    /// - Parameter outerDigest: Of the part around it.
    mutating func add(rejudged part: SignedPart, within outerDigest: [UInt8]?) {
        evidence.append(Evidence(bytes: part.bytes, range: nil))
        append(part, within: outerDigest)
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
        guard !parts.isEmpty else { return [] }
        var writer = JSONWriter()
        writer.array { writer in
            for entry in parts { write(entry.part, within: entry.outerDigest, to: &writer) }
        }
        return writer.bytes
    }

    private func write(
        _ part: SignedPart, within outerDigest: [UInt8]?, to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("path", part.path)
            writer.member("digest", Hexadecimal.encode(part.digest))
            if let outerDigest { writer.member("in", Hexadecimal.encode(outerDigest)) }
            writer.member("kind", part.kind.rawValue)
            if let endpoint = part.endpoint { writer.member("endpoint", endpoint.rawValue) }
            if let request = part.request { writer.member("request", request) }
            if outerDigest == nil, !removed.isEmpty {
                writer.name("removed")
                writer.array(removed) { $0.string($1) }
            }
            writer.name("verification")
            part.verification.write(to: &writer)
            if part.payload != nil {
                writer.name("payload")
                writer.raw(Self.cut(part.payloadBytes, at: part.nested.compactMap(\.place)))
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
}

/// A signed part of an event that was refused; the event itself is in the log.
package struct EvidenceRefusal: Sendable {
    /// Where it stood: `data.signedTransaction`.
    package let path: String
    package let reason: RefusalReason
}
