/// What a customer may use, and since when and until when: milliseconds since 1970 UTC.
public struct Entitlement: Sendable, Equatable {
    /// The sorts of goods, a closed set.
    public enum Kind: String, Sendable, CaseIterable {
        /// Granted once per charge.
        case consumable
        /// Owned until revoked; a restore is the same entitlement.
        case nonConsumable = "non-consumable"
        /// Its end is the platform's.
        case nonRenewing = "non-renewing"
        case autoRenewable = "auto-renewable"
        /// A type that these rules do not know, or none was told.
        case unknown
    }

    /// Why the customer has it.
    public enum Basis: String, Sendable, CaseIterable {
        case purchased
        /// Shared in a family: nobody paid us for it.
        case shared
    }

    /// How it stands, a closed set.
    public enum State: String, Sendable, CaseIterable {
        case active
        /// Bought for later.
        case upcoming
        /// Over, but Apple asks to keep the service up while it tries to bill.
        case grace
        /// Over, and Apple tries to bill: the service may stop.
        case billingRetry = "billing-retry"
        case expired
        /// The money was given back.
        case refunded
        /// Family sharing ended.
        case revoked
        /// Apple withdrew it for another reason than a refund.
        case withdrawn
        /// An upgrade replaced it.
        case superseded

        /// Whether the customer may use it.
        public var grantsAccess: Bool {
            switch self {
            case .active, .grace: true
            case .upcoming, .billingRetry, .expired, .refunded, .revoked, .withdrawn, .superseded:
                false
            }
        }
    }

    /// Its identity: the original transaction of what renews or is restored, else the transaction.
    public let id: String
    /// The transaction that speaks for it: of a subscription, the current period.
    public let transactionId: String
    /// The signed product.
    public let productId: String?
    /// The sort of goods.
    public let kind: Kind
    /// Why the customer has it.
    public let basis: Basis
    /// How it stands.
    public let state: State
    /// What was signed: at least 1.
    public let quantity: Int64
    /// When the transaction that speaks was bought.
    public let since: Int64?
    /// When it ends or ended; `nil` where nothing of Apple's says.
    public let until: Int64?
    /// Whether it will be renewed; `nil` where nothing says.
    public let willRenew: Bool?
    /// What it will be renewed as, where that is another product.
    public let nextProductId: String?
    /// Of a refunded consumable: what still stands delivered for it.
    public let debt: Int64
    /// Whose it is; `nil` when nothing says.
    public let account: String?
}
