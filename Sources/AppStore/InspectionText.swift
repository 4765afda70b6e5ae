internal import JSON

extension InspectionReport {
    /// The most lines that the text form has for one payload.
    private static let payloadLinesMax = 200

    /// The form for people: what it is, who signed it, is it valid, what does it say. Instants in
    /// UTC.
    public var text: String {
        lines.joined(separator: "\n") + "\n"
    }

    private var lines: [String] {
        var lines = [headline]
        if let note { lines.append("  note         \(note)") }
        if let reason = verification.reason {
            lines.append("  reason       \(reason.rawValue): \(reason.explanation)")
        }
        if let signer = verification.signer {
            lines.append("  signed by    \(Printable.text(signer))")
        }
        if let anchor = verification.anchor {
            let name = Printable.text(verification.anchorName ?? "")
            lines.append("  trusted by   \(name) (SHA-256 \(anchor))")
        }
        if let instant = verification.verifiedForMilliseconds {
            let source = verification.instantSource.map { " (\($0.explanation))" } ?? ""
            lines.append("  checked for  \(UniversalTime.text(instant))\(source)")
        }
        lines += payloadLines
        for part in nested { lines += [""] + part.lines }
        return lines
    }

    private var headline: String {
        let place = path.isEmpty ? "" : "\(Printable.text(path)): "
        return "\(place)\(kind), \(verification.status.rawValue)"
    }

    private var payloadLines: [String] {
        guard let payload else { return [] }
        var rows: [(String, String)] = []
        flatten(payload, path: "", into: &rows)
        let shown = rows.prefix(Self.payloadLinesMax)
        let width = min(shown.map(\.0.count).max() ?? 0, 40)
        var lines = ["  says"]
        for (name, value) in shown {
            let padding = String(repeating: " ", count: max(width - name.count, 0))
            lines.append("    \(name)\(padding)  \(value)")
        }
        if rows.count > shown.count {
            lines.append("    … and \(rows.count - shown.count) more")
        }
        return lines
    }

    private func flatten(_ value: JSONValue, path: String, into rows: inout [(String, String)]) {
        switch value.content {
        case .object(let members):
            for member in members {
                let name = path.isEmpty ? member.name : "\(path).\(member.name)"
                flatten(member.value, path: name, into: &rows)
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                flatten(element, path: "\(path)[\(index)]", into: &rows)
            }
        case .null, .bool, .number, .string:
            rows.append((Printable.text(path), scalar(value, path: path)))
        }
    }

    private func scalar(_ value: JSONValue, path: String) -> String {
        if nested.contains(where: { $0.path == (self.path.isEmpty ? path : "\(self.path).\(path)") }
        ) {
            return "(signed itself: see below)"
        }
        let isDate = path.hasSuffix("Date") || path.hasSuffix("At")
        if isDate, case .number = value.content, let instant = value.int64 {
            return UniversalTime.text(instant)
        }
        switch value.content {
        case .string(let text): return Printable.text(text)
        case .number(let text): return Printable.text(text)
        case .bool(let flag): return flag ? "true" : "false"
        case .null: return "null"
        case .array, .object: return ""
        }
    }
}

/// Text from outside, made safe to show on a terminal.
enum Printable {
    private static let lengthMax = 200

    /// At most 200 characters, with what moves a cursor or turns the direction of writing escaped.
    static func text(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(lengthMax) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
                .unassigned:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return text.unicodeScalars.count > lengthMax ? result + "…" : result
    }
}

extension RefusalReason {
    /// What the reason means, for people.
    public var explanation: String {
        switch self {
        case .malformed: "it is cut, damaged, or not what it was taken for"
        case .unknownKind: "it is of no kind that can be verified here"
        case .tooLarge: "it is longer than allowed"
        case .unsigned: "material of this kind carries no signature; it proves nothing"
        case .badAlgorithm: "it is not signed with ES256, as Apple signs"
        case .badCertificate: "one of its certificates cannot be read"
        case .untrustedChain: "its certificates do not lead to a root that is trusted"
        case .chainExpired: "its certificates were not valid at the instant checked"
        case .wrongCertificatePurpose: "its certificates are not Apple's for signing receipts"
        case .badSignature: "the signature does not belong to what it says"
        case .signedInFuture: "it claims to be signed later than now"
        case .xcodeSigned: "a developer's machine signed it, not the App Store"
        case .wrongBundle: "it belongs to another app"
        case .wrongAppId: "it belongs to another app of the App Store"
        case .wrongEnvironment: "it comes from another environment"
        case .deviceHashMismatch: "it belongs to another device"
        }
    }
}

extension InstantSource {
    /// What the source is, for people.
    public var explanation: String {
        switch self {
        case .signedDate: "its signedDate"
        case .receiptCreationDate: "its receiptCreationDate"
        case .now: "now"
        case .given: "as asked"
        }
    }
}
