extension World {
    /// Somebody's Apple account in one app. What is bought with it is told apart by
    /// `appTransactionId`.
    public struct AppleAccount: Sendable, Equatable {
        /// Apple's name for this customer in this app.
        public let appTransactionId: String
        /// Where it pays.
        public let storefront: Storefront
        /// The Apple account (index into `Life.appleAccounts`) that organises its family; `nil` for
        /// the organiser and for people without a family.
        public let organiser: Int?
    }

    /// An account of the platform: a player.
    public struct Account: Sendable, Equatable {
        /// The platform's user id.
        public let id: String
        /// The UUID registered for it, where the app's numbering is `account`.
        public let token: String?
        /// The Apple account it usually pays with: index into `Life.appleAccounts`. Two accounts of
        /// the platform on one Apple account are normal.
        public let appleAccount: Int
        /// Whether its holder agreed that consumption is told to Apple, and when.
        public var consentedAt: Int64?
    }

    /// A phone.
    public struct Device: Sendable, Equatable {
        /// The device's id, as the client sends it.
        public let id: String
        /// Which StoreKit its client speaks: 1 sends receipts, 2 sends signed transactions.
        public let storeKit: Int
        /// How far its clock is off, in milliseconds.
        public let clockError: Int64
        /// The version of its system.
        public let osVersion: String
    }

    /// An app installed on a device; deleting the app and installing it again gives another.
    public struct Installation: Sendable, Equatable {
        /// The installation's id, as the client sends it.
        public let id: String
        /// Index into `Life.devices`.
        public let device: Int
        /// The version of the app.
        public let appVersion: String
        /// Whether its client speaks of things that nobody knows yet.
        public let isOfTheFuture: Bool
    }
}
