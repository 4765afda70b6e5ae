import JSON
import Settlement

/// Writes a history event by event. Times are minutes since its start.
struct History {
    static let bundle = "com.example.game"
    static let start: Int64 = 1_767_225_600_000

    static func instant(_ minutes: Int) -> Int64 { start + Int64(minutes) * 60_000 }

    var events: [SettlementEvent] = []
    /// The account, device and installation that device events come from.
    var account: String? = "anna"
    var device = "phone"
    private var count = 0

    init() {}

    mutating func add(
        _ type: String, at minutes: Int, _ data: JSONValue, parts: [JSONValue] = []
    ) {
        count += 1
        let key = Array(digest("event \(count) \(type)").prefix(16))
        events.append(
            SettlementEvent(
                key: key, source: "test", type: type, receivedAt: Self.instant(minutes), data: data,
                parts: parts))
    }

    // MARK: Platform

    mutating func created(
        _ number: String, at minutes: Int = 0, product: String = "gems.60", price: Int64? = 990,
        currency: String? = "USD", quantity: Int? = nil, account: String? = "anna",
        token: String? = nil
    ) {
        add(
            "order.created", at: minutes,
            json([
                "bundleId": Self.bundle, "orderNumber": number, "productId": product,
                "price": price, "currency": currency, "quantity": quantity, "account": account,
                "appAccountToken": token,
            ]))
    }

    mutating func cancelled(_ number: String, at minutes: Int) {
        add("order.cancelled", at: minutes, json(["bundleId": Self.bundle, "orderNumber": number]))
    }

    mutating func named(_ transaction: String, for number: String, at minutes: Int) {
        add(
            "order.payment-linked", at: minutes,
            json([
                "bundleId": Self.bundle, "orderNumber": number, "transactionId": transaction,
            ]))
    }

    mutating func registered(_ account: String, token: String, at minutes: Int = 0) {
        add(
            "account.registered", at: minutes,
            json(["bundleId": Self.bundle, "account": account, "appAccountToken": token]))
    }

    // MARK: Device

    mutating func storeKit(
        _ what: String, _ number: String?, _ transaction: String? = nil, at minutes: Int,
        product: String? = "gems.60", original: String? = nil, sequence: Int? = nil,
        error: (String, Int)? = nil, acknowledged: Bool? = nil, proof: [JSONValue] = []
    ) {
        add(
            "storekit.\(what)", at: minutes,
            json([
                "bundleId": Self.bundle, "applicationUsername": number,
                "transactionId": transaction, "originalTransactionId": original,
                "productId": product, "account": account, "deviceId": device,
                "installation": "\(device)-1", "sequence": sequence, "errorDomain": error?.0,
                "errorCode": error?.1, "acknowledgedByServer": acknowledged,
            ]), parts: proof)
    }

    /// A purchase with its signed proof.
    mutating func bought(
        _ number: String?, _ signed: Signed, at minutes: Int, sequence: Int? = nil,
        bundle: String? = nil
    ) {
        storeKit(
            "purchased", number, signed.id, at: minutes, product: signed.product,
            sequence: sequence, proof: [signed.part(path: "data.signedTransaction")])
    }

    // MARK: Apple

    mutating func notified(
        _ signed: Signed?, renewal: Renewal? = nil, at minutes: Int
    ) {
        let outer = hex(digest("notification \(count) \(minutes)"))
        let notification = json([
            "path": "", "digest": outer, "kind": "notification",
            "verification": json(["status": "verified"]),
            "payload": json(["data": json(["bundleId": Self.bundle])]),
        ])
        let nested = [
            signed?.part(path: "data.signedTransactionInfo", inside: outer),
            renewal?.part(inside: outer),
        ]
        add(
            "appstore.notification", at: minutes, json([:]),
            parts: [notification] + nested.compactMap { $0 })
    }

    mutating func lookedUp(_ order: String, _ signed: [Signed], at minutes: Int) {
        add(
            "appstore.answer", at: minutes,
            json([
                "bundleId": Self.bundle, "endpoint": "lookup",
                "request": json(["orderId": order]),
            ]),
            parts: signed.map { $0.part(path: "signedTransactions") })
    }

    // MARK: Delivery

    mutating func delivery(
        _ step: String, _ id: String, at minutes: Int, order: String? = nil,
        transaction: String? = nil, account: String? = "anna", product: String? = "gems.60",
        quantity: Int? = 1, grant: String? = nil
    ) {
        add(
            "delivery.\(step)", at: minutes,
            json([
                "bundleId": Self.bundle, "deliveryId": id, "orderNumber": order,
                "transactionId": transaction, "account": account, "productId": product,
                "quantity": quantity, "grant": grant,
            ]))
    }

    // MARK: Support

    mutating func linked(
        _ transaction: String, to number: String?, _ isLinked: Bool = true, at minutes: Int
    ) {
        add(
            isLinked ? "payment.linked" : "payment.unlinked", at: minutes,
            json([
                "bundleId": Self.bundle, "transactionId": transaction, "orderNumber": number,
                "reason": "test",
            ]))
    }

    mutating func claim(
        _ id: String, at minutes: Int, account: String? = nil, order: String? = nil,
        transaction: String? = nil, apple: String? = nil, product: String? = nil,
        amount: Int64? = nil, currency: String? = nil, claimedAt: Int? = nil
    ) {
        add(
            "claim.opened", at: minutes,
            json([
                "bundleId": Self.bundle, "claimId": id, "account": account,
                "applicationUsername": order, "transactionId": transaction, "orderId": apple,
                "productId": product, "amount": amount, "currency": currency,
                "claimedAt": claimedAt.map(Self.instant),
            ]))
    }

    mutating func settings(_ data: KeyValuePairs<String, Any?>) { set("settings.changed", data) }

    mutating func policy(_ data: KeyValuePairs<String, Any?>) { set("policy.changed", data) }

    private mutating func set(_ type: String, _ data: KeyValuePairs<String, Any?>) {
        let bundle = JSONMember("bundleId", JSONValue(.string(Self.bundle)))
        add(type, at: 0, JSONValue(.object((json(data).members ?? []) + [bundle])))
    }
}
