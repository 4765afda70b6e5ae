/// What somebody wants to know, and who asks.
public struct Question: Hashable, Sendable {
    /// What the question is about.
    public enum Subject: Hashable, Sendable {
        /// An order number, or whatever stood in `applicationUsername`: in the account convention
        /// the answer is about that account.
        case order(String)
        /// A `transactionId`, or an `originalTransactionId` with its renewals.
        case transaction(String)
        /// An `appAccountToken`.
        case token(String)
        /// An order id of Apple's e-mail.
        case appleOrder(String)
        /// An account, narrowed to a purchase where the customer described one.
        case account(String, PurchaseDescription?)
    }

    /// Apple's bundle identifier.
    public let bundle: String
    /// What the question is about.
    public let subject: Subject
    /// The account that claims, if known. Whoever asks about an account is that account.
    public let claimant: String?

    /// A question about one bundle. UUIDs in order numbers and tokens are read in lower case.
    public init(bundle: String, subject: Subject, claimant: String? = nil) {
        self.bundle = bundle
        switch subject {
        case .order(let number): self.subject = .order(OrderNumber.folded(number))
        case .token(let token): self.subject = .token(OrderNumber.folded(token))
        case .transaction, .appleOrder, .account: self.subject = subject
        }
        self.claimant = claimant
    }

    /// A question about an order number.
    public static func order(_ bundle: String, _ number: String, claimant: String? = nil)
        -> Question
    {
        Question(bundle: bundle, subject: .order(number), claimant: claimant)
    }

    /// A question about a transaction or everything under an original transaction.
    public static func transaction(
        _ bundle: String, _ id: String, claimant: String? = nil
    ) -> Question {
        Question(bundle: bundle, subject: .transaction(id), claimant: claimant)
    }

    /// A question about an `appAccountToken`.
    public static func token(_ bundle: String, _ token: String, claimant: String? = nil) -> Question
    {
        Question(bundle: bundle, subject: .token(token), claimant: claimant)
    }

    /// A question about an order id of Apple's e-mail.
    public static func appleOrder(
        _ bundle: String, _ id: String, claimant: String? = nil
    ) -> Question {
        Question(bundle: bundle, subject: .appleOrder(id), claimant: claimant)
    }

    /// A question about an account.
    public static func account(
        _ bundle: String, _ account: String, _ purchase: PurchaseDescription? = nil
    ) -> Question {
        Question(bundle: bundle, subject: .account(account, purchase), claimant: account)
    }
}

/// What a customer can say of a purchase without naming it. Money is milliunits of `currency`.
public struct PurchaseDescription: Hashable, Sendable {
    /// Apple's product identifier.
    public var productId: String?
    /// What was paid, in milliunits.
    public var amount: Int64?
    /// ISO 4217.
    public var currency: String?
    /// When the customer says it was: milliseconds since 1970 UTC.
    public var claimedAt: Int64?

    /// A description; what is `nil` the customer did not say.
    public init(
        productId: String? = nil, amount: Int64? = nil, currency: String? = nil,
        claimedAt: Int64? = nil
    ) {
        self.productId = productId
        self.amount = amount
        self.currency = currency
        self.claimedAt = claimedAt
    }

    var isEmpty: Bool { productId == nil && amount == nil && claimedAt == nil }
}
