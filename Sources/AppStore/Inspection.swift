internal import Cryptography
public import JSON

/// What a file is, who signed it, whether to believe it, and what it says.
public struct InspectionReport: Sendable {
    /// The kind, as `inspect` names it: a `SignedPartKind`, `cloud-event` or `cloud-event-batch`.
    public let kind: String
    /// The place in what surrounds it; empty for the whole.
    public let path: String
    /// Whether to believe it.
    public let verification: Verification
    /// What it says; `nil` where it cannot be read.
    public var payload: JSONValue? { content.json }
    /// What is wrong, or what it looks like, in words; without its content.
    public let note: String?
    /// The signed parts inside.
    public let nested: [InspectionReport]
    private let content: Content

    /// What a part says. Of many parts only the text is kept, which is many times smaller than what
    /// is read from it.
    private enum Content: Sendable {
        case unreadable
        case read(JSONValue)
        case text([UInt8])

        var json: JSONValue? {
            switch self {
            case .unreadable: nil
            case .read(let json): json
            case .text(let bytes): try? JSONValue(parsing: bytes, limits: Self.limits)
            }
        }

        /// Those of the widest reader of signed material.
        private static let limits = JSONLimits(
            bytesMax: 32 << 20, depthMax: 64, valuesMax: 1_000_000)
    }

    /// Whether it and every signed part inside is verified.
    public var isVerified: Bool {
        verification.status == .verified && nested.allSatisfy(\.isVerified)
    }

    /// The exit code of `inspect`: 0 verified, 4 refused or unsigned.
    public var exitCode: Int32 { isVerified ? 0 : 4 }

    init(
        kind: String, path: String = "", verification: Verification, payload: JSONValue? = nil,
        note: String? = nil, nested: [InspectionReport] = []
    ) {
        self.init(
            kind: kind, path: path, verification: verification,
            content: payload.map(Content.read) ?? .unreadable, note: note, nested: nested)
    }

    private init(
        kind: String, path: String, verification: Verification, content: Content, note: String?,
        nested: [InspectionReport]
    ) {
        self.kind = kind
        self.path = path
        self.verification = verification
        self.content = content
        self.note = note
        self.nested = nested
    }

    /// The same with further notes.
    func adding(_ notes: [String]) -> InspectionReport {
        let all = (note.map { [$0] } ?? []) + notes
        return InspectionReport(
            kind: kind, path: path, verification: verification, content: content,
            note: all.isEmpty ? nil : all.joined(separator: "; "), nested: nested)
    }

    /// The report on a part that was read.
    public init(_ part: SignedPart) {
        self.init(
            kind: part.kind.rawValue, path: part.path, verification: part.verification,
            payload: part.payload, note: part.note, nested: part.nested.map { InspectionReport($0) }
        )
    }

    /// The report on one of many parts.
    fileprivate init(ofMany part: SignedPart) {
        self.init(
            kind: part.kind.rawValue, path: part.path, verification: part.verification,
            content: part.payload == nil ? .unreadable : .text(part.payloadBytes), note: part.note,
            nested: part.nested.map(InspectionReport.init(ofMany:)))
    }

    /// The report on JSON that nobody signed and the parts in it.
    fileprivate init(wrapper part: SignedPart, nested: [InspectionReport]) {
        self.init(
            kind: part.kind.rawValue, path: part.path, verification: part.verification,
            payload: part.payload, note: part.note, nested: nested)
    }
}

/// Inspects a file's content, offline. It never fails: what cannot be read is reported as such.
/// - Parameter device: The device that a receipt must have been made for; `nil` where that is not
///   asked.
public func inspect(
    _ bytes: [UInt8], reader: EvidenceReader, device: DeviceIdentifier? = nil
) -> InspectionReport {
    guard bytes.count <= JSONLimits().bytesMax else {
        return InspectionReport(
            kind: "unknown", verification: .refused(.tooLarge),
            note: "longer than \(JSONLimits().bytesMax) bytes")
    }
    let found = recognise(bytes)
    let report = report(on: found, reader: reader, device: device)
    var notes = found.steps.isEmpty ? [] : ["found in \(found.steps.joined(separator: ", in "))"]
    if found.lostSharedSecret { notes.append("it holds the app's shared secret, not shown here") }
    return report.adding(notes)
}

private func report(
    on found: Recognised, reader: EvidenceReader, device: DeviceIdentifier?
) -> InspectionReport {
    switch found.kind {
    case .bareJWS: return InspectionReport(reader.read(jws: found.content))
    case .receipt:
        return InspectionReport(reader.read(receipt: found.content, device: device))
    case .notificationBody: return inspectBody(found, reader: reader)
    case .cloudEvent: return inspectEvent(found, reader: reader)
    case .cloudEventBatch: return unsigned("cloud-event-batch", found)
    case .wrapper(let kind):
        guard let json = found.json else { return refused(.malformed, "JSON that cannot be read") }
        return InspectionReport(
            wrapper: reader.unjudged(wrapper: json, bytes: found.content, kind: kind),
            nested: reader.signedParts(in: json, path: "", InspectionReport.init(ofMany:)))
    case .orderIdText(let orderId):
        return refused(
            .unknownKind,
            "looks like text that names the order id \(orderId) of Apple's e-mail: look it up at "
                + "Apple"
        )
    case .brokenJSON(let error): return refused(error.refusal, "JSON that cannot be read: \(error)")
    case .unknown(let looksLike): return refused(.unknownKind, "looks like \(looksLike)")
    }
}

private func refused(_ reason: RefusalReason, _ note: String) -> InspectionReport {
    InspectionReport(kind: "unknown", verification: .refused(reason), note: note)
}

private func inspectBody(_ found: Recognised, reader: EvidenceReader) -> InspectionReport {
    guard let text = found.json?["signedPayload"]?.string else {
        return InspectionReport(
            kind: SignedPartKind.notification.rawValue, verification: .refused(.malformed),
            note: "signedPayload is not a string")
    }
    return InspectionReport(reader.read(jws: Array(text.utf8)))
}

private func unsigned(_ kind: String, _ found: Recognised) -> InspectionReport {
    InspectionReport(kind: kind, verification: .unsigned, payload: found.json)
}

/// An event carries no signature; the signed material in its data does.
private func inspectEvent(_ found: Recognised, reader: EvidenceReader) -> InspectionReport {
    let nested = found.json?["data"].map {
        reader.signedParts(in: $0, path: "data", InspectionReport.init(ofMany:))
    }
    return InspectionReport(
        kind: "cloud-event", verification: .unsigned, payload: found.json, nested: nested ?? [])
}

extension SignedPart {
    /// What it is, more precisely, where the kind alone does not say.
    fileprivate var note: String? {
        if let endpoint { return "answer to \(endpoint.rawValue)" }
        let isLegacy = kind == .receipt && verification.reason == .unknownKind && payload != nil
        return isLegacy
            ? "the receipt of one transaction, as iOS 6 had it: told, not verified" : nil
    }
}
