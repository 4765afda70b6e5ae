internal import AppStore
internal import Cryptography
internal import EventLog
internal import JSON

extension Door {
    /// A bare JWS. What is logged as received is the JWS as a JSON text, so that the body of every
    /// event is JSON; the evidence is the JWS itself.
    /// - Parameter raw: What came; kept where it is refused.
    func readJWS(_ bytes: [UInt8], raw: [UInt8]) -> Incoming {
        bare(evidence.read(jws: bytes, path: ""), raw: raw)
    }

    /// A receipt by itself, whose text is standard base64 in the log, however it came.
    func readReceipt(_ bytes: [UInt8], raw: [UInt8]) -> Incoming {
        bare(evidence.read(receipt: bytes), raw: raw)
    }

    private func bare(_ part: SignedPart, raw: [UInt8]) -> Incoming {
        let received = [UInt8(ascii: "\"")] + part.bytes + [UInt8(ascii: "\"")]
        return appleEvent(part, raw: raw, received: received, range: 0..<received.count)
    }

    /// A CloudEvent in which a company's own server wraps what Apple sent it.
    func readApple(
        _ event: CloudEvent, _ bytes: [UInt8], removed: [String]
    ) throws(Malformed) -> Incoming {
        if event.type == Self.answerType {
            return try readAnswer(event, bytes, removed: removed)
        }
        guard let member = EventCatalogue.entry(for: event.type)?.signed.first else {
            throw Malformed("type \(event.type) is not one that can be imported")
        }
        guard let signed = event.data?[member] else {
            throw Malformed("data.\(member) is missing")
        }
        let personal = personalRanges(of: event, entry: EventCatalogue.entry(for: event.type))
        return try readSigned(
            signed, path: "data.\(member)", received: bytes, personal: personal, wrapper: event)
    }

    /// The body that Apple posts. What else stands in it, somebody on the way has put there.
    func readNotification(_ body: JSONValue, _ bytes: [UInt8]) throws(Malformed) -> Incoming {
        guard let signed = body["signedPayload"] else {
            throw Malformed("signedPayload is missing")
        }
        let others = (body.members ?? []).filter { member in
            member.value.range != signed.range && !member.value.isNull
        }
        return try readSigned(
            signed, path: "signedPayload", received: bytes, personal: others.map(\.value.range))
    }

    /// Signed material at a place in received JSON.
    private func readSigned(
        _ value: JSONValue, path: String, received: [UInt8], personal: [Range<Int>],
        wrapper: CloudEvent? = nil
    ) throws(Malformed) -> Incoming {
        guard let text = value.string else { throw Malformed("\(path) is not a text") }
        let part = evidence.read(signedText: Array(text.utf8), path: "")
        return appleEvent(
            part, raw: received, received: received, range: value.range, personal: personal,
            wrapper: wrapper)
    }

    /// An event of Apple's, once its signature is verified; a forgery must not occupy its id.
    private func appleEvent(
        _ part: SignedPart, raw: [UInt8], received: [UInt8], range: Range<Int>,
        personal: [Range<Int>] = [], wrapper: CloudEvent? = nil
    ) -> Incoming {
        guard part.verification.status == .verified else {
            let reason = part.verification.reason ?? .malformed
            return refused(raw, reason, "the signed material is not to be believed")
        }
        var parts = EvidenceParts()
        parts.add(part, range: range)
        let type = "appstore.\(part.kind.rawValue)"
        if let wrapper, wrapper.type != type {
            return refused(
                raw, .malformed, "type says \(wrapper.type), the signed payload is \(type)")
        }
        let event = newEvent(
            source: "apple", id: Self.id(of: part), type: type, subject: nil,
            time: wrapper?.time, receivedAt: wrapper?.recordedTime ?? receivedAt,
            received: received, personal: personal, parts: parts, named: { _ in nil })
        return accepted(event, raw, parts)
    }

    private static func id(of part: SignedPart) -> String {
        if part.kind == .notification, let uuid = part.payload?["notificationUUID"]?.string {
            return "notification/\(uuid.lowercased())"
        }
        let kind = part.kind == .receipt ? "receipt" : "jws"
        return "\(kind)/\(Hexadecimal.encode(part.digest))"
    }
}
