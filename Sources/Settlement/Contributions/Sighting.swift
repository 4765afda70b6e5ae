/// Where a candidate may be found: an index by bundle, product and instant, kept by the projection.
public struct Sighting: Hashable, Sendable, Comparable {
    /// What was seen.
    public enum Kind: String, Sendable, CaseIterable {
        /// A verified purchase; `instant` is its `purchaseDate`, `id` its transaction id.
        case charge
        /// An order or an attempt for one; `instant` is when we received it, `id` its number.
        case attempt
    }

    /// What was seen.
    public let kind: Kind
    /// Apple's bundle identifier.
    public let bundle: String
    /// Apple's product identifier.
    public let productId: String
    /// Milliseconds since 1970 UTC.
    public let instant: Int64
    /// A transaction id, or an order number.
    public let id: String

    /// A sighting as the index stores it.
    public init(kind: Kind, bundle: String, productId: String, instant: Int64, id: String) {
        self.kind = kind
        self.bundle = bundle
        self.productId = productId
        self.instant = instant
        self.id = id
    }

    /// By kind, bundle, product, instant and id.
    public static func < (left: Sighting, right: Sighting) -> Bool {
        (left.kind.rawValue, left.bundle, left.productId, left.instant, left.id)
            < (right.kind.rawValue, right.bundle, right.productId, right.instant, right.id)
    }
}

/// What an event lets others find: verified purchases that are no restore, and attempts for orders.
///
/// A set: the same sighting told twice is one row of the index.
public func sightings(of event: SettlementEvent) -> [Sighting] {
    var seen: Set<Sighting> = []
    for part in event.signedParts {
        guard let proven = part.transaction(in: event) else { continue }
        let snapshot = proven.snapshot
        guard let product = snapshot.productId, let date = snapshot.purchaseDate,
            snapshot.isPurchased, !snapshot.isRestore(of: proven.key.id)
        else { continue }
        seen.insert(
            Sighting(
                kind: .charge, bundle: proven.key.bundle, productId: product, instant: date,
                id: proven.key.id))
    }
    if let number = event.attemptedOrder, let product = event.identifier("productId") {
        seen.insert(
            Sighting(
                kind: .attempt, bundle: event.bundle, productId: product, instant: event.receivedAt,
                id: number))
    }
    return seen.sorted()
}

extension SettlementEvent {
    /// The order that the event creates or attempts to pay.
    fileprivate var attemptedOrder: String? {
        switch type {
        case "order.created": orderNumber("orderNumber")
        case "storekit.purchasing", "storekit.purchased", "storekit.failed", "storekit.deferred":
            orderNumber("applicationUsername")
        default: nil
        }
    }
}
