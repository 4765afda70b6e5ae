internal import AppStore
internal import Cryptography
internal import EventLog
internal import JSON

/// What Apple's servers send without signing it: answers of the App Store Server API and of
/// `verifyReceipt`, and notifications V1. It is kept as a hint; only the signed parts inside prove.
extension Door {
    static let answerType = "appstore.answer"

    /// Such JSON by itself. Its id is the SHA-256 of its bytes, without the app's shared secret.
    func readAnswer(_ found: Recognised, _ kind: WrapperKind) -> Incoming {
        guard let json = found.json else { return refused(found.content, .malformed, "not JSON") }
        let part = evidence.read(wrapper: json, bytes: found.content, kind: kind)
        guard part.nested.count < EvidenceReader.wrapperPartsMax else {
            return refused(found.content, .tooLarge, "more signed parts than are judged at once")
        }
        var parts = EvidenceParts()
        parts.add(wrapper: part, offset: 0)
        if found.lostSharedSecret { parts.removed = ["password"] }
        let isNotification = kind == .notificationV1
        let prefix = isNotification ? "notification-v1" : "answer"
        let event = newEvent(
            source: "apple", id: "\(prefix)/\(Hexadecimal.encode(part.digest))",
            type: isNotification ? "appstore.notification" : Self.answerType, subject: nil,
            time: nil, receivedAt: receivedAt, received: found.content,
            personal: personalMembers(anywhereIn: json, bundle: nil), parts: parts,
            named: { _ in nil })
        return accepted(event, found.content, parts)
    }

    /// An answer of Apple's with the question it answers, as whoever asked tells it. Its id is that
    /// of the question.
    /// - Parameter removed: The members whose values were taken out of `bytes`.
    func readAnswer(
        _ event: CloudEvent, _ bytes: [UInt8], removed: [String]
    ) throws(Malformed) -> Incoming {
        guard let entry = EventCatalogue.entry(for: event.type) else {
            throw Malformed("type \(event.type) is not known")
        }
        try check(event.data, against: entry)
        var parts = EvidenceParts()
        if let answer = event.data?["answer"], !answer.isNull {
            try add(answer, of: bytes, to: &parts)
        }
        parts.removed = removed
        let bundle = event.data?["bundleId"]?.identifier
        let answers = event.data?["answer"].map { personalMembers(anywhereIn: $0, bundle: bundle) }
        let new = newEvent(
            source: "apple", id: "answer/\(event.id)", type: event.type, subject: event.subject,
            time: event.time, receivedAt: event.recordedTime ?? receivedAt, received: bytes,
            personal: personalRanges(of: event, entry: entry) + (answers ?? []), parts: parts,
            named: { event.data?[$0]?.identifier })
        return accepted(new, bytes, parts)
    }

    private func add(
        _ answer: JSONValue, of bytes: [UInt8], to parts: inout EvidenceParts
    ) throws(Malformed) {
        let text = Array(bytes[answer.range])
        // Read again, so that places are those of its own bytes.
        guard answer.members != nil, let own = try? JSONValue(parsing: text) else {
            throw Malformed("data.answer is not an object")
        }
        let kind = recognise(text).kind
        let wrapper: WrapperKind = if case .wrapper(let kind) = kind { kind } else { .answer(nil) }
        let part = evidence.read(wrapper: own, bytes: text, kind: wrapper, path: "data.answer")
        guard part.nested.count < EvidenceReader.wrapperPartsMax else {
            throw Malformed("data.answer has more signed parts than are judged at once")
        }
        parts.add(wrapper: part, offset: answer.range.lowerBound)
    }
}
