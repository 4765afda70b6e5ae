internal import JSON

/// What holds for one bundle; changed by `settings.changed` events whose `data` has `bundleId` and
/// names members as they are named here. A member that is `null` goes back to its default.
public struct BundleSettings: Sendable, Equatable {
    /// What the platform puts into `applicationUsername`.
    public enum Convention: String, Sendable, CaseIterable {
        case order
        /// What Apple's documentation intends.
        case account
    }

    /// Default: `order`.
    public var convention = Convention.order
    /// Apple's id of the app; default: none.
    public var appAppleId: Int64?
    /// The environments whose purchases pay; default: `Production` only.
    public var environments = ["Production"]
    /// Accounts to which sandbox purchases are delivered too (App Review buys in the sandbox);
    /// default: none.
    public var sandboxAccounts: [String] = []
    /// Further texts that mean "no order number"; default: none.
    public var placeholders: [String] = []
    /// Whether an `appAccountToken` that nobody registered names an account, not an order; default:
    /// false in the order convention. In the account convention it always does.
    public var tokensNameAccounts = false
    /// Whether the platform reports a delivery for every period of an auto-renewable subscription;
    /// default: false, and then an active period without delivery events counts as delivered.
    public var subscriptionDeliveriesReported = false

    /// The documented defaults.
    public init() {}

    /// Takes over what an event changes; unknown members and unreadable values change nothing.
    mutating func apply(_ data: JSONValue) {
        let defaults = BundleSettings()
        if let value = data["convention"] {
            convention =
                value.isNull
                ? defaults.convention
                : Convention(rawValue: value.string ?? "") ?? convention
        }
        if let value = data["appAppleId"] {
            appAppleId = value.isNull ? nil : value.int64 ?? appAppleId
        }
        Self.apply(data["tokensNameAccounts"], to: &tokensNameAccounts)
        Self.apply(data["subscriptionDeliveriesReported"], to: &subscriptionDeliveriesReported)
        Self.apply(data["environments"], to: &environments, default: defaults.environments)
        Self.apply(data["sandboxAccounts"], to: &sandboxAccounts, default: [])
        Self.apply(data["placeholders"], to: &placeholders, default: [])
    }

    private static func apply(_ value: JSONValue?, to flag: inout Bool) {
        guard let value else { return }
        flag = value.isNull ? false : value.boolean ?? flag
    }

    private static func apply(
        _ value: JSONValue?, to list: inout [String], default defaults: [String]
    ) {
        guard let value else { return }
        if value.isNull { list = defaults }
        if let elements = value.array { list = elements.compactMap(\.identifier) }
    }
}
