import JSON

/// A transaction that Apple signed, and how a door judged it.
struct Signed {
    var id: String
    var original: String?
    var product = "gems.60"
    var type = "Consumable"
    var quantity: Int? = 1
    var price: Int64? = 990
    var currency: String? = "USD"
    var ownership: String? = "PURCHASED"
    var token: String?
    var customer: String?
    var environment: String? = "Production"
    var bundle = History.bundle
    var reason: String?
    /// Minutes since the start of the history.
    var purchased = 0
    var expires: Int?
    /// When this copy was signed; by default when it was bought.
    var signed: Int?
    var revoked: Int?
    var revocationReason: Int?
    var revocationType: String?
    var revocationPercentage: Int?
    var isUpgraded: Bool?
    var offerType: Int?
    var storefront: String?
    var status = "verified"
    var refusal: String?
    /// Tells copies apart that say the same.
    var copy = ""

    init(_ id: String) { self.id = id }

    func with(_ change: (inout Signed) -> Void) -> Signed {
        var copy = self
        change(&copy)
        return copy
    }

    var payload: JSONValue {
        json([
            "transactionId": id, "originalTransactionId": original ?? id, "bundleId": bundle,
            "productId": product, "type": type, "quantity": quantity, "price": price,
            "currency": currency, "inAppOwnershipType": ownership, "appAccountToken": token,
            "appTransactionId": customer, "environment": environment,
            "transactionReason": reason, "purchaseDate": History.instant(purchased),
            "expiresDate": expires.map(History.instant),
            "signedDate": History.instant(signed ?? purchased),
            "revocationDate": revoked.map(History.instant),
            "revocationReason": revocationReason, "revocationType": revocationType,
            "revocationPercentage": revocationPercentage, "isUpgraded": isUpgraded,
            "offerType": offerType, "storefront": storefront,
        ])
    }

    var digestText: String {
        var writer = JSONWriter()
        writer.value(payload)
        return hex(digest(writer.text + copy))
    }

    func part(path: String, inside outer: String? = nil) -> JSONValue {
        json([
            "path": path, "digest": digestText, "in": outer, "kind": "transaction",
            "verification": json(["status": status, "reason": refusal]), "payload": payload,
        ])
    }
}

/// Renewal info that Apple signed.
struct Renewal {
    var original: String
    var signed = 0
    var isRetrying: Bool?
    var graceEnds: Int?
    var environment = "Production"

    func part(inside outer: String) -> JSONValue {
        json([
            "path": "data.signedRenewalInfo",
            "digest": hex(digest("renewal \(original) \(signed)")),
            "in": outer, "kind": "renewal", "verification": json(["status": "verified"]),
            "payload": json([
                "originalTransactionId": original, "environment": environment,
                "signedDate": History.instant(signed), "isInBillingRetryPeriod": isRetrying,
                "gracePeriodExpiresDate": graceEnds.map(History.instant),
            ]),
        ])
    }
}

/// Evidence that is no transaction: a receipt that nobody judged, or what could not be read.
func unreadable(_ name: String, kind: String = "receipt", reason: String? = nil) -> JSONValue {
    json([
        "path": "data.receipt", "digest": hex(digest(name)), "kind": kind,
        "verification": reason.map { json(["status": "refused", "reason": $0]) },
    ])
}
