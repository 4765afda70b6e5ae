/// What the service believes about a question, and why.
public struct Answer: Sendable, Equatable {
    /// What was asked.
    public let question: Question
    /// What is believed, and what to do.
    public let verdict: Verdict
    /// Where the order stands.
    public let status: OrderStatus
    /// The charges found, by purchase date. A subscription is one charge.
    public let charges: [ChargeAnswer]
    /// Charges that may belong here, or orders that a charge without one may belong to; best first.
    public let candidates: [Candidate]
    /// The order numbers concerned.
    public let orders: [String]
    /// The account asked about, or that of the order.
    public let account: String?
    /// Up to when what could contradict a denial is complete here.
    public let coverage: Coverage
    /// The first later instant at which time alone may change the answer: milliseconds since 1970
    /// UTC; `nil` when it never does.
    public let reviewAt: Int64?

    /// Whether anything was found under the name.
    public var foundSomething: Bool { verdict.code != .unknown }
}

/// A verdict with everything an agent needs to act on it.
public struct Verdict: Sendable, Equatable {
    /// The verdict as a machine code.
    public let code: VerdictCode
    /// What to do.
    public let action: Action
    /// Verdicts of lower rows that hold too.
    public let alsoTrue: [VerdictCode]
    /// What else is worth knowing: findings.
    public let remarks: [Remark]
    /// Keys of the events that prove it, oldest first; at most 256.
    public let proof: [[UInt8]]
    /// What the customer may be told. It never names another account.
    public let sentence: String
}

/// Up to when what is recorded here is complete: milliseconds since 1970 UTC, `nil` for unknown.
public struct Coverage: Sendable, Equatable {
    /// Apple's notification history.
    public var appleUntil: Int64?
    /// The delivery server's events.
    public var deliveryUntil: Int64?
    /// Transaction and e-mail order ids that Apple's production answers deny: they do not exist, or
    /// are not this app's.
    public var denied: Set<String>

    /// Nothing is known to be complete, nothing denied.
    public init(appleUntil: Int64? = nil, deliveryUntil: Int64? = nil, denied: Set<String> = []) {
        self.appleUntil = appleUntil
        self.deliveryUntil = deliveryUntil
        self.denied = denied
    }
}

/// Where an order stands (domain: lifecycles).
public struct OrderStatus: Sendable, Equatable {
    /// What the devices tried.
    public enum Attempt: String, Sendable, CaseIterable {
        case none, purchasing, deferred, cancelled, failed
    }
    /// What was paid.
    public enum Payment: String, Sendable, CaseIterable {
        case none
        /// A device says so.
        case reported
        case paid
        case refundedInPart = "refunded-in-part"
        case refunded
    }
    /// What was delivered.
    public enum Delivery: String, Sendable, CaseIterable {
        case none, requested, part, delivered, reversed
    }
    /// The marks in one word.
    public enum Headline: String, Sendable, CaseIterable {
        case refunded, delivered, paid, reported, deferred, purchasing, failed, cancelled
        case abandoned, created
        /// Nothing under this name.
        case none
    }

    /// What the devices tried last.
    public let attempt: Attempt
    /// What was paid.
    public let payment: Payment
    /// What was delivered.
    public let delivery: Delivery
    /// Whether every transaction was finished on a device.
    public let isFinished: Bool
    /// Whether the platform cancelled the order; a later payment counts all the same.
    public let isCancelled: Bool
    /// The marks in one word.
    public let headline: Headline
}

/// One charge and its verdict. Money is milliunits of `currency`, instants are milliseconds since
/// 1970 UTC.
public struct ChargeAnswer: Sendable, Equatable {
    /// Apple's id of the charge.
    public let transactionId: String
    /// The id that renewals share; its own where there is none.
    public let originalTransactionId: String
    /// The signed product: what is owed, whatever the order says.
    public let productId: String?
    /// The type in Apple's words.
    public let type: String?
    /// What was signed: at least 1.
    public let quantity: Int64
    /// The total that was paid; `nil` is unknown, not 0.
    public let price: Int64?
    /// ISO 4217.
    public let currency: String?
    /// Apple's environment, such as `Production`.
    public let environment: String?
    /// When it was bought.
    public let purchaseDate: Int64?
    /// When the period ends.
    public let expiresDate: Int64?
    /// Which order it belongs to; `nil` when none.
    public let link: LinkAnswer?
    /// Whose it is; `nil` when nothing says.
    public let owner: OwnerAnswer?
    /// What became of it.
    public let refund: RefundWord
    /// What stands delivered, less reversals, to the owner or to nobody named.
    public let delivered: Int64
    /// What is still owed.
    public let missing: Int64
    /// The number of the next grant: 1 plus the reversals so far.
    public let grant: Int
    /// The deliveries that fall on it.
    public let deliveries: [DeliveryAnswer]
    /// The verdict of this charge alone.
    public let verdict: VerdictCode
}

/// Which order a charge belongs to.
public struct LinkAnswer: Sendable, Equatable {
    /// How it is linked.
    public let strength: LinkStrength
    /// The order it is linked to.
    public let orderNumber: String
    /// Several orders are named with the same strength.
    public let isContested: Bool
}

/// How a transaction is linked to an order; strongest first (domain: identity).
public enum LinkStrength: String, Sendable, CaseIterable, Comparable {
    /// By an agent, with a reason.
    case agent
    /// By the `appAccountToken` that Apple signed.
    case signed
    /// By the platform's server.
    case platform
    /// By a client that carried both.
    case device
    /// Its original transaction is linked.
    case inherited

    private var rank: Int {
        switch self {
        case .agent: 0
        case .signed: 1
        case .platform: 2
        case .device: 3
        case .inherited: 4
        }
    }

    /// A stronger link precedes a weaker one.
    public static func < (left: LinkStrength, right: LinkStrength) -> Bool {
        left.rank < right.rank
    }
}

/// Whose a charge is, and what says so.
public struct OwnerAnswer: Sendable, Equatable {
    /// What says whose a charge is; strongest first.
    public enum Basis: String, Sendable, CaseIterable {
        /// An approved transfer.
        case transfer
        /// The account of the order that its best link names.
        case order
        /// The account registered for its token.
        case token
        /// The account in `applicationUsername` (account convention).
        case username
        /// The account whose delivery of it stands.
        case delivery
        /// The account that sent its verified evidence.
        case sender
    }

    /// The account.
    public let account: String
    /// What says so.
    public let basis: Basis
}

/// A delivery of a charge.
public struct DeliveryAnswer: Sendable, Equatable {
    /// The platform's id of the delivery.
    public let deliveryId: String
    /// What stands, less reversals.
    public let standing: Int64
    /// The account.
    public let account: String?
    /// When it succeeded: milliseconds since 1970 UTC.
    public let succeededAt: Int64?
}

/// What became of a charge (domain: refund words).
public enum RefundWord: String, Sendable, CaseIterable {
    case none
    case refunded
    /// Less than the whole: an agent should look.
    case refundedInPart = "refunded-in-part"
    /// For another reason than a refund: shown with its number, never called a refund.
    case withdrawn
    /// Superseded by an upgrade.
    case upgraded
    /// A shared entitlement ended.
    case familyRevoked = "family-revoked"
}
