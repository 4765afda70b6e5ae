internal import JSON

/// Policy and the settings of each bundle, folded from `policy.changed` and `settings.changed` in
/// the order of the log: these are commands, decided against it.
public struct Settings: Sendable, Equatable {
    /// The rules' numbers.
    public var policy = Policy()
    /// By bundle identifier.
    public private(set) var bundles: [String: BundleSettings] = [:]

    /// The types of event that change them.
    public static let eventTypes = ["policy.changed", "settings.changed"]

    /// Defaults: no bundle configured, so that every bundle is accepted.
    public init() {}

    /// Takes over what `event` changes; any other event changes nothing.
    public mutating func apply(_ event: SettlementEvent) {
        switch event.type {
        case "policy.changed": policy.apply(event.data)
        case "settings.changed":
            guard let bundle = event.identifier("bundleId") else { return }
            bundles[bundle, default: BundleSettings()].apply(event.data)
        default: break
        }
    }

    /// Whether any bundle is configured. Where none is, all are accepted, and answers should say
    /// so.
    public var isConfigured: Bool { !bundles.isEmpty }

    /// Whether evidence of `bundle` is ours to judge.
    public func accepts(bundle: String) -> Bool { bundles.isEmpty || bundles[bundle] != nil }

    /// The settings of a bundle, or the defaults.
    public subscript(bundle: String) -> BundleSettings { bundles[bundle] ?? BundleSettings() }
}
