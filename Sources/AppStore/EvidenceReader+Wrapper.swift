internal import Cryptography
public import JSON

extension EvidenceReader {
    /// The most signed parts that are judged in one wrapper.
    public static let wrapperPartsMax = 900

    /// Reads text where signed material is expected, whatever a client put there: a JWS, a receipt,
    /// either in base64 or JSON of its own. It never fails: a refusal is a result.
    /// - Parameter path: Where it stands; text that is nothing known is judged as what the last
    ///   member's name promises.
    public func read(
        signedText bytes: [UInt8], path: String, device: DeviceIdentifier? = nil
    ) -> SignedPart {
        let found = recognise(bytes)
        switch found.kind {
        case .bareJWS: return read(jws: found.content, path: path)
        case .receipt: return read(receipt: found.content, path: path, device: device)
        case .notificationBody:
            let text = found.json?["signedPayload"]?.string ?? ""
            return read(jws: Array(text.utf8), path: path)
        case .cloudEvent, .cloudEventBatch, .wrapper, .orderIdText, .brokenJSON, .unknown:
            let name = path.split(separator: ".").last ?? ""
            return SignedMember.receipts.contains(String(name))
                ? read(receipt: bytes, path: path, device: device) : read(jws: bytes, path: path)
        }
    }

    /// Reads JSON that nobody signed, and judges every signed part in it by itself.
    /// - Parameters:
    ///   - json: What was parsed from `bytes`.
    ///   - path: Where it stands in what surrounds it.
    public func read(
        wrapper json: JSONValue, bytes: [UInt8], kind: WrapperKind, path: String = ""
    ) -> SignedPart {
        unjudged(
            wrapper: json, bytes: bytes, kind: kind, path: path,
            nested: signedParts(in: json, path: path))
    }

    /// JSON that nobody signed, without a look at what is signed in it.
    func unjudged(
        wrapper json: JSONValue, bytes: [UInt8], kind: WrapperKind, path: String = "",
        nested: [SignedPart] = []
    ) -> SignedPart {
        var endpoint: AnswerEndpoint?
        if case .answer(let told) = kind { endpoint = told }
        return SignedPart(
            kind: kind.partKind, path: path, bytes: bytes, digest: SHA256.hash(bytes),
            verification: .unsigned, payload: json, payloadBytes: bytes, nested: nested,
            endpoint: endpoint,
            request: endpoint == nil ? nil : AnswerEndpoint.request(of: json))
    }

    /// The signed texts anywhere in JSON, each judged; paths are names joined by dots, and indices
    /// in brackets.
    public func signedParts(in json: JSONValue, path: String) -> [SignedPart] {
        signedParts(in: json, path: path) { $0 }
    }

    /// What `body` makes of each, one after the other: what it leaves out is not kept.
    func signedParts<Told>(
        in json: JSONValue, path: String, _ body: (SignedPart) -> Told
    ) -> [Told] {
        var texts: [SignedMember] = []
        SignedMember.collect(json, name: "", path: path, into: &texts)
        return texts.map { text in
            var part = read(signedText: Array(text.text.utf8), path: text.path)
            part.place = text.range
            return body(part)
        }
    }
}

/// A text in JSON that is signed, or was meant to be.
struct SignedMember {
    let path: String
    let text: String
    let range: Range<Int>

    /// Members that hold receipts in base64.
    static let receipts: Set<String> = [
        "receipt", "latest_receipt", "latest_expired_receipt", "receipt-data", "transactionReceipt",
    ]
    /// Members that hold a JWS, or a list of them.
    private static let signed: Set<String> = [
        "signedPayload", "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo",
        "signedTransactions", "signedTransaction",
    ]

    /// Those of one value, in their order: what is named as signed, and whatever looks signed. How
    /// deep it goes is bounded by the reader of JSON.
    static func collect(
        _ json: JSONValue, name: String, path: String, into found: inout [SignedMember]
    ) {
        guard found.count < EvidenceReader.wrapperPartsMax else { return }
        switch json.content {
        case .string(let text):
            let isNamed = signed.contains(name) || receipts.contains(name)
            if (isNamed && !text.isEmpty) || Recognition.looksSigned(text) {
                found.append(SignedMember(path: path, text: text, range: json.range))
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                collect(element, name: name, path: "\(path)[\(index)]", into: &found)
            }
        case .object(let members):
            for member in members {
                let place = path.isEmpty ? member.name : "\(path).\(member.name)"
                collect(member.value, name: member.name, path: place, into: &found)
            }
        case .null, .bool, .number: break
        }
    }
}
