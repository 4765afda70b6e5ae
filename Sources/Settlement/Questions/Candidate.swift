/// A charge that may belong to an order, or an order that a charge may belong to. For an agent to
/// choose from, never linked automatically.
public struct Candidate: Sendable, Equatable {
    /// What speaks for it.
    public enum Reason: String, Sendable, CaseIterable {
        case product, window, price, account, customer, device, storefront
        /// Apple's look-up of the order id that the customer named gave it.
        case appleLookUp = "apple-look-up"

        /// Weights chosen so that the default threshold of 26 is product, window and price, or
        /// product, window and account; the small ones together (5) replace neither.
        var weight: Int64 {
            switch self {
            case .product, .window: 10
            case .price, .account: 8
            case .customer, .device: 2
            case .storefront: 1
            case .appleLookUp: 26
            }
        }
    }

    /// What speaks against it, each by one point: too little to rule it out, since goods do go to
    /// the wrong account.
    public enum Doubt: String, Sendable, CaseIterable {
        case sentByAnother = "sent-by-another"
        case deliveredToAnother = "delivered-to-another"
    }

    /// Apple's id of the charge.
    public let transactionId: String
    /// The order it may belong to; `nil` when the question named none.
    public let orderNumber: String?
    /// The signed product.
    public let productId: String?
    /// Money is milliunits of `currency`.
    public let price: Int64?
    /// ISO 4217.
    public let currency: String?
    /// Milliseconds since 1970 UTC.
    public let purchaseDate: Int64?
    /// What speaks for it.
    public let reasons: [Reason]
    /// What speaks against it.
    public let doubts: [Doubt]
    /// The weights of the reasons less the doubts.
    public let score: Int64
    /// Whether the score reaches the policy's, or the account's own devices or Apple's look-up
    /// brought it.
    public let isLikely: Bool
    /// Other orders that fit the same charge.
    public let rivals: [String]
}
