internal import AppStoreModel
internal import JSON

/// Which app and environment a payload speaks of.
struct PayloadIdentity {
    var bundleId: String?
    var appAppleId: String?
    var environment: String?
    /// Whether this kind of payload names the app's number at all.
    var hasAppAppleId = false
    /// Whether a payload of this kind always says what it is for; then silence meets no
    /// expectation.
    var isComplete = true

    init(_ payload: JSONValue, kind: SignedPartKind) {
        switch kind {
        case .notification: readNotification(payload)
        case .transaction:
            bundleId = payload["bundleId"]?.string
            environment = payload["environment"]?.string
        case .appTransaction:
            bundleId = payload["bundleId"]?.string
            appAppleId = payload["appAppleId"]?.identifier
            environment = payload["receiptType"]?.string
            hasAppAppleId = true
        case .renewal, .receipt, .unknown:
            // A renewal names no bundle.
            bundleId = payload["bundleId"]?.string
            environment = payload["environment"]?.string
            isComplete = false
        }
    }

    private mutating func readNotification(_ payload: JSONValue) {
        hasAppAppleId = true
        let names = ["data", "summary", "externalPurchaseToken", "appData"]
        guard let name = names.first(where: { payload[$0]?.members != nil }),
            let part = payload[name]
        else { return }
        bundleId = part["bundleId"]?.string
        appAppleId = part["appAppleId"]?.identifier
        environment = part["environment"]?.string
        if name == "externalPurchaseToken" {
            let isSandbox = part["externalPurchaseId"]?.string?.hasPrefix("SANDBOX") ?? false
            environment = isSandbox ? "Sandbox" : "Production"
        }
    }

    func meets(_ value: String?, _ isExpected: (String) -> Bool) -> Bool {
        value.map(isExpected) ?? !isComplete
    }

    /// Signed by StoreKit testing, or says so.
    var isXcode: Bool {
        environment == Environment.xcode.rawValue
            || environment == Environment.localTesting.rawValue
    }
}
