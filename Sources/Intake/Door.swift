package import AppStore
package import EventLog
internal import JSON
package import Settlement

/// Turns what came in into events: recognises it, checks its form, has signed material judged, and
/// says which of its values are personal. It does no I/O.
package struct Door: Sendable {
    /// The name under which refused material is kept.
    package let name: String
    let evidence: EvidenceReader
    let settings: Settings
    /// When what carries no `recordedtime` was received, in milliseconds since 1970 UTC.
    let receivedAt: Int64
    let actor: String?

    /// A door that trusts the `recordedtime` its producers supply: an operator's import.
    package init(
        name: String, evidence: EvidenceReader, settings: Settings, receivedAt: Int64,
        actor: String? = nil
    ) {
        self.name = name
        self.evidence = evidence
        self.settings = settings
        self.receivedAt = receivedAt
        self.actor = actor
    }

    /// What an item is: one event or several (a JSON array), each by itself accepted or refused.
    package func read(_ bytes: [UInt8]) -> [Incoming] {
        if bytes.isEmpty { return [refused(bytes, .malformed, "empty")] }
        switch detect(bytes) {
        case .cloudEvent, .notificationBody, .cloudEventBatch: return readJSON(bytes)
        case .bareJWS: return [readJWS(bytes)]
        case .brokenJSON(let error): return [refused(bytes, error)]
        case .receipt: return [refused(bytes, .unknownKind, "an app receipt by itself")]
        case .notificationV1:
            return [refused(bytes, .unsigned, "a notification V1, which nobody signed")]
        case .verifyReceiptAnswer:
            return [refused(bytes, .unsigned, "an answer of verifyReceipt, which nobody signed")]
        case .unknown(let looksLike):
            return [refused(bytes, .unknownKind, "looks like \(looksLike)")]
        }
    }

    private func readJSON(_ bytes: [UInt8]) -> [Incoming] {
        do {
            let value = try JSONValue(parsing: bytes)
            guard let elements = value.array else { return [readObject(value, bytes)] }
            return elements.map { element in
                let text = Array(bytes[element.range])
                // Read again, so that ranges are those of the element's own bytes.
                guard let own = try? JSONValue(parsing: text) else {
                    return refused(text, .malformed, "an element is not JSON by itself")
                }
                return readObject(own, text)
            }
        } catch {
            return [refused(bytes, error)]
        }
    }

    private func readObject(_ value: JSONValue, _ bytes: [UInt8]) -> Incoming {
        do throws(Malformed) {
            if value["specversion"] != nil {
                let event = try CloudEvent(value)
                return event.type.hasPrefix("appstore.")
                    ? try readApple(event, bytes) : try readEvent(event, bytes)
            }
            if let signed = value["signedPayload"] {
                return try readSigned(
                    signed, path: "signedPayload", received: bytes, receivedAt: receivedAt,
                    type: nil, time: nil)
            }
            throw Malformed("neither a CloudEvent (specversion) nor a notification (signedPayload)")
        } catch {
            return refused(bytes, .malformed, error.reason)
        }
    }

    private func refused(_ bytes: [UInt8], _ error: JSONError) -> Incoming {
        let isTooLarge = [.tooLarge, .tooManyValues].contains(error.reason)
        return refused(bytes, isTooLarge ? .tooLarge : .malformed, "not JSON: \(error)")
    }

    func refused(_ bytes: [UInt8], _ reason: RefusalReason, _ detail: String) -> Incoming {
        .refused(
            Refusal(
                bytes: bytes, door: name, reason: reason.rawValue, detail: detail,
                receivedAt: receivedAt))
    }
}

/// One thing that came in, read.
package enum Incoming: Sendable {
    /// An event for the log, and which of its signed parts were refused.
    case event(NewEvent, refusals: [EvidenceRefusal])
    /// Not an event; kept in quarantine.
    case refused(Refusal)
}
