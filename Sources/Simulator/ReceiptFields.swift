internal import AppStoreModel
internal import Cryptography

/// What an app receipt to be signed says. Instants are milliseconds since 1970 UTC, written in
/// whole seconds.
public struct ReceiptFields: Sendable {
    /// The app.
    public var bundleId: String
    /// When the receipt was made.
    public var creationDate: Int64
    /// `Production`, `ProductionSandbox`, `Xcode`, or whatever a test needs; `nil` leaves it out.
    public var receiptType: String? = "Production"
    /// The app's number in the App Store; 0 in the sandbox.
    public var appAppleId: Int64 = 1_234_567_890
    /// The version of the app that made it.
    public var applicationVersion = "1"
    /// The version that was bought first.
    public var originalApplicationVersion: String? = "1"
    /// When the app was bought.
    public var originalPurchaseDate: Int64?
    /// The purchases listed. Consumables stand there only until they are finished.
    public var purchases: [ReceiptPurchase] = []
    /// The device it is made for: `DeviceIdentifier`'s text.
    public var device = "00000000-0000-0000-0000-000000000000"
    /// The attributes left out, by their number.
    public var omitted: Set<Int64> = []
    /// Further attributes: number and encoded value.
    public var extra: [(type: Int64, value: [UInt8])] = []
    /// How instants are written, where not in UTC with a `Z`.
    public var instantText: (@Sendable (Int64) -> String)?

    /// A receipt without purchases.
    public init(
        bundleId: String, creationDate: Int64, _ change: (inout ReceiptFields) -> Void = { _ in }
    ) {
        self.bundleId = bundleId
        self.creationDate = creationDate
        change(&self)
    }

    private typealias DER = DistinguishedEncoding

    /// The signed bytes: a set of attributes.
    public var content: [UInt8] {
        let instant = { DER.ia5String((instantText ?? RFC3339.text)($0 / 1000 * 1000)) }
        let opaque = SHA256.hash(Array("opaque/\(bundleId)/\(creationDate)".utf8))
            .prefix(16)
        let bundle = DER.utf8String(bundleId)
        let guid = Hexadecimal.decode(device.filter { $0 != "-" }) ?? []
        var attributes: [(type: Int64, value: [UInt8]?)] = [
            (0, receiptType.map(DER.utf8String)), (1, DER.integer(appAppleId)), (2, bundle),
            (3, DER.utf8String(applicationVersion)), (4, Array(opaque)),
            (5, SHA1.hash(guid + opaque + bundle)), (8, DER.ia5String("")),
            (12, instant(creationDate)),
            (18, originalPurchaseDate.map(instant)),
            (19, originalApplicationVersion.map(DER.utf8String)), (25, DER.integer(3)),
        ]
        attributes += purchases.map { (17, $0.content(instant: instant)) }
        attributes += extra.map { ($0.type, $0.value) }
        return Self.set(attributes.filter { !omitted.contains($0.type) })
    }

    static func set(_ attributes: [(type: Int64, value: [UInt8]?)]) -> [UInt8] {
        DER.set(
            attributes.compactMap { type, value in
                value.map {
                    DER.sequence([DER.integer(type), DER.integer(1), DER.octetString($0)])
                }
            })
    }
}

/// A purchase that a receipt lists. Instants are milliseconds since 1970 UTC.
public struct ReceiptPurchase: Sendable {
    /// The id of this charge.
    public var transactionId: String
    /// `nil` for the purchase's own id.
    public var originalTransactionId: String?
    /// The product.
    public var productId: String
    /// When it was bought.
    public var purchaseDate: Int64
    /// `nil` for the purchase date.
    public var originalPurchaseDate: Int64?
    /// How many were bought, from 1.
    public var quantity: Int64 = 1
    /// 0 non-consumable, 1 consumable, 2 non-renewing, 3 auto-renewable.
    public var productType: Int64 = 1
    /// When the period ends.
    public var expiresDate: Int64?
    /// When Apple's support gave the money back.
    public var cancellationDate: Int64?
    /// 0 or 1, as Apple counts.
    public var cancellationReason: Int64?
    /// The id of the renewal period; up to 7 bytes are seen.
    public var webOrderLineItemId: Int64 = 0
    /// Whether the period is a free trial.
    public var isTrialPeriod: Bool?
    /// The attributes left out, by their number.
    public var omitted: Set<Int64> = []
    /// Further attributes: number and encoded value.
    public var extra: [(type: Int64, value: [UInt8])] = []

    /// A purchase of one consumable.
    public init(
        transactionId: String, productId: String, purchaseDate: Int64,
        _ change: (inout ReceiptPurchase) -> Void = { _ in }
    ) {
        self.transactionId = transactionId
        self.productId = productId
        self.purchaseDate = purchaseDate
        change(&self)
    }

    private typealias DER = DistinguishedEncoding

    func content(instant: (Int64) -> [UInt8]) -> [UInt8] {
        var attributes: [(type: Int64, value: [UInt8]?)] = [
            (1701, DER.integer(quantity)), (1702, DER.utf8String(productId)),
            (1703, DER.utf8String(transactionId)), (1704, instant(purchaseDate)),
            (1705, DER.utf8String(originalTransactionId ?? transactionId)),
            (1706, instant(originalPurchaseDate ?? purchaseDate)),
            (1707, DER.integer(productType)), (1708, expiresDate.map(instant)),
            (1709, DER.utf8String("")), (1711, DER.integer(webOrderLineItemId)),
            (1712, cancellationDate.map(instant) ?? DER.ia5String("")),
            (1713, isTrialPeriod.map { DER.integer($0 ? 1 : 0) }),
            (1720, cancellationReason.map { DER.integer($0) }),
        ]
        attributes += extra.map { ($0.type, $0.value) }
        return ReceiptFields.set(attributes.filter { !omitted.contains($0.type) })
    }
}
