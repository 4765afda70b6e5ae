/// Something true beside the verdict that an agent or an engineer should know.
public struct Remark: Sendable, Equatable {
    /// What it says.
    public let code: RemarkCode
    /// The transactions, orders, deliveries or words it is about; at most 64.
    public let subjects: [String]
    /// Whether it rests on our clock alone, where the device's own counter was not sent.
    public let isWeak: Bool
    /// Keys of the events that show it, oldest first; at most 64.
    public let events: [[UInt8]]
}

/// The remarks, a closed set.
public enum RemarkCode: String, Sendable, CaseIterable {
    /// Not everything that the answer needs was read: a bound was hit.
    case incomplete
    case finishedBeforeVerified = "finished-before-verified"
    case unfinishedBlocksRepurchase = "unfinished-blocks-repurchase"
    case replayFlood = "replay-flood"
    case lostOrderNumber = "lost-order-number"
    case linkConflict = "link-conflict"
    case transactionReused = "transaction-reused"
    case tokenMismatch = "token-mismatch"
    case productMismatch = "product-mismatch"
    case priceMismatch = "price-mismatch"
    case currencyMismatch = "currency-mismatch"
    case quantityMismatch = "quantity-mismatch"
    case deliveredNotPaid = "delivered-not-paid"
    case deliveredTwice = "delivered-twice"
    case refundNotRevoked = "refund-not-revoked"
    case environmentConflict = "environment-conflict"
    case sandboxInProduction = "sandbox-in-production"
    case stuckDeferred = "stuck-deferred"
    case stuckPurchasing = "stuck-purchasing"
    case finishUnacknowledged = "finish-unacknowledged"
    case refundedInPart = "refunded-in-part"
    case withdrawn
    case orderCancelled = "order-cancelled"
    case evidenceRefused = "evidence-refused"
    case unknownVocabulary = "unknown-vocabulary"

    /// Whether it rests only on what `AffectedOrders` follows. The others rest on what an
    /// installation or an account did elsewhere: no stored row can hold them, every answer does.
    public var isFollowed: Bool {
        switch self {
        case .unfinishedBlocksRepurchase, .replayFlood, .transactionReused, .incomplete: false
        case .finishedBeforeVerified, .lostOrderNumber, .linkConflict, .tokenMismatch,
            .productMismatch, .priceMismatch, .currencyMismatch, .quantityMismatch,
            .deliveredNotPaid, .deliveredTwice, .refundNotRevoked, .environmentConflict,
            .sandboxInProduction, .stuckDeferred, .stuckPurchasing, .finishUnacknowledged,
            .refundedInPart, .withdrawn, .orderCancelled, .evidenceRefused, .unknownVocabulary:
            true
        }
    }

    /// What it means, and what to do, in words for the agent.
    public var text: String {
        switch self {
        case .incomplete: "There is more under this name than was read; the answer may change."
        case .finishedBeforeVerified:
            "The app finished the purchase before the server had verified anything."
        case .unfinishedBlocksRepurchase:
            "An unfinished purchase of the same product blocks the next one: finish it from the "
                + "server."
        case .replayFlood: "Many callbacks arrived at once; distinct ids are distinct payments."
        case .lostOrderNumber: "The charge arrived with no order number."
        case .linkConflict: "One transaction is named for several orders; the earliest has it."
        case .transactionReused: "Several accounts sent this transaction."
        case .tokenMismatch: "The signed token names another order than the one named with it."
        case .productMismatch:
            "The order names another product than was signed; the signed one is owed."
        case .priceMismatch: "The order names another price than was signed."
        case .currencyMismatch: "The order names another currency than was signed."
        case .quantityMismatch:
            "The order names another quantity than was signed; the signed one is owed."
        case .deliveredNotPaid: "Something was delivered for which nothing signed is here."
        case .deliveredTwice: "More stands delivered than was signed."
        case .refundNotRevoked: "The charge was refunded and the goods still stand delivered."
        case .environmentConflict: "One transaction id is signed for two environments."
        case .sandboxInProduction:
            "A sandbox purchase stands under this name; no money was paid for it."
        case .stuckDeferred: "The approval that the purchase waits for did not come."
        case .stuckPurchasing: "The purchase was begun and has no outcome."
        case .finishUnacknowledged: "The purchase was never finished on the device."
        case .refundedInPart: "Apple refunded a part: look at the charge before you act."
        case .withdrawn: "Apple withdrew the transaction for another reason than a refund."
        case .orderCancelled: "The platform cancelled the order; a payment counts all the same."
        case .evidenceRefused: "Evidence was offered and refused."
        case .unknownVocabulary: "Apple's evidence uses words that these rules do not know."
        }
    }
}
