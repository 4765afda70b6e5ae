internal import HTTPServer

/// The query of a transaction history: filters, order and place (app-store.md 1.8).
struct HistoryQuery {
    /// Apple's page.
    static let pageMax = 20

    /// Of v1: without consumables, unless money or access was taken back. (The app has finished
    /// them all when the world ends.)
    let omitsConsumables: Bool
    private var start = Int64.min
    private var end = Int64.max
    private let productIds: Set<String>
    private let productTypes: Set<String>
    private let groups: Set<String>
    private let ownership: String?
    private let revoked: Bool?
    private let isDescending: Bool
    private let revision: Int

    init(_ target: RequestTarget, omitsConsumables: Bool) throws(AppStoreError) {
        self.omitsConsumables = omitsConsumables
        start = try target.milliseconds("startDate", .invalidStartDate) ?? .min
        end = try target.milliseconds("endDate", .invalidEndDate) ?? .max
        guard start <= end else { throw .startDateAfterEndDate }
        productIds = Set(target.values("productId"))
        productTypes = try Self.types(target.values("productType"))
        groups = Set(target.values("subscriptionGroupIdentifier"))
        ownership = try target.choice(
            "inAppOwnershipType", ["PURCHASED", "FAMILY_SHARED"], .invalidInAppOwnershipType)
        revoked =
            try target.choice("revoked", ["true", "false"], .invalidRevoked) == "true"
            ? true : target.values("revoked").isEmpty ? nil : false
        isDescending =
            try target.choice("sort", ["ASCENDING", "DESCENDING"], .invalidSort) == "DESCENDING"
        revision = try target.place("revision", .invalidRequestRevision)
    }

    private static func types(_ names: [String]) throws(AppStoreError) -> Set<String> {
        var types: Set<String> = []
        for name in names {
            switch name {
            case "AUTO_RENEWABLE": types.insert("Auto-Renewable Subscription")
            case "NON_RENEWABLE": types.insert("Non-Renewing Subscription")
            case "CONSUMABLE": types.insert("Consumable")
            case "NON_CONSUMABLE": types.insert("Non-Consumable")
            default: throw .invalidProductType
            }
        }
        return types
    }

    /// The page at the query's place, and where the next begins: `r` and the number of transactions
    /// before it.
    func page(of all: [ServedTransaction]) throws(AppStoreError) -> Page {
        let found = all.filter(isWanted)
        let ordered = isDescending ? found.reversed() : found
        guard revision <= ordered.count else { throw .invalidRequestRevision }
        let end = min(ordered.count, revision + Self.pageMax)
        return Page(
            transactions: Array(ordered[revision..<end]), revision: "r\(end)",
            hasMore: end < ordered.count)
    }

    struct Page {
        let transactions: [ServedTransaction]
        let revision: String
        let hasMore: Bool
    }

    private func isWanted(_ transaction: ServedTransaction) -> Bool {
        let isRevoked = transaction.revocationDate != nil
        if omitsConsumables, transaction.type == "Consumable", !isRevoked { return false }
        let group = transaction.subscriptionGroup
        return (start..<end).contains(transaction.purchaseDate)
            && (productIds.isEmpty || productIds.contains(transaction.productId))
            && (productTypes.isEmpty || productTypes.contains(transaction.type))
            && (groups.isEmpty || group.map(groups.contains) ?? false)
            && (ownership == nil || ownership == transaction.ownership)
            && (revoked == nil || revoked == isRevoked)
    }
}

extension RequestTarget {
    /// An instant in milliseconds since 1970 UTC.
    func milliseconds(_ name: String, _ error: AppStoreError) throws(AppStoreError) -> Int64? {
        guard let text = values(name).first else { return nil }
        guard values(name).count == 1, let instant = Int64(text), instant >= 0 else { throw error }
        return instant
    }

    /// One of `choices`.
    func choice(
        _ name: String, _ choices: [String], _ error: AppStoreError
    ) throws(AppStoreError) -> String? {
        guard let text = values(name).first else { return nil }
        guard values(name).count == 1, choices.contains(text) else { throw error }
        return text
    }

    /// A place in a list as we gave it out: `r` and a number.
    func place(_ name: String, _ error: AppStoreError) throws(AppStoreError) -> Int {
        guard let text = values(name).first else { return 0 }
        guard values(name).count == 1, text.hasPrefix("r"), let place = Int(text.dropFirst()),
            place >= 0
        else { throw error }
        return place
    }
}
