internal import Cryptography
public import JSON

/// What a file is, who signed it, whether to believe it, and what it says.
public struct InspectionReport: Sendable {
    /// The kind, as `inspect` names it: a `SignedPartKind`, or `notification-v1`,
    /// `verify-receipt-answer`, `cloud-event`, `cloud-event-batch`.
    public let kind: String
    /// The place in what surrounds it; empty for the whole.
    public let path: String
    /// Whether to believe it.
    public let verification: Verification
    /// What it says; `nil` where it cannot be read.
    public let payload: JSONValue?
    /// What is wrong, or what it looks like, in words; without its content.
    public let note: String?
    /// The signed parts inside.
    public let nested: [InspectionReport]

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
        self.kind = kind
        self.path = path
        self.verification = verification
        self.payload = payload
        self.note = note
        self.nested = nested
    }

    /// The report on a part that was read.
    public init(_ part: SignedPart) {
        self.init(
            kind: part.kind.rawValue, path: part.path, verification: part.verification,
            payload: part.payload, nested: part.nested.map(InspectionReport.init))
    }
}

/// Inspects a file's content, offline. It never fails: what cannot be read is reported as such.
public func inspect(_ bytes: [UInt8], reader: EvidenceReader) -> InspectionReport {
    guard bytes.count <= JSONLimits().bytesMax else {
        return InspectionReport(
            kind: "unknown", verification: .refused(.tooLarge),
            note: "longer than \(JSONLimits().bytesMax) bytes")
    }
    let content = Array(trimmingWhiteSpace(bytes))
    switch detect(content) {
    case .bareJWS: return InspectionReport(reader.read(jws: content))
    case .notificationBody: return inspectBody(content, reader: reader)
    case .cloudEvent: return inspectEvent(content, reader: reader)
    case .cloudEventBatch: return unsigned("cloud-event-batch", content)
    case .notificationV1: return unsigned("notification-v1", content)
    case .verifyReceiptAnswer: return unsigned("verify-receipt-answer", content)
    case .receipt:
        return InspectionReport(
            kind: SignedPartKind.receipt.rawValue, verification: .refused(.unknownKind),
            note: "an app receipt: recognised, not read")
    case .brokenJSON(let error):
        return InspectionReport(
            kind: "unknown", verification: .refused(error.refusal),
            note: "JSON that cannot be read: \(error)")
    case .unknown(let looksLike):
        return InspectionReport(
            kind: "unknown", verification: .refused(.unknownKind), note: "looks like \(looksLike)")
    }
}

private func inspectBody(_ content: [UInt8], reader: EvidenceReader) -> InspectionReport {
    guard let text = (try? JSONValue(parsing: content))?["signedPayload"]?.string else {
        return InspectionReport(
            kind: SignedPartKind.notification.rawValue, verification: .refused(.malformed),
            note: "signedPayload is not a string")
    }
    return InspectionReport(reader.read(jws: Array(text.utf8)))
}

private func unsigned(_ kind: String, _ content: [UInt8]) -> InspectionReport {
    InspectionReport(
        kind: kind, verification: .unsigned, payload: try? JSONValue(parsing: content))
}

/// An event carries no signature; the signed material in its data does.
private func inspectEvent(_ content: [UInt8], reader: EvidenceReader) -> InspectionReport {
    let event = try? JSONValue(parsing: content)
    let nested = (event?["data"]?.members ?? []).compactMap { member -> InspectionReport? in
        guard member.name.hasPrefix("signed"), let text = member.value.string,
            case .bareJWS = detect(Array(text.utf8))
        else { return nil }
        return InspectionReport(reader.read(jws: Array(text.utf8), path: "data.\(member.name)"))
    }
    return InspectionReport(
        kind: "cloud-event", verification: .unsigned, payload: event, nested: nested)
}
