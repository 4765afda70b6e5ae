internal import AppStore
internal import Intake
internal import Settlement

extension Door {
    /// The door of an operator's commands: bundles and app ids as configured; every environment,
    /// since a sandbox purchase is a fact too.
    init(
        settings: Settings, anchors: TrustAnchors, receivedAt: Int64, actor: String? = nil
    ) {
        self.init(
            name: "import",
            evidence: EvidenceReader(
                anchors: anchors,
                expectations: Expectations(
                    bundles: Set(settings.bundles.keys),
                    appAppleIds: settings.bundles.compactMapValues(\.appAppleId)),
                at: .signed, now: currentMilliseconds),
            settings: settings, receivedAt: receivedAt, actor: actor)
    }
}
