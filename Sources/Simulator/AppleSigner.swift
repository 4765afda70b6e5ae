internal import Cryptography
internal import JSON

/// Apple, as far as one app can see it: it signs transactions, renewals and notifications.
///
/// Every function is pure; the same arguments give the same bytes.
public struct AppleSigner: Sendable {
    /// The chain that signs.
    public var chain: MintedChain
    /// The app's bundle identifier.
    public var bundleId: String
    /// The app's number in the App Store.
    public var appAppleId: Int64
    /// `Production`, `Sandbox`, or whatever a test needs.
    public var environment: String

    /// A signer for one app.
    public init(
        chain: MintedChain, bundleId: String = "com.example.game",
        appAppleId: Int64 = 1_234_567_890, environment: String = "Production"
    ) {
        self.chain = chain
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.environment = environment
    }

    /// A signed transaction.
    public func transaction(
        _ fields: TransactionFields, options: SigningOptions = SigningOptions()
    ) -> [UInt8] {
        chain.sign(payload: transactionPayload(fields), options: options)
    }

    /// A signed renewal.
    public func renewal(
        _ fields: RenewalFields, options: SigningOptions = SigningOptions()
    ) -> [UInt8] {
        chain.sign(payload: renewalPayload(fields), options: options)
    }

    /// A signed notification V2: the value of `signedPayload`.
    public func notification(
        _ fields: NotificationFields, options: SigningOptions = SigningOptions()
    ) -> [UInt8] {
        chain.sign(payload: notificationPayload(fields), options: options)
    }

    /// The body that Apple posts: `{"signedPayload":"…"}`.
    public func notificationBody(_ fields: NotificationFields) -> [UInt8] {
        var writer = JSONWriter()
        writer.object {
            $0.member("signedPayload", String(decoding: notification(fields), as: UTF8.self))
        }
        return writer.bytes
    }
}

// MARK: Payloads

extension AppleSigner {
    /// The JSON text of a transaction.
    public func transactionPayload(_ fields: TransactionFields) -> [UInt8] {
        payload(fields.extra) { payload in
            payload.set("transactionId", fields.transactionId)
            payload.set(
                "originalTransactionId", fields.originalTransactionId ?? fields.transactionId)
            payload.set("webOrderLineItemId", fields.webOrderLineItemId)
            payload.set("bundleId", bundleId)
            payload.set("productId", fields.productId)
            payload.set("subscriptionGroupIdentifier", fields.subscriptionGroupIdentifier)
            payload.set("purchaseDate", fields.purchaseDate)
            payload.set("originalPurchaseDate", fields.originalPurchaseDate ?? fields.purchaseDate)
            payload.set("expiresDate", fields.expiresDate)
            payload.set("quantity", fields.quantity)
            payload.set("type", fields.type)
            payload.set("appAccountToken", fields.appAccountToken)
            payload.set("appTransactionId", fields.appTransactionId)
            payload.set("inAppOwnershipType", fields.inAppOwnershipType)
            payload.set("signedDate", fields.signedDate ?? fields.purchaseDate)
            payload.set("revocationReason", fields.revocationReason)
            payload.set("revocationDate", fields.revocationDate)
            payload.set("revocationType", fields.revocationType)
            payload.set("revocationPercentage", fields.revocationPercentage)
            payload.set("isUpgraded", fields.isUpgraded)
            payload.set("environment", environment)
            payload.set("transactionReason", fields.transactionReason)
            payload.set("storefront", fields.storefront)
            payload.set("storefrontId", fields.storefrontId)
            payload.set("price", fields.price)
            payload.set("currency", fields.currency)
        }
    }

    /// The JSON text of a renewal.
    public func renewalPayload(_ fields: RenewalFields) -> [UInt8] {
        payload(fields.extra) { payload in
            payload.set("originalTransactionId", fields.originalTransactionId)
            payload.set("autoRenewProductId", fields.autoRenewProductId ?? fields.productId)
            payload.set("productId", fields.productId)
            payload.set("autoRenewStatus", fields.autoRenewStatus)
            payload.set("expirationIntent", fields.expirationIntent)
            payload.set("isInBillingRetryPeriod", fields.isInBillingRetryPeriod)
            payload.set("gracePeriodExpiresDate", fields.gracePeriodExpiresDate)
            payload.set("renewalDate", fields.renewalDate)
            payload.set("appTransactionId", fields.appTransactionId)
            payload.set("appAccountToken", fields.appAccountToken)
            payload.set("environment", environment)
            payload.set("signedDate", fields.signedDate)
        }
    }

    /// The JSON text of a notification, its nested parts signed by the same chain.
    public func notificationPayload(_ fields: NotificationFields) -> [UInt8] {
        let data = payload(fields.dataExtra) { data in
            data.set("appAppleId", appAppleId)
            data.set("bundleId", bundleId)
            data.set("bundleVersion", "1.0")
            data.set("environment", environment)
            data.set("signedTransactionInfo", fields.signedTransactionInfo)
            data.set("signedRenewalInfo", fields.signedRenewalInfo)
            data.set("status", fields.status)
            data.set("consumptionRequestReason", fields.consumptionRequestReason)
        }
        return payload(fields.extra) { payload in
            payload.set("notificationType", fields.notificationType)
            payload.set("subtype", fields.subtype)
            payload.set("notificationUUID", fields.notificationUUID)
            if fields.hasData { payload.set("data", json: data) }
            payload.set("version", "2.0")
            payload.set("signedDate", fields.signedDate)
        }
    }

    private func payload(
        _ extra: [JSONMember], _ fill: (inout PayloadWriter) -> Void
    ) -> [UInt8] {
        var payload = PayloadWriter(extra: extra)
        fill(&payload)
        return payload.bytes
    }
}

/// Writes a payload's members; one named in `extra` replaces the usual, and `null` there leaves it
/// out.
private struct PayloadWriter {
    private var members: [(name: String, json: [UInt8])] = []
    private let extra: [JSONMember]

    init(extra: [JSONMember]) {
        self.extra = extra
    }

    mutating func set(_ name: String, _ value: String?) {
        guard let value else { return }
        set(name, json: Self.json { $0.string(value) })
    }

    mutating func set(_ name: String, _ value: Int64?) {
        guard let value else { return }
        set(name, json: Self.json { $0.number(value) })
    }

    mutating func set(_ name: String, _ value: Bool?) {
        guard let value else { return }
        set(name, json: Self.json { $0.bool(value) })
    }

    mutating func set(_ name: String, _ value: [UInt8]?) {
        set(name, value.map { String(decoding: $0, as: UTF8.self) })
    }

    mutating func set(_ name: String, json: [UInt8]) {
        guard !extra.contains(where: { $0.name == name }) else { return }
        members.append((name, json))
    }

    var bytes: [UInt8] {
        Self.json { writer in
            writer.object { writer in
                for member in members {
                    writer.name(member.name)
                    writer.raw(member.json)
                }
                for member in extra where !member.value.isNull {
                    writer.name(member.name)
                    writer.value(member.value)
                }
            }
        }
    }

    private static func json(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        write(&writer)
        return writer.bytes
    }
}
