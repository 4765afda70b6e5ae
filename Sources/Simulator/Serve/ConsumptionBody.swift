internal import JSON

/// Checks what is sent to Apple about a consumption (app-store.md 1.8).
enum ConsumptionBody {
    /// The body of version 2: words, and milliunits of a percent.
    static func checkVersion2(_ body: JSONValue, type: String) throws(AppStoreError) {
        guard isBoolean(body["customerConsented"]) else { throw .invalidCustomerConsented }
        guard isBoolean(body["sampleContentProvided"]) else { throw .invalidSampleContentProvided }
        guard let status = body["deliveryStatus"]?.string, deliveryStatuses.contains(status) else {
            throw .invalidDeliveryStatus
        }
        let percentage = body["consumptionPercentage"]
        if let percentage {
            guard let value = percentage.int64, (0...100_000).contains(value),
                status == "DELIVERED" || value == 0
            else { throw .generalBadRequest }
        }
        guard let preference = body["refundPreference"] else { return }
        guard let word = preference.string, refundPreferences.contains(word) else {
            throw .generalBadRequest
        }
        if word == "GRANT_PRORATED", type == "Auto-Renewable Subscription" {
            guard percentage == nil else { throw .generalBadRequest }
        } else if word == "GRANT_PRORATED" {
            guard let value = percentage?.int64, value > 0 else { throw .generalBadRequest }
        }
    }

    private static let deliveryStatuses: Set<String> = [
        "DELIVERED", "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM",
        "UNDELIVERED_SERVER_OUTAGE", "UNDELIVERED_OTHER",
    ]
    private static let refundPreferences: Set<String> = [
        "DECLINE", "GRANT_FULL", "GRANT_PRORATED",
    ]

    /// The body of version 1: numbers, all of them needed.
    static func checkVersion1(_ body: JSONValue) throws(AppStoreError) {
        guard isBoolean(body["customerConsented"]) else { throw .invalidCustomerConsented }
        guard isBoolean(body["sampleContentProvided"]) else { throw .invalidSampleContentProvided }
        guard body["appAccountToken"]?.string != nil else { throw .invalidAppAccountToken }
        for (name, greatest, error) in numbers {
            guard let value = body[name]?.int64, (0...greatest).contains(value) else { throw error }
        }
    }

    private static let numbers: [(String, Int64, AppStoreError)] = [
        ("accountTenure", 7, .invalidAccountTenure),
        ("consumptionStatus", 3, .invalidConsumptionStatus),
        ("deliveryStatus", 5, .invalidDeliveryStatus),
        ("lifetimeDollarsPurchased", 7, .invalidLifetimeDollarsPurchased),
        ("lifetimeDollarsRefunded", 7, .invalidLifetimeDollarsRefunded),
        ("platform", 2, .invalidPlatform),
        ("playTime", 7, .invalidPlayTime),
        ("userStatus", 4, .invalidUserStatus),
    ]

    private static func isBoolean(_ value: JSONValue?) -> Bool {
        if case .bool? = value?.content { true } else { false }
    }
}
