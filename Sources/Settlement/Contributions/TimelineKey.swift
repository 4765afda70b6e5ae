internal import JSON

/// A name under which an event can be found again.
public struct TimelineKey: Hashable, Sendable, Comparable {
    /// What kind of name it is.
    public enum Kind: String, Sendable, CaseIterable {
        /// An order number, or whatever stood in `applicationUsername`.
        case order
        case transaction
        case originalTransaction = "original-transaction"
        case webOrderLineItem = "web-order-line-item"
        /// An `appAccountToken` in lower case.
        case token
        case claim
        /// An order id of Apple's e-mail.
        case appleOrderId = "apple-order-id"
        case account
        case device
    }

    /// What kind of name it is.
    public let kind: Kind
    /// Apple's bundle identifier; empty when the event named none.
    public let bundle: String
    /// The name itself.
    public let value: String

    /// A key as the timeline stores it.
    public init(kind: Kind, bundle: String, value: String) {
        self.kind = kind
        self.bundle = bundle
        self.value = value
    }

    /// By kind, bundle and value.
    public static func < (left: TimelineKey, right: TimelineKey) -> Bool {
        (left.kind.rawValue, left.bundle, left.value)
            < (right.kind.rawValue, right.bundle, right.value)
    }
}

/// Every name that an event carries: in plain, in its verified parts, or in an answer of Apple's
/// that an operator brought in. What an unverified part says is not a name: a forgery could else
/// put itself into anybody's timeline.
public func timelineKeys(of event: SettlementEvent) -> [TimelineKey] {
    var keys: Set<TimelineKey> = []
    func add(_ kind: TimelineKey.Kind, _ bundle: String, _ value: String?) {
        guard let value, !value.isEmpty else { return }
        keys.insert(TimelineKey(kind: kind, bundle: bundle, value: value))
    }
    func add(purchase key: EntityKey, _ snapshot: TransactionSnapshot) {
        add(.transaction, key.bundle, key.id)
        add(.originalTransaction, key.bundle, snapshot.originalTransactionId)
        add(.webOrderLineItem, key.bundle, snapshot.webOrderLineItemId)
        add(.token, key.bundle, snapshot.appAccountToken)
    }
    let bundle = event.bundle
    for name in ["orderNumber", "applicationUsername"] {
        add(.order, bundle, event.orderNumber(name))
    }
    add(.transaction, bundle, event.identifier("transactionId"))
    add(.originalTransaction, bundle, event.identifier("originalTransactionId"))
    add(.token, bundle, event.uuid("appAccountToken"))
    add(.claim, bundle, event.identifier("claimId"))
    add(.appleOrderId, bundle, event.identifier("orderId") ?? event.appleOrderId)
    add(.account, bundle, event.account)
    add(.device, bundle, event.identifier("deviceId"))
    for id in event.data["transactionIds"]?.array ?? [] { add(.transaction, bundle, id.name) }
    for part in event.signedParts where part.isVerified {
        guard let payload = part.payload else { continue }
        let bundle = part.bundle ?? bundle
        add(.transaction, bundle, part.transactionId)
        add(.originalTransaction, bundle, payload["originalTransactionId"]?.name)
        add(.webOrderLineItem, bundle, payload["webOrderLineItemId"]?.name)
        add(.token, bundle, OrderNumber.read(payload["appAccountToken"]?.name))
        for proven in part.receiptEntries(in: event) { add(purchase: proven.key, proven.snapshot) }
    }
    for line in event.unsignedLines { add(purchase: line.key, line.snapshot) }
    return keys.sorted()
}
