/// A product of the sample shop.
struct SampleProduct: Sendable {
    let id: String
    /// Apple's word for the type, as in a transaction's `type`.
    let type: String
    /// Milliunits of the customer's currency.
    let price: Int64

    var isSubscription: Bool { type == "Auto-Renewable Subscription" }
}

/// The sample shop: one app with a few products.
///
/// An unlinked charge is a candidate for every open order of its product, so each story about one
/// has a product of its own; then no story changes the verdict of another.
enum SampleCatalogue {
    static let bundle = "com.example.lantern"
    static let appAppleId: Int64 = 1_534_209_876

    static let gems100 = consumable("gems.100", 990)
    static let gems1200 = consumable("gems.1200", 9_990)
    /// Bought only by the customer whose app has no transaction observer.
    static let gems500 = consumable("gems.500", 4_990)
    /// Bought only by the customer whose app was killed.
    static let gems2000 = consumable("gems.2000", 14_990)
    /// Sold only for an offer code.
    static let starterPack = consumable("starter", 3_990)
    static let noAds = product("noads", "Non-Consumable", 2_990)
    static let monthly = product("club.monthly", "Auto-Renewable Subscription", 4_990)
    static let yearly = product("club.yearly", "Auto-Renewable Subscription", 39_990)

    private static func consumable(_ name: String, _ price: Int64) -> SampleProduct {
        product(name, "Consumable", price)
    }

    private static func product(_ name: String, _ type: String, _ price: Int64) -> SampleProduct {
        SampleProduct(id: "\(bundle).\(name)", type: type, price: price)
    }
}

/// A person with an account of the platform, a phone and an Apple account.
struct SampleCustomer: Sendable {
    let account: String
    let deviceId: String
    let installation: String
    let appTransactionId: String
    /// How far the phone's clock is off, in milliseconds.
    let clockError: Int64
}

/// An order of the platform.
struct SampleOrder: Sendable {
    let number: String
    let product: SampleProduct
    let customer: SampleCustomer
    let createdAt: Int64

    /// The number as Apple carries it: only a UUID becomes an `appAccountToken`.
    var token: String? { number.count == 36 ? number.lowercased() : nil }
}
