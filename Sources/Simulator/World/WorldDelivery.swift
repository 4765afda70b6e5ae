extension World {
    /// A delivery of the platform's delivery server, as its own ledger has it. Instants are
    /// milliseconds since 1970 UTC.
    public struct Delivery: Sendable, Equatable {
        /// The delivery server's id.
        public let id: String
        /// Who got the goods: index into `Life.accounts`.
        public let account: Int
        /// The order it names: index into `Life.orders`.
        public let order: Int?
        /// The transaction it names: index into `Life.transactions`.
        public let transaction: Int?
        /// What was given.
        public let product: Product
        /// How many were given.
        public let quantity: Int64
        /// When it was asked for.
        public let requestedAt: Int64
        /// When the goods were given; `nil` if they never were.
        public var succeededAt: Int64?
        /// When it failed.
        public var failedAt: Int64?
        /// When the goods were taken back.
        public var reversedAt: Int64?
        /// `goodwill` for a gift.
        public let grant: String?

        /// Whether the goods stand with the account.
        public var stands: Bool { succeededAt != nil && reversedAt == nil }
    }
}
