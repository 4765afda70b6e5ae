extension World {
    /// An app of the shop, with what its platform puts into `applicationUsername`.
    public struct App: Sendable, Equatable {
        /// What the platform calls an order, and what reaches Apple of it.
        public enum Numbering: String, Sendable, CaseIterable {
            /// Order numbers are UUIDs: they reach Apple as `appAccountToken`.
            case uuid
            /// Plain order numbers: the device keeps them at best, Apple never sees them.
            case plain
            /// `applicationUsername` holds the account (a UUID), as Apple's documentation intends;
            /// Apple never sees an order number.
            case account
        }

        /// The bundle identifier.
        public let bundle: String
        /// The app's number in the App Store.
        public let appAppleId: Int64
        /// What its order numbers look like.
        public let numbering: Numbering
        /// Whether its platform tells which transaction it took for which order
        /// (`order.payment-linked`).
        public let linksPayments: Bool

        /// The three apps of the shop, one for each numbering.
        public static let all = [
            App(
                bundle: "com.example.lantern", appAppleId: 1_534_209_876, numbering: .uuid,
                linksPayments: false),
            App(
                bundle: "com.example.harbor", appAppleId: 1_534_209_877, numbering: .plain,
                linksPayments: false),
            App(
                bundle: "com.example.orchard", appAppleId: 1_534_209_878, numbering: .account,
                linksPayments: true),
        ]
    }

    /// Something that is sold. Its identifier is the bundle's and the name.
    public struct Product: Sendable, Equatable {
        /// Apple's four types.
        public enum Kind: String, Sendable, CaseIterable {
            case consumable = "Consumable"
            case nonConsumable = "Non-Consumable"
            case nonRenewing = "Non-Renewing Subscription"
            case autoRenewable = "Auto-Renewable Subscription"
        }

        /// The identifier within the bundle: `gems.100`.
        public let name: String
        /// Apple's type.
        public let kind: Kind
        /// The price of one in US dollars, in cents; `Storefront.price` says it elsewhere.
        public let cents: Int64
        /// How long a period is, in days; auto-renewable subscriptions only.
        public let periodDays: Int64?

        /// The product's identifier in `app`.
        public func id(in app: App) -> String { "\(app.bundle).\(name)" }

        /// All that every app sells. Each fault that loses an order number draws from the same
        /// shelf as everybody else, so charges without an order have rivals.
        public static let all =
            [
                Product("gems.100", .consumable, 99), Product("gems.500", .consumable, 499),
                Product("gems.1200", .consumable, 999), Product("gems.2500", .consumable, 1999),
                Product("gems.6500", .consumable, 4999), Product("gems.14000", .consumable, 9999),
                Product("keys.10", .consumable, 299), Product("starter", .consumable, 399),
                Product("noads", .nonConsumable, 299), Product("skin.dragon", .nonConsumable, 799),
                Product("season.pass", .nonRenewing, 999),
            ] + subscriptions

        /// The subscriptions of one group, from the least to the best; a family can share all.
        public static let subscriptions = [
            Product("club.weekly", .autoRenewable, 199, periodDays: 7),
            Product("club.monthly", .autoRenewable, 499, periodDays: 30),
            Product("club.gold", .autoRenewable, 999, periodDays: 30),
        ]

        init(_ name: String, _ kind: Kind, _ cents: Int64, periodDays: Int64? = nil) {
            self.name = name
            self.kind = kind
            self.cents = cents
            self.periodDays = periodDays
        }
    }

    /// A country's App Store and its currency.
    public struct Storefront: Sendable, Equatable {
        /// ISO 3166-1 alpha-3.
        public let code: String
        /// Apple's number of it.
        public let id: String
        /// ISO 4217.
        public let currency: String
        /// The decimals of the currency: 0, 2 or 3.
        public let decimals: Int
        /// Milliunits of the currency for one US cent.
        let milliunitsPerCent: Int64

        /// Where people shop. Dong prices exceed 2³¹ milliunits (go-iap PR#274).
        public static let all = [
            Storefront(
                code: "USA", id: "143441", currency: "USD", decimals: 2, milliunitsPerCent: 10),
            Storefront(
                code: "DEU", id: "143443", currency: "EUR", decimals: 2, milliunitsPerCent: 10),
            Storefront(
                code: "CHN", id: "143465", currency: "CNY", decimals: 2, milliunitsPerCent: 70),
            Storefront(
                code: "JPN", id: "143462", currency: "JPY", decimals: 0, milliunitsPerCent: 1600),
            Storefront(
                code: "VNM", id: "143471", currency: "VND", decimals: 0,
                milliunitsPerCent: 250_000),
            Storefront(
                code: "KWT", id: "143493", currency: "KWD", decimals: 3, milliunitsPerCent: 3),
        ]

        /// The price of `quantity` pieces in milliunits, whole in the currency's least unit.
        public func price(of product: Product, quantity: Int64 = 1) -> Int64 {
            let milliunits = product.cents * milliunitsPerCent
            let unit: Int64 = decimals == 0 ? 1000 : decimals == 2 ? 10 : 1
            return (milliunits + unit - 1) / unit * unit * quantity
        }
    }
}
