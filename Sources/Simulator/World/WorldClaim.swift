extension World {
    /// What a customer says to support, and what it is in truth.
    public struct Claim: Sendable, Equatable {
        /// How the customer means it.
        public enum Honesty: String, Sendable, CaseIterable {
            /// Paid, and something is wrong.
            case honest
            /// Believes what is not so.
            case mistaken
            /// Lies.
            case dishonest
        }

        /// What lies behind it.
        public enum Story: String, Sendable, CaseIterable {
            /// Charged, and the goods (or some of them) did not come.
            case notDelivered = "not-delivered"
            /// Charged twice for one order.
            case chargedTwice = "charged-twice"
            /// The goods went to somebody else.
            case deliveredToOther = "delivered-to-other"
            /// The refund was reversed, the goods are still gone.
            case refundReversed = "refund-reversed"
            /// The goods are there; the customer overlooked them.
            case alreadyDelivered = "already-delivered"
            /// Tried to pay, and was not charged.
            case notCharged = "not-charged"
            /// Plays with another account than the one that got the goods.
            case otherAccount = "other-account"
            /// Apple gave the money back.
            case refunded = "refunded"
            /// The subscription is over.
            case lapsed = "lapsed"
            /// Asks for a purchase that the family's organiser paid.
            case shared = "shared"
            /// Bought in the sandbox.
            case sandbox = "sandbox"
            /// Waits for a parent.
            case waitsForParent = "waits-for-parent"
            /// Never paid, and says so of an order that was only made.
            case neverPaid = "never-paid"
            /// Sends somebody else's genuine proof, or its number.
            case replayed = "replayed"
            /// Sends a forged proof.
            case forged = "forged"
            /// Makes up an order number or an order id of Apple's.
            case invented = "invented"
        }

        /// Our id.
        public let id: String
        /// When it was opened: milliseconds since 1970 UTC.
        public let openedAt: Int64
        /// Who claims: index into `Life.accounts`.
        public let account: Int
        /// How it is meant.
        public let honesty: Honesty
        /// What lies behind it.
        public let story: Story
        /// The order that it is really about: index into `Life.orders`.
        public let order: Int?
        /// The transaction that it is really about: index into `Life.transactions`.
        public let transaction: Int?
        /// What the customer can name.
        public let named: Named
        /// What the customer uploads with it, later (`claim.evidence-added`).
        public let evidence: Evidence?
        /// The customer's words.
        public let statement: String
        /// `chat`, `mail` or `store-review`.
        public let channel: String
    }

    /// What a customer can name of a purchase; as the members of `claim.opened`.
    public struct Named: Sendable, Equatable {
        /// An order number (numbering `account`: the account).
        public var applicationUsername: String?
        /// From a screenshot.
        public var transactionId: String?
        /// From Apple's e-mail.
        public var appleOrderId: String?
        /// The product's identifier.
        public var productId: String?
        /// Milliunits of `currency`.
        public var amount: Int64?
        /// ISO 4217.
        public var currency: String?
        /// When the customer believes it was: milliseconds since 1970 UTC.
        public var claimedAt: Int64?

        /// Nothing.
        public init() {}
    }
}
