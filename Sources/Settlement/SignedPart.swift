internal import JSON

/// A signed part of an event, as its door judged it.
struct SignedPart {
    /// Whether it came by itself, not inside another part.
    let isOuter: Bool
    /// SHA-256 of the signed bytes, in hexadecimal.
    let digest: String
    let kind: String
    /// `verified`, `refused`, `unsigned`, or `nil` where nobody judged (a receipt).
    let status: String?
    let reason: String?
    let payload: JSONValue?

    init(_ json: JSONValue) {
        isOuter = json["in"]?.string == nil
        digest = json["digest"]?.string ?? ""
        kind = json["kind"]?.string ?? ""
        status = json["verification"]?["status"]?.string
        reason = json["verification"]?["reason"]?.string
        payload = json["payload"]
    }

    var isVerified: Bool { status == "verified" }
    var environment: String? { payload?["environment"]?.string }
    var bundle: String? { payload?["bundleId"]?.name }
    var transactionId: String? { payload?["transactionId"]?.name }

    /// Xcode signs with a key of the developer's own machine: whatever the door said, it proves
    /// nothing about money.
    private var isFromXcode: Bool { environment == "Xcode" || environment == "LocalTesting" }

    /// The transaction it proves, if it does. Mocks without an id are verified and pay nothing.
    func transaction(in event: SettlementEvent) -> (key: EntityKey, snapshot: TransactionSnapshot)?
    {
        guard kind == "transaction", isVerified, !isFromXcode, let payload, let id = transactionId
        else { return nil }
        return (.transaction(bundle ?? event.bundle, id), TransactionSnapshot(payload))
    }

    /// The renewal info it proves, if it does.
    func renewal(in event: SettlementEvent) -> (key: EntityKey, snapshot: RenewalSnapshot)? {
        guard kind == "renewal", isVerified, !isFromXcode, let payload,
            let original = payload["originalTransactionId"]?.name
        else { return nil }
        // Renewal info has no bundle of its own: that of the notification around it.
        let outer = event.parts.first?["payload"]?.at("data", "bundleId")?.name
        return (.subscription(bundle ?? outer ?? event.bundle, original), RenewalSnapshot(payload))
    }
}

extension SettlementEvent {
    var signedParts: [SignedPart] { parts.map(SignedPart.init) }
}
