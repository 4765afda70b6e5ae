/// Which app's material is accepted. What is not set is not asked.
public struct Expectations: Sendable, Hashable {
    /// The bundles accepted; empty for any.
    public var bundles: Set<String>
    /// The app's number in the App Store, by bundle. Compared in Production only.
    public var appAppleIds: [String: Int64]
    /// The number of a bundle that `appAppleIds` does not name.
    public var appAppleId: Int64?
    /// The environments accepted; `nil` for any that Apple signs.
    public var environments: Set<String>?

    /// Any app, unless said otherwise.
    public init(
        bundles: Set<String> = [], appAppleIds: [String: Int64] = [:], appAppleId: Int64? = nil,
        environments: Set<String>? = nil
    ) {
        self.bundles = bundles
        self.appAppleIds = appAppleIds
        self.appAppleId = appAppleId
        self.environments = environments
    }

    /// The first expectation that is not met: bundle, then app id, then environment.
    func refusal(_ identity: PayloadIdentity) -> RefusalReason? {
        if !bundles.isEmpty, !identity.meets(identity.bundleId, { bundles.contains($0) }) {
            return .wrongBundle
        }
        if let expected = appAppleIds[identity.bundleId ?? ""] ?? appAppleId,
            identity.hasAppAppleId, identity.environment == "Production",
            identity.appAppleId != String(expected)
        {
            return .wrongAppId
        }
        if let environments, !identity.meets(identity.environment, { environments.contains($0) }) {
            return .wrongEnvironment
        }
        return nil
    }
}
