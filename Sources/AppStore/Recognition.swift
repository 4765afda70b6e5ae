internal import Cryptography
internal import JSON

/// Recognises `bytes`: takes off a JSON string, base64 around a JWS or JSON, and JSON around a
/// single signed text, up to four layers in all. White space before and behind is tolerated.
public func recognise(_ bytes: [UInt8]) -> Recognised {
    var content = Array(trimmingWhiteSpace(bytes))
    var steps: [String] = []
    while true {
        switch Recognition.look(at: content, mayOpen: steps.count < Recognition.stepsMax) {
        case .found(let kind, let json):
            return Recognised(
                kind: kind, content: content, json: json, steps: steps, lostSharedSecret: false)
        case .withoutSecret(let kind, let rest, let json):
            return Recognised(
                kind: kind, content: rest, json: json, steps: steps, lostSharedSecret: true)
        case .inside(let inner, let step):
            content = Array(trimmingWhiteSpace(inner))
            steps.append(step)
        }
    }
}

/// The bytes without white space before and behind.
public func trimmingWhiteSpace(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    guard let first = bytes.firstIndex(where: { !Recognition.isWhiteSpace($0) }),
        let last = bytes.lastIndex(where: { !Recognition.isWhiteSpace($0) })
    else { return [] }
    return bytes[first...last]
}

enum Recognition {
    /// How many layers are taken off.
    static let stepsMax = 4
    /// The beginning that tells a kind; a whole receipt can be long.
    private static let beginning = 4096

    /// What one look at a text finds.
    enum Finding {
        case found(DetectedKind, JSONValue?)
        /// It held the app's shared secret: the same without.
        case withoutSecret(DetectedKind, [UInt8], JSONValue?)
        /// Something around the material: what is inside, and what it was.
        case inside([UInt8], step: String)
    }

    /// - Parameter mayOpen: Whether what is around something may still be taken off.
    static func look(at text: [UInt8], mayOpen: Bool) -> Finding {
        switch text.first {
        case nil: return .found(.unknown(looksLike: "nothing: it is empty"), nil)
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""):
            if LegacyReceipt.isBeginning(text[...]) { return .found(.receipt, nil) }
            return look(atJSON: text, mayOpen: mayOpen)
        case .some: return look(atText: text[...], mayOpen: mayOpen)
        }
    }

    // MARK: JSON

    private static func look(atJSON bytes: [UInt8], mayOpen: Bool) -> Finding {
        let json: JSONValue
        do {
            json = try JSONValue(parsing: bytes)
        } catch {
            let (rest, hadSecret) = SharedSecret.removed(from: bytes)
            return hadSecret
                ? .withoutSecret(.brokenJSON(error), rest, nil) : .found(.brokenJSON(error), nil)
        }
        if let text = json.string {
            guard mayOpen else {
                return .found(.unknown(looksLike: "text wrapped many times"), nil)
            }
            return .inside(Array(text.utf8), step: "a JSON string")
        }
        let kind = kind(of: json)
        switch kind {
        case .wrapper: return withoutSecret(kind, bytes, json)
        case .unknown:
            if mayOpen, let inner = onlySignedText(json) {
                let step = "the member \(Printable.text(inner.name))"
                return .inside(Array(inner.text.utf8), step: step)
            }
            return withoutSecret(kind, bytes, json)
        case .cloudEvent:
            // Only an answer may be of a kind that holds the secret.
            let isAnswer = json["type"]?.string == "appstore.answer"
            return isAnswer ? withoutSecret(kind, bytes, json) : .found(kind, json)
        case .cloudEventBatch, .notificationBody, .bareJWS, .receipt, .orderIdText, .brokenJSON:
            return .found(kind, json)
        }
    }

    private static func withoutSecret(
        _ kind: DetectedKind, _ bytes: [UInt8], _ json: JSONValue
    ) -> Finding {
        let (rest, hadSecret) = SharedSecret.removed(from: bytes)
        guard hadSecret else { return .found(kind, json) }
        // The places of the values have moved.
        return .withoutSecret(kind, rest, try? JSONValue(parsing: rest))
    }

    private static func kind(of json: JSONValue) -> DetectedKind {
        if let elements = json.array {
            return !elements.isEmpty && elements.allSatisfy { $0["specversion"] != nil }
                ? .cloudEventBatch : .unknown(looksLike: "a JSON array, but not of CloudEvents")
        }
        if json["specversion"] != nil { return .cloudEvent }
        if let endpoint = AnswerEndpoint(answer: json) { return .wrapper(.answer(endpoint)) }
        if json["signedPayload"] != nil { return .notificationBody }
        if json["notification_type"] != nil { return .wrapper(.notificationV1) }
        if let status = json["status"]?.int64, status == 0 || (21_000...21_199).contains(status) {
            return .wrapper(.verifyReceiptAnswer)
        }
        if json["purchaseState"] != nil || json["startTimeMillis"] != nil {
            return .unknown(looksLike: "a purchase of another store")
        }
        return .unknown(looksLike: "a JSON object of no known kind")
    }

    /// The only member whose text is a JWS or a receipt; a request of `verifyReceipt` has one, and
    /// so have the objects of many client libraries.
    private static func onlySignedText(_ json: JSONValue) -> (name: String, text: String)? {
        let candidates = (json.members ?? []).compactMap { member -> (String, String)? in
            guard let text = member.value.string, looksSigned(text) else { return nil }
            return (member.name, text)
        }
        return candidates.count == 1 ? candidates.first : nil
    }

    /// Whether a text in JSON is signed material by its looks.
    static func looksSigned(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let trimmed = trimmingWhiteSpace(bytes)
        if trimmed.starts(with: Array("eyJ".utf8)) {
            return trimmed.count { $0 == UInt8(ascii: ".") } == 2
                && trimmed.allSatisfy(isJWSByte)
        }
        // "eyJ" in base64: a JWS that was encoded once more.
        if trimmed.starts(with: Array("ZXlK".utf8)) { return trimmed.allSatisfy(isBase64Byte) }
        return isReceiptInBase64(trimmed)
    }

    // MARK: Other text

    private static func look(atText text: ArraySlice<UInt8>, mayOpen: Bool) -> Finding {
        if isSignedDataPKCS7(text) { return .found(.receipt, nil) }
        if text.contains(UInt8(ascii: ".")), text.allSatisfy(isJWSByte) {
            return .found(.bareJWS, nil)
        }
        guard text.allSatisfy({ isBase64Byte($0) || isWhiteSpace($0) }) else {
            return .found(Plain.kind(of: text), nil)
        }
        if isReceiptInBase64(text) { return .found(.receipt, nil) }
        let plain = Plain.kind(of: text)
        if case .orderIdText = plain { return .found(plain, nil) }
        guard mayOpen, let content = Base64.decodeLeniently(text),
            content.starts(with: Array("eyJ".utf8)) || content.first == UInt8(ascii: "{")
        else { return .found(plain, nil) }
        return .inside(content, step: "base64")
    }

    /// Whether a text is base64 that begins as a receipt does.
    static func isReceiptInBase64(_ text: ArraySlice<UInt8>) -> Bool {
        let digits = Array(text.lazy.filter { !isWhiteSpace($0) }.prefix(beginning))
        // Every receipt begins with the digit "M" (SEQUENCE); the older form with "ew" or "ey".
        guard let first = digits.first, first == UInt8(ascii: "M") || first == UInt8(ascii: "e"),
            let content = Base64.decodeLeniently(digits.prefix(digits.count & ~3))
        else { return false }
        return isSignedDataPKCS7(content[...]) || LegacyReceipt.isBeginning(content[...])
    }

    /// PKCS#7 SignedData: its object identifier stands right behind the outermost length.
    private static func isSignedDataPKCS7(_ bytes: ArraySlice<UInt8>) -> Bool {
        let identifier: [UInt8] = [
            0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02,
        ]
        guard bytes.first == 0x30 else { return false }
        return (2...6).contains { bytes.dropFirst($0).starts(with: identifier) }
    }

    static func isWhiteSpace(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09...0x0D: true
        default: false
        }
    }

    static func isBase64Byte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// Also what does not belong into a JWS but is often found there: padding and the other
    /// alphabet.
    static func isJWSByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || isBase64Byte(byte)
    }
}

extension AnswerEndpoint {
    /// By the members that only this answer has; `nil` for anything else.
    init?(answer json: JSONValue) {
        // An exchange that somebody recorded: `{"method", "path", "status", "body"}`.
        if Self.request(of: json) != nil {
            guard let body = json["body"], let own = AnswerEndpoint(answer: body) else {
                return nil
            }
            self = own
            return
        }
        func has(_ names: String...) -> Bool { names.allSatisfy { json[$0] != nil } }
        if has("notificationHistory") {
            self = .notificationHistory
        } else if has("signedTransactions") {
            self =
                has("status")
                ? .orderLookup
                : has("bundleId") || has("environment") ? .transactionHistory : .refundHistory
        } else if has("signedTransactionInfo") {
            self = .transactionInfo
        } else if has("signedAppTransactionInfo") {
            self = .appTransactionInfo
        } else if json["data"]?.array?.contains(where: { $0["lastTransactions"] != nil }) == true {
            self = .subscriptionStatuses
        } else if has("signedPayload", "sendAttempts") {
            self = .testNotificationStatus
        } else if has("errorCode"), json["errorCode"]?.int64 != nil {
            self = .error
        } else {
            return nil
        }
    }

    /// The path of an exchange with the App Store Server API that was recorded with its answer.
    static func request(of json: JSONValue) -> String? {
        guard let path = json["path"]?.string, path.hasPrefix("/inApps/") else { return nil }
        return path
    }
}

/// Text that is neither signed nor JSON.
private enum Plain {
    /// How much of a text is searched.
    private static let searchedMax = 1 << 20

    static func kind(of text: ArraySlice<UInt8>) -> DetectedKind {
        guard
            let string = String(validating: text.prefix(searchedMax), as: UTF8.self)
                ?? String(validating: text, as: UTF8.self), !text.contains(0)
        else { return .unknown(looksLike: "binary data") }
        if let orderId = orderId(in: string) { return .orderIdText(orderId) }
        if string.hasPrefix("-----BEGIN ") {
            return .unknown(looksLike: "a key or a certificate in PEM")
        }
        if (9...20).contains(text.count), text.allSatisfy({ (48...57).contains($0) }) {
            return .unknown(looksLike: "the id of a transaction")
        }
        let isBase64 = text.allSatisfy { Recognition.isBase64Byte($0) }
        return .unknown(
            looksLike: isBase64 && text.count.isMultiple(of: 4)
                ? "base64 of no known kind" : "plain text")
    }

    /// The order id of Apple's e-mail: `M` and 9 to 11 further capitals and digits, at least one of
    /// them a digit, by itself; the first where there are several.
    private static func orderId(in text: String) -> String? {
        let words = text.utf8.lazy.split { byte in
            !((48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || byte == UInt8(ascii: "_"))
        }
        let found = words.first { word in
            (10...12).contains(word.count) && word.first == UInt8(ascii: "M")
                && word.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
                && word.contains { (48...57).contains($0) }
        }
        return found.map { String(decoding: $0, as: UTF8.self) }
    }
}
