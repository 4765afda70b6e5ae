extension World {
    /// An order of the platform.
    public struct Order: Sendable, Equatable {
        /// As the platform issued it.
        public let number: String
        /// Who ordered: index into `Life.accounts`.
        public let account: Int
        /// What was ordered.
        public let product: Product
        /// How many.
        public let quantity: Int64
        /// The whole price in milliunits of the storefront's currency, as the platform expects it.
        public let price: Int64
        /// Where it is to be paid.
        public let storefront: Storefront
        /// The UUID that stands for the order at Apple, in lower case; `nil` unless it is a UUID.
        public let token: String?
        /// Milliseconds since 1970 UTC.
        public let createdAt: Int64
        /// When the platform gave it up.
        public var cancelledAt: Int64?
    }

    /// What took money or gave access, according to Apple. Instants are milliseconds since 1970
    /// UTC, money is milliunits of `storefront.currency`.
    public struct Transaction: Sendable, Equatable {
        /// Unique in the world.
        public let id: String
        /// The first of the subscription, or the restored one; else its own.
        public var originalId: String
        /// Subscriptions only.
        public var webOrderLineItemId: String?
        /// The order id on Apple's e-mail to the buyer; in no signed payload.
        public let appleOrderId: String
        /// Whose it is: index into `Life.appleAccounts`.
        public let appleAccount: Int
        /// What was bought.
        public let product: Product
        /// How many.
        public var quantity: Int64 = 1
        /// The whole price.
        public var price: Int64
        /// Where it was paid.
        public let storefront: Storefront
        /// `appAccountToken`, in lower case.
        public var token: String?
        /// `Production` or `Sandbox`.
        public var environment = "Production"
        /// A family member's share of somebody else's purchase.
        public var isFamilyShared = false
        /// A restore: another id for what was bought before.
        public var isRestore = false
        /// A renewal, which no order was made for.
        public var isRenewal = false
        /// When Apple charged (or restored, or shared).
        public let purchaseDate: Int64
        /// That of the original.
        public var originalPurchaseDate: Int64
        /// The end of the period; subscriptions only.
        public var expiresDate: Int64?
        /// 1 introductory, 2 promotional, 3 offer code, 4 win-back.
        public var offerType: Int64?
        /// The offer's name, where it has one.
        public var offerIdentifier: String?
        /// When an upgrade replaced it.
        public var upgradedAt: Int64?
        /// Its refund or revocation, if any.
        public var revocation: Revocation?
        /// For which order it was bought in truth, whatever anybody tells: index into
        /// `Life.orders`. A renewal belongs to the order of its first purchase.
        public var order: Int?
        /// Who is entitled to the goods in truth: index into `Life.accounts`.
        public var owner: Int

        /// Whether Apple took this money, from this Apple account, in production.
        public var isCharge: Bool {
            environment == "Production" && !isFamilyShared && !isRestore
        }
    }

    /// A refund, in full or of a part, or the end of a family's sharing.
    public struct Revocation: Sendable, Equatable {
        /// Why the access ended.
        public enum Kind: String, Sendable {
            /// The money went back.
            case full = "REFUND_FULL"
            /// A part of the money went back.
            case prorated = "REFUND_PRORATED"
            /// The family no longer shares; no money moved.
            case familyRevoke = "FAMILY_REVOKE"
        }

        /// What it is.
        public let kind: Kind
        /// When.
        public let date: Int64
        /// 0 other, 1 a problem with the app.
        public let reason: Int64
        /// What part went back, in milliunits of a percent; prorated only.
        public var percentage: Int64?
        /// When Apple took the refund back.
        public var reversedAt: Int64?
        /// Payloads before 2026 have neither type nor percentage of a full refund.
        public var tellsType: Bool
    }

    /// The state of a subscription's next renewal, as signed at one instant.
    public struct RenewalState: Sendable, Equatable {
        /// The product that renews.
        public var next: Product
        /// Whether it will renew.
        public var willRenew: Bool
        /// 1 cancelled, 2 billing error.
        public var expirationIntent: Int64?
        /// Whether Apple still tries to charge.
        public var isInBillingRetry: Bool
        /// When the grace period ends.
        public var graceExpires: Int64?
        /// When it renews.
        public var renewalDate: Int64?
    }

    /// A notification of Apple's (version 2) and every attempt to bring it.
    public struct Notification: Sendable, Equatable {
        /// One attempt.
        public struct Attempt: Sendable, Equatable {
            /// When Apple sent it.
            public let at: Int64
            /// As in Apple's notification history: `SUCCESS`, `TIMED_OUT`, `NO_RESPONSE` …
            public let result: String
            /// When it passed the service's door; `nil` if it did not.
            public let receivedAt: Int64?
        }

        /// The same for every attempt.
        public let uuid: String
        /// `ONE_TIME_CHARGE`, `REFUND` …
        public let type: String
        /// `INITIAL_BUY` …
        public let subtype: String?
        /// When it was signed, and as of when its transaction is told.
        public let signedDate: Int64
        /// What it is about: index into `Life.transactions`; `nil` in TEST.
        public let transaction: Int?
        /// Subscriptions only.
        public let renewal: RenewalState?
        /// 1 active, 2 expired, 3 billing retry, 4 grace, 5 revoked.
        public let status: Int64?
        /// What the customer said to Apple.
        public let consumptionReason: String?
        /// In order of time; none if Apple never sent it.
        public var attempts: [Attempt]
    }
}
