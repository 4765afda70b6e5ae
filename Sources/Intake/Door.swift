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

    /// The things that stand in an item: the elements of a JSON array of events, else itself. Each
    /// is to be read by the door of the settings that hold when its turn comes.
    package static func things(in item: [UInt8]) -> [[UInt8]] {
        guard item.first == UInt8(ascii: "["), let elements = try? JSONValue(parsing: item).array,
            !elements.isEmpty, elements.allSatisfy({ $0["specversion"] != nil })
        else { return [item] }
        return elements.map { Array(item[$0.range]) }
    }

    /// What one thing is: an event, or nothing that can be taken.
    package func read(_ bytes: [UInt8]) -> Incoming {
        if bytes.isEmpty { return refused(bytes, .malformed, "empty") }
        let found = recognise(bytes)
        // What is refused is kept as it came, but for what stood around it and the app's secret.
        let raw = found.steps.isEmpty && !found.lostSharedSecret ? bytes : found.content
        switch found.kind {
        case .cloudEvent, .notificationBody:
            return readJSON(found)
        case .cloudEventBatch:
            return refused(raw, .unknownKind, "a JSON array where one event should be")
        case .bareJWS: return readJWS(found.content, raw: raw)
        case .receipt: return readReceipt(found.content, raw: raw)
        case .wrapper(let kind): return readAnswer(found, kind)
        case .orderIdText:
            return refused(
                raw, .unknownKind, "text that names the order id of Apple's e-mail: look it up")
        case .brokenJSON(let error): return refused(raw, error)
        case .unknown(let looksLike):
            return refused(raw, .unknownKind, "looks like \(looksLike)")
        }
    }

    private func readJSON(_ found: Recognised) -> Incoming {
        do throws(JSONError) {
            let json: JSONValue
            if let known = found.json {
                json = known
            } else {
                // The removal of the secret has broken it: where, and why.
                json = try JSONValue(parsing: found.content)
            }
            return readObject(
                json, found.content, removed: found.lostSharedSecret ? ["password"] : [])
        } catch {
            return refused(found.content, error)
        }
    }

    private func readObject(
        _ value: JSONValue, _ bytes: [UInt8], removed: [String]
    ) -> Incoming {
        do throws(Malformed) {
            if value["specversion"] != nil {
                let event = try CloudEvent(value)
                return event.type.hasPrefix("appstore.")
                    ? try readApple(event, bytes, removed: removed) : try readEvent(event, bytes)
            }
            if value["signedPayload"] != nil { return try readNotification(value, bytes) }
            throw Malformed("neither a CloudEvent (specversion) nor a notification (signedPayload)")
        } catch {
            return refused(bytes, .malformed, error.reason)
        }
    }

    /// The event, unless the log could not hold it.
    func accepted(_ event: NewEvent, _ raw: [UInt8], _ parts: EvidenceParts) -> Incoming {
        do throws(InvalidEvent) {
            try event.check()
            return .event(event, refusals: parts.refusals)
        } catch {
            return refused(raw, error == .tooLarge ? .tooLarge : .malformed, error.rawValue)
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
