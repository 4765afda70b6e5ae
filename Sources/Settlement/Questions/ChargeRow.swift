/// What Apple signed of one transaction, in the columns that people query: its newest verified
/// snapshot. Link, owner and verdict are an answer's business, since they depend on more.
public struct ChargeRow: Sendable, Equatable {
    /// The transaction.
    public let key: EntityKey
    /// The first transaction of the subscription, or the one restored.
    public let originalTransactionId: String?
    /// The product that was signed.
    public let productId: String?
    /// As signed; `nil` where Apple said none.
    public let quantity: Int64?
    /// In milliunits of `currency`; `nil` is unknown, not 0.
    public let price: Int64?
    /// ISO 4217.
    public let currency: String?
    /// `Production` or `Sandbox`.
    public let environment: String?
    /// `PURCHASED` or `FAMILY_SHARED`; `nil` means purchased.
    public let ownership: String?
    /// Milliseconds since 1970 UTC.
    public let purchaseDate: Int64?
    /// Milliseconds since 1970 UTC.
    public let revocationDate: Int64?
    /// Whether it pays: bought, no restore, in an environment that the bundle's settings accept. A
    /// sandbox purchase of an account to which such are delivered is not counted here.
    public let isCharge: Bool

    /// The row of a transaction; `nil` for anything else, and where nothing is verified.
    public init?(_ key: EntityKey, _ facts: Facts, settings: Settings) {
        guard case .transaction(let transaction) = facts else { return nil }
        let file = CaseFile(
            Dossier(), bundle: key.bundle, settings: settings, clock: Clock(now: .max))
        guard let signed = file.snapshot(of: transaction) else { return nil }
        self.key = key
        originalTransactionId = signed.originalTransactionId
        productId = signed.productId
        quantity = signed.quantity
        price = signed.price
        currency = signed.currency
        environment = signed.environment
        ownership = signed.ownership
        purchaseDate = signed.purchaseDate
        revocationDate = signed.revocationDate
        isCharge = file.kind(of: key.id, signed, owner: nil) == .charge
    }
}
