/// The kinds of thing that facts are about.
public enum EntityKind: String, Sendable, CaseIterable {
    /// An order of the platform: its number.
    case order
    /// A transaction of Apple's: its `transactionId`.
    case transaction
    /// Everything under one `originalTransactionId`.
    case subscription
    /// An `appAccountToken`: a UUID in lower case.
    case token
    /// A user of the platform: opaque.
    case account
    /// A delivery: the platform's `deliveryId`.
    case delivery
    /// One installation of the app on one device.
    case installation
    /// An order id of Apple's e-mail (`M…`).
    case appleOrder = "apple-order"
}

/// The identity of what facts are about, within one bundle.
public struct EntityKey: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// What kind of thing it is.
    public let kind: EntityKind
    /// Apple's bundle identifier; empty when the event named none.
    public let bundle: String
    /// Its identity within the bundle, as bytes.
    public let id: String

    /// A key as it stands: use `EntityKey.order` where an order number may be a UUID.
    public init(kind: EntityKind, bundle: String, id: String) {
        self.kind = kind
        self.bundle = bundle
        self.id = id
    }

    /// The key of an order: a UUID is compared in lower case, nothing else is folded.
    public static func order(_ bundle: String, _ number: String) -> EntityKey {
        EntityKey(kind: .order, bundle: bundle, id: OrderNumber.folded(number))
    }

    /// The key of a transaction.
    public static func transaction(_ bundle: String, _ id: String) -> EntityKey {
        EntityKey(kind: .transaction, bundle: bundle, id: id)
    }

    /// The key of what shares an original transaction.
    public static func subscription(_ bundle: String, _ id: String) -> EntityKey {
        EntityKey(kind: .subscription, bundle: bundle, id: id)
    }

    /// The key of a token, whose UUID is compared in lower case.
    public static func token(_ bundle: String, _ id: String) -> EntityKey {
        EntityKey(kind: .token, bundle: bundle, id: OrderNumber.folded(id))
    }

    /// The key of an account.
    public static func account(_ bundle: String, _ id: String) -> EntityKey {
        EntityKey(kind: .account, bundle: bundle, id: id)
    }

    /// The key of a delivery.
    public static func delivery(_ bundle: String, _ id: String) -> EntityKey {
        EntityKey(kind: .delivery, bundle: bundle, id: id)
    }

    /// The key of an installation, by the name that `SettlementEvent.installation` gives it.
    public static func installation(_ bundle: String, _ id: String) -> EntityKey {
        EntityKey(kind: .installation, bundle: bundle, id: id)
    }

    /// The key of an order id of Apple's e-mail.
    public static func appleOrder(_ bundle: String, _ id: String) -> EntityKey {
        EntityKey(kind: .appleOrder, bundle: bundle, id: id)
    }

    /// The key for logs: kind, bundle and id.
    public var description: String { "\(kind.rawValue) \(bundle)/\(id)" }

    // Identities are bytes: Swift's own `==` on strings folds canonically equivalent ones.

    /// Equal when kind, bundle and id are the same bytes.
    public static func == (left: EntityKey, right: EntityKey) -> Bool {
        left.kind == right.kind && sameBytes(left.id, right.id)
            && sameBytes(left.bundle, right.bundle)
    }

    /// Hashes kind, bundle and id as bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        for var text in [bundle, id] {
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            hasher.combine(UInt8(0xFF))
        }
    }

    /// By kind, then by the bytes of bundle and id.
    public static func < (left: EntityKey, right: EntityKey) -> Bool {
        if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
        if !sameBytes(left.bundle, right.bundle) { return bytesPrecede(left.bundle, right.bundle) }
        return bytesPrecede(left.id, right.id)
    }
}
