internal import AppStore
internal import Cryptography
internal import EventLog
internal import JSON

/// The latest judgement of each signed part of an event, by its digest.
struct Judgements {
    /// A refusal's reason as a code; `nil` for what is verified or unsigned.
    private var reasons: [[UInt8]: String?] = [:]
    /// The parts inside each.
    private var inside: [[UInt8]: [[UInt8]]] = [:]
    /// In the order of the event, those of the first judgement: path, digest and what is around.
    private(set) var parts: [(path: String, digest: [UInt8], outer: [UInt8]?)] = []

    /// Takes what an event says of its parts; later ones must come later.
    mutating func take(_ event: RecordedEvent) throws {
        let isFirst = parts.isEmpty
        let elements = try JSONValue(
            parsing: event.readableParts(), limits: RecordedEvent.jsonLimits
        ).array
        for element in elements ?? [] {
            guard let digest = element["digest"]?.string.flatMap(Hexadecimal.decode) else {
                continue
            }
            let outer = element["in"]?.string.flatMap(Hexadecimal.decode)
            let verification = element["verification"]
            let isRefused = verification?["status"]?.string == "refused"
            reasons[digest] = .some(isRefused ? verification?["reason"]?.string ?? "" : nil)
            guard isFirst else { continue }
            if let outer { inside[outer, default: []].append(digest) }
            parts.append((element["path"]?.string ?? "", digest, outer))
        }
    }

    /// Why a part is refused; `nil` if it is not, or is not known.
    func refusal(_ digest: [UInt8]) -> String? { reasons[digest] ?? nil }

    /// Whether a part or one inside is refused.
    func isRefused(_ digest: [UInt8]) -> Bool {
        refusal(digest) != nil || (inside[digest] ?? []).contains { refusal($0) != nil }
    }
}

extension Door {
    /// Judges refused evidence of an event anew.
    /// - Parameters:
    ///   - number: the n-th time, from 1.
    ///   - evidence: the bytes by their SHA-256, as far as they are there.
    /// - Returns: the event to append and what changed; `nil` where nothing did.
    func rejudge(
        _ event: RecordedEvent, number: Int, evidence: [[UInt8]: [UInt8]], judgements: Judgements
    ) throws -> (NewEvent, [Reverification])? {
        var parts = EvidenceParts()
        var changes: [Reverification] = []
        for (path, digest, outer) in judgements.parts {
            guard let bytes = evidence[digest] else { continue }
            let part = self.evidence.read(signedText: bytes, path: path)
            let changed = ([part] + part.nested).compactMap {
                Self.change(of: $0, judgements, at: event.position)
            }
            guard !changed.isEmpty else { continue }
            changes += changed
            parts.add(rejudged: part, within: outer)
        }
        guard !changes.isEmpty else { return nil }
        let encoded = parts.encoded()
        let bundle = event.keys.bundleId.map { String(decoding: $0, as: UTF8.self) }
        let new = try ReverifiedEvent.make(
            of: event, number: number, evidence: parts.evidence.map(\.bytes), parts: encoded,
            personalInParts: personalTokens(in: encoded, bundle: bundle),
            keys: keys(of: event, parts), judgedAt: receivedAt, actor: actor)
        return (new, changes)
    }

    private static func change(
        of part: SignedPart, _ judgements: Judgements, at position: Int64
    ) -> Reverification? {
        guard let before = judgements.refusal(part.digest) else { return nil }
        let now = part.verification.reason?.rawValue ?? part.verification.status.rawValue
        guard now != before else { return nil }
        return Reverification(position: position, path: part.path, before: before, now: now)
    }

    /// The keys of the event, and what is signed beside them.
    private func keys(of event: RecordedEvent, _ parts: EvidenceParts) -> EventKeys {
        func signed(_ member: String) -> [UInt8]? {
            parts.verifiedMember(member).map { Array($0.utf8) }
        }
        var keys = event.keys
        keys.transactionId = keys.transactionId ?? signed("transactionId")
        keys.originalTransactionId = keys.originalTransactionId ?? signed("originalTransactionId")
        keys.bundleId = keys.bundleId ?? signed("bundleId")
        keys.environment = keys.environment ?? signed("environment")
        return keys
    }
}
