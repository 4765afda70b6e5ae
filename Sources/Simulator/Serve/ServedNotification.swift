internal import JSON

/// An entry of the notification history.
struct ServedNotification: Sendable {
    /// `{"signedPayload", "sendAttempts"}` as it stands in the file.
    let entry: [UInt8]
    let type: String
    let subtype: String?
    let bundleId: String
    /// Milliseconds since 1970 UTC.
    let signedDate: Int64
    /// The subscription or purchase that it is about.
    let originalTransactionId: String?
    let signedRenewalInfo: String?
    /// The subscription's state, from 1 to 5.
    let status: Int64?
    /// Whether any attempt to send it succeeded.
    let wasReceived: Bool

    init?(_ value: JSONValue, in line: [UInt8]) {
        guard let payload = value["signedPayload"]?.string.flatMap(JSONValue.init(payloadOf:)),
            let type = payload["notificationType"]?.string,
            let bundleId = payload.at("data", "bundleId")?.string,
            let signedDate = payload["signedDate"]?.int64
        else { return nil }
        entry = Array(line[value.range])
        self.type = type
        subtype = payload["subtype"]?.string
        self.bundleId = bundleId
        self.signedDate = signedDate
        let signed = payload.at("data", "signedTransactionInfo")?.string
        originalTransactionId = signed.flatMap(ServedTransaction.init)?.originalId
        signedRenewalInfo = payload.at("data", "signedRenewalInfo")?.string
        status = payload.at("data", "status")?.int64
        wasReceived = (value["sendAttempts"]?.array ?? []).contains {
            $0["sendAttemptResult"]?.string == "SUCCESS"
        }
    }
}
