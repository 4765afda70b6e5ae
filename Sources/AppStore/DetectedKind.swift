internal import Cryptography
public import JSON

/// What a file or a body is, before anything in it is believed.
public enum DetectedKind: Sendable, Equatable {
    /// One CloudEvent in JSON.
    case cloudEvent
    /// A JSON array of CloudEvents.
    case cloudEventBatch
    /// The body of an App Store Server Notification V2: `{"signedPayload": "…"}`.
    case notificationBody
    /// A compact JWS, or a text that was meant to be one.
    case bareJWS
    /// An app receipt: PKCS#7 in base64 or plain, or the older form with `purchase-info`.
    case receipt
    /// The body of a notification V1, which nobody signed.
    case notificationV1
    /// An answer of the old `verifyReceipt` endpoint, which nobody signed.
    case verifyReceiptAnswer
    /// JSON, by its first byte, that cannot be read.
    case brokenJSON(JSONError)
    /// None of these; with what it looks like.
    case unknown(looksLike: String)
}

/// What `bytes` are. White space before and behind is tolerated.
public func detect(_ bytes: [UInt8]) -> DetectedKind {
    let trimmed = trimmingWhiteSpace(bytes)
    guard let first = trimmed.first else { return .unknown(looksLike: "nothing: it is empty") }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
        if isPurchaseInfo(trimmed) { return .receipt }
        do {
            return detect(try JSONValue(parsing: Array(trimmed)))
        } catch {
            return .brokenJSON(error)
        }
    }
    return detectText(trimmed)
}

/// The bytes without white space before and behind.
public func trimmingWhiteSpace(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    guard let first = bytes.firstIndex(where: { !isWhiteSpace($0) }),
        let last = bytes.lastIndex(where: { !isWhiteSpace($0) })
    else { return [] }
    return bytes[first...last]
}

// MARK: JSON

/// What a JSON text is.
public func detect(_ json: JSONValue) -> DetectedKind {
    if let elements = json.array {
        return !elements.isEmpty && elements.allSatisfy { $0["specversion"] != nil }
            ? .cloudEventBatch : .unknown(looksLike: "a JSON array, but not of CloudEvents")
    }
    if json["specversion"] != nil { return .cloudEvent }
    if json["signedPayload"] != nil { return .notificationBody }
    if json["notification_type"] != nil { return .notificationV1 }
    if let status = json["status"]?.int64, status == 0 || (21_000...21_199).contains(status) {
        return .verifyReceiptAnswer
    }
    let signed = ["signedTransactions", "signedTransactionInfo", "notificationHistory"]
    if signed.contains(where: { json[$0] != nil }) || isSubscriptionStatuses(json) {
        return .unknown(looksLike: "an answer of the App Store Server API")
    }
    if json["purchaseState"] != nil {
        return .unknown(looksLike: "a purchase of another store")
    }
    return .unknown(looksLike: "a JSON object of no known kind")
}

private func isSubscriptionStatuses(_ json: JSONValue) -> Bool {
    json["data"]?.array?.contains { $0["lastTransactions"] != nil } ?? false
}

// MARK: Other text

private func detectText(_ text: ArraySlice<UInt8>) -> DetectedKind {
    if isSignedDataPKCS7(text) { return .receipt }
    if text.contains(UInt8(ascii: ".")), text.allSatisfy({ isJWSByte($0) }) { return .bareJWS }
    guard text.allSatisfy({ isBase64Byte($0) || isWhiteSpace($0) }) else {
        let isText = String(validating: text, as: UTF8.self) != nil && !text.contains(0)
        return .unknown(looksLike: isText ? "plain text" : "binary data")
    }
    // The beginning tells; a whole receipt can be long.
    let digits = text.lazy.filter { !isWhiteSpace($0) }.prefix(4096)
    let whole = digits.count & ~3
    guard let content = Base64.decode(Array(digits.prefix(whole))) else {
        return .unknown(looksLike: "plain text")
    }
    if isSignedDataPKCS7(content[...]) || isPurchaseInfo(content[...]) { return .receipt }
    return .unknown(looksLike: "base64 of no known kind")
}

/// PKCS#7 SignedData: its object identifier stands right behind the outermost length.
private func isSignedDataPKCS7(_ bytes: ArraySlice<UInt8>) -> Bool {
    let identifier: [UInt8] = [
        0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02,
    ]
    guard bytes.first == 0x30 else { return false }
    return (2...6).contains { bytes.dropFirst($0).starts(with: identifier) }
}

/// The older receipt of one transaction: an old-style property list.
private func isPurchaseInfo(_ bytes: ArraySlice<UInt8>) -> Bool {
    let beginning = bytes.prefix(4096).filter { !isWhiteSpace($0) }
    guard beginning.first == UInt8(ascii: "{"), beginning.dropFirst().first == UInt8(ascii: "\"")
    else { return false }
    let text = String(decoding: beginning, as: UTF8.self)
    return text.contains("\"purchase-info\"=") || text.contains("\"signature\"=")
}

private func isWhiteSpace(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D: true
    default: false
    }
}

private func isBase64Byte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"),
        UInt8(ascii: "="):
        true
    default: false
    }
}

/// Also what does not belong into a JWS but is often found there: padding and the other alphabet.
private func isJWSByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
    default: isBase64Byte(byte)
    }
}
