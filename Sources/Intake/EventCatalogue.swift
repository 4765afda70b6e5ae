/// The event types we know (domain, section 3): what each must carry and which members are plain.
///
/// A member that is not listed as plain is personal, so that a client of a future version cannot
/// write a person's data where it can never be forgotten. A type that is not listed is kept.
struct EventCatalogue: Sendable {
    /// What is known of one type.
    struct Entry: Sendable {
        /// Members of `data` that must be there and not be blank, in the order of their names.
        var required: [String]
        /// At least one of these must be there, unless there is none.
        var requiredOneOf: [String] = []
        /// Members whose values may stay in the log for ever; `nil` means all but those that name
        /// accounts.
        var plain: Set<String>?
        /// Members that hold signed material.
        var signed: [String] = []

        func isPlain(_ member: String) -> Bool {
            plain?.contains(member) ?? !["account", "sandboxAccounts"].contains(member)
        }
    }

    /// Members that name an order in the order convention and an account in the account convention.
    static let usernames: Set<String> = ["applicationUsername"]
    /// Members that name an order or an account, by the bundle's setting.
    static let tokens: Set<String> = ["appAccountToken", "app_account_token"]
    /// Members of Apple's older formats that name a device.
    static let devices: Set<String> = ["unique_identifier", "unique_vendor_identifier"]
    /// Types that only the service itself appends.
    static let reservedTypes: Set<String> = [
        "evidence.refused", "evidence.reverified", "ingest.conflicted", "finding.opened",
        "finding.closed", "reconciliation.completed", "import.completed", "apple.synchronised",
        "subject.erased", "admin.acted",
    ]

    static func entry(for type: String) -> Entry? { entries[type] }

    private static let entries: [String: Entry] = platform.merging(device) { first, _ in first }
        .merging(apple) { first, _ in first }.merging(delivery) { first, _ in first }
        .merging(support) { first, _ in first }.merging(service) { first, _ in first }

    private static let common: Set<String> = ["bundleId", "environment"]

    private static func entry(
        _ required: Set<String>, plain: Set<String> = [], oneOf: Set<String> = [],
        signed: [String] = []
    ) -> Entry {
        let personal: Set<String> = ["account"]
        return Entry(
            required: required.union(["bundleId"]).sorted(), requiredOneOf: oneOf.sorted(),
            plain: required.union(plain).union(oneOf).union(common).subtracting(personal),
            signed: signed)
    }

    private static let platform: [String: Entry] = [
        "order.created": entry(
            ["orderNumber", "productId"],
            plain: [
                "productType", "quantity", "price", "currency", "storefront",
                "appAccountToken",
            ]),
        "order.cancelled": entry(["orderNumber"]),
        "order.payment-linked": entry(["orderNumber", "transactionId"]),
        "account.registered": entry(["account", "appAccountToken"]),
        "account.consented": entry(["account", "purpose", "granted"]),
    ]

    private static let device: [String: Entry] = {
        let installation: Set<String> = ["installation", "sequence", "appVersion", "osVersion"]
        let callback = entry(
            ["productId"],
            plain: installation.union([
                "applicationUsername", "quantity", "transactionId", "originalTransactionId",
                "transactionDate", "errorDomain", "errorCode",
            ]), signed: ["signedTransaction", "receipt"])
        return [
            "storekit.purchasing": callback, "storekit.purchased": callback,
            "storekit.failed": callback, "storekit.restored": callback,
            "storekit.deferred": callback,
            "storekit.finished": entry(
                ["transactionId"],
                plain: installation.union([
                    "applicationUsername", "productId", "acknowledgedByServer",
                ])),
            "storekit.observer-started": entry(
                [], plain: installation.union(["queueLength", "transactionIds"])),
            "storekit.products-requested": entry(
                [], plain: installation.union(["productIds", "invalidProductIds"])),
        ]
    }()

    /// As a company's own server may wrap what Apple sent it, with the instant it came.
    private static let apple: [String: Entry] = {
        func wrapper(_ member: String) -> Entry {
            Entry(required: [member], plain: common.union([member]), signed: [member])
        }
        return [
            "appstore.notification": wrapper("signedPayload"),
            "appstore.transaction": wrapper("signedTransaction"),
            "appstore.renewal": wrapper("signedRenewalInfo"),
            "appstore.app-transaction": wrapper("signedAppTransactionInfo"),
            "appstore.receipt": wrapper("receipt"),
            "appstore.answer": Entry(
                required: ["bundleId", "endpoint", "request"],
                plain: common.union([
                    "endpoint", "request", "httpStatus", "errorCode", "complete", "answer",
                ])),
        ]
    }()

    private static let delivery: [String: Entry] = {
        let step = entry(
            ["deliveryId", "productId"], plain: ["quantity", "claimId", "grant"],
            oneOf: ["orderNumber", "transactionId"])
        return [
            "delivery.requested": step, "delivery.succeeded": step, "delivery.failed": step,
            "delivery.reversed": step,
        ]
    }()

    private static let support: [String: Entry] = {
        let link = entry(["orderNumber", "transactionId"], plain: ["claimId", "ticket"])
        let claim = entry(["claimId"], plain: ["ticket"], signed: ["signedTransaction", "receipt"])
        return [
            "claim.opened": entry(
                ["claimId"],
                plain: [
                    "applicationUsername", "transactionId", "orderId", "productId", "amount",
                    "currency", "claimedAt", "channel", "ticket",
                ]),
            "claim.noted": claim, "claim.assigned": claim, "claim.evidence-added": claim,
            "claim.reopened": claim,
            "claim.settled": entry(["claimId", "outcome"], plain: ["ticket"]),
            "payment.linked": link, "payment.unlinked": link,
        ]
    }()

    private static let service: [String: Entry] = [
        "settings.changed": Entry(required: ["bundleId"], plain: nil),
        "policy.changed": Entry(required: [], plain: nil),
    ]
}
