internal import JSON

/// A transaction as Apple tells it at the world's end.
struct ServedTransaction: Sendable {
    /// The customer in one app.
    struct Customer: Hashable, Sendable {
        let bundleId: String
        let appTransactionId: String
    }

    /// As it is signed.
    let jws: String
    let id: String
    let originalId: String
    let customer: Customer
    let productId: String
    /// Apple's word for the kind of product.
    let type: String
    let subscriptionGroup: String?
    let ownership: String
    /// Milliseconds since 1970 UTC, as all instants here.
    let purchaseDate: Int64
    let expiresDate: Int64?
    let revocationDate: Int64?
    /// Whether money went back, in full or in part.
    let isRefunded: Bool

    init?(_ jws: String) {
        guard let payload = JSONValue(payloadOf: jws), let id = payload["transactionId"]?.string,
            let bundleId = payload["bundleId"]?.string,
            let productId = payload["productId"]?.string,
            let purchaseDate = payload["purchaseDate"]?.int64
        else { return nil }
        self.jws = jws
        self.id = id
        originalId = payload["originalTransactionId"]?.string ?? id
        customer = Customer(
            bundleId: bundleId,
            appTransactionId: payload["appTransactionId"]?.string ?? originalId)
        self.productId = productId
        type = payload["type"]?.string ?? ""
        subscriptionGroup = payload["subscriptionGroupIdentifier"]?.string
        ownership = payload["inAppOwnershipType"]?.string ?? "PURCHASED"
        self.purchaseDate = purchaseDate
        expiresDate = payload["expiresDate"]?.int64
        revocationDate = payload["revocationDate"]?.int64
        isRefunded =
            revocationDate != nil && ownership == "PURCHASED"
            && payload["revocationType"]?.string != "FAMILY_REVOKE"
    }
}
