internal import AppStore
internal import Cryptography
internal import EventLog
internal import JSON

extension Door {
    /// A bare JWS. What is logged as received is the JWS as a JSON text, so that the body of every
    /// event is JSON; the evidence is the JWS itself.
    func readJWS(_ bytes: [UInt8]) -> Incoming {
        let received = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
        let part = evidence.read(jws: bytes, path: "")
        return appleEvent(
            part, raw: bytes, received: received, range: 0..<received.count, type: nil,
            receivedAt: receivedAt, time: nil)
    }

    /// A CloudEvent in which a company's own server wraps what Apple sent it.
    func readApple(_ event: CloudEvent, _ bytes: [UInt8]) throws(Malformed) -> Incoming {
        guard let member = EventCatalogue.entry(for: event.type)?.signed.first else {
            throw Malformed("type \(event.type) is not one that can be imported")
        }
        guard let signed = event.data?[member] else {
            throw Malformed("data.\(member) is missing")
        }
        return try readSigned(
            signed, path: "data.\(member)", received: bytes,
            receivedAt: event.recordedTime ?? receivedAt, type: event.type, time: event.time)
    }

    /// Signed material at a place in received JSON.
    func readSigned(
        _ value: JSONValue, path: String, received: [UInt8], receivedAt: Int64, type: String?,
        time: Int64?
    ) throws(Malformed) -> Incoming {
        guard let text = value.string else { throw Malformed("\(path) is not a text") }
        let part = evidence.read(jws: Array(text.utf8), path: "")
        return appleEvent(
            part, raw: received, received: received, range: value.range, type: type,
            receivedAt: receivedAt, time: time)
    }

    /// An event of Apple's, once its signature is verified; a forgery must not occupy its id.
    private func appleEvent(
        _ part: SignedPart, raw: [UInt8], received: [UInt8], range: Range<Int>, type: String?,
        receivedAt: Int64, time: Int64?
    ) -> Incoming {
        guard part.verification.status == .verified else {
            let reason = part.verification.reason ?? .malformed
            return refused(raw, reason, "the signed material is not to be believed")
        }
        var parts = EvidenceParts()
        parts.add(part, range: range)
        let kind = Self.eventType(of: part.kind)
        if let type, type != kind {
            return refused(raw, .malformed, "type says \(type), the signed payload is \(kind)")
        }
        let id: String
        if part.kind == .notification, let uuid = part.payload?["notificationUUID"]?.string {
            id = "notification/\(uuid.lowercased())"
        } else {
            id = "jws/\(Hexadecimal.encode(part.digest))"
        }
        let event = newEvent(
            source: "apple", id: id, type: kind, subject: nil, time: time, receivedAt: receivedAt,
            received: received, personal: [], parts: parts, named: { _ in nil })
        return .event(event, refusals: parts.refusals)
    }

    private static func eventType(of kind: SignedPartKind) -> String { "appstore.\(kind.rawValue)" }
}
