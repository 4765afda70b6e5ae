internal import AppStoreModel
internal import Cryptography

/// Apple's signer of app receipts (PKCS#7), under an RSA chain that is minted from a seed: root,
/// intermediate, leaf, with Apple's markers. The same seed and entries give the same bytes.
public struct ReceiptSigner: Sendable {
    /// The root certificate in DER; the file to trust for receipts.
    public let rootDER: [UInt8]
    private let intermediateDER: [UInt8]
    private let leafDER: [UInt8]
    private let leafKey: RSA.PrivateKey
    private let signer: [UInt8]

    private typealias DER = DistinguishedEncoding

    /// The chain of a seed.
    public init(seed: UInt64) {
        func key(_ name: String) -> RSA.PrivateKey {
            RSA.PrivateKey(derivedFrom: Array("quittance/\(seed)/receipt/\(name)".utf8))
        }
        let (rootKey, intermediateKey) = (key("root"), key("intermediate"))
        leafKey = key("leaf")
        let rootName = "Quittance Minted Receipt Root \(seed)"
        let intermediateName = "Quittance Minted Receipt Intermediate \(seed)"
        var root = MintedCertificate(
            subject: rootName, issuer: rootName, publicPoint: [], isAuthority: true)
        root.modulus = rootKey.modulus
        var intermediate = MintedCertificate(
            subject: intermediateName, issuer: rootName, publicPoint: [], isAuthority: true,
            markers: [MintedCertificate.intermediateMarker])
        intermediate.modulus = intermediateKey.modulus
        var leaf = MintedCertificate(
            subject: "Quittance Minted Receipt Leaf \(seed)", issuer: intermediateName,
            publicPoint: [], isAuthority: false, markers: [MintedCertificate.leafMarker])
        leaf.modulus = leafKey.modulus
        rootDER = root.der(signedBy: rootKey)
        intermediateDER = intermediate.der(signedBy: rootKey)
        leafDER = leaf.der(signedBy: intermediateKey)
        signer = leaf.issuerAndSerialNumber
    }

    /// The receipt of an app on a device, in DER: the payload of Apple's attributes, signed directly
    /// (no signed attributes), with the three certificates.
    func receipt(_ content: ReceiptContent) -> [UInt8] {
        let payload = content.payload
        let signature = leafKey.signature(digest: SHA256.hash(payload))
        let sha256 = DER.sequence([
            DER.objectIdentifier([2, 16, 840, 1, 101, 3, 4, 2, 1]), DER.tagged(0x05, []),
        ])
        let signerInfo = DER.sequence([
            DER.integer([1]), signer, sha256,
            DER.sequence([
                DER.objectIdentifier([1, 2, 840, 113_549, 1, 1, 1]), DER.tagged(0x05, []),
            ]),
            DER.octetString(signature),
        ])
        let signedData = DER.sequence([
            DER.integer([1]), DER.set([sha256]),
            DER.sequence([
                DER.objectIdentifier([1, 2, 840, 113_549, 1, 7, 1]),
                DER.tagged(0xA0, DER.octetString(payload)),
            ]),
            DER.tagged(0xA0, leafDER + intermediateDER + rootDER),
            DER.set([signerInfo]),
        ])
        return DER.sequence([
            DER.objectIdentifier([1, 2, 840, 113_549, 1, 7, 2]), DER.tagged(0xA0, signedData),
        ])
    }
}

/// What a receipt says (Apple: Receipt fields). Instants are milliseconds since 1970 UTC.
struct ReceiptContent {
    var environment: String
    var appAppleId: Int64
    var bundle: String
    var appVersion: String
    /// The device's id, a UUID: the hash is made of its 16 bytes.
    var deviceId: String
    var createdAt: Int64
    var entries: [Entry]

    /// One purchase.
    struct Entry {
        var quantity: Int64
        var productId: String
        var transactionId: String
        var originalTransactionId: String
        var purchaseDate: Int64
        var originalPurchaseDate: Int64
        var kind: World.Product.Kind
        var expiresDate: Int64?
        var webOrderLineItemId: Int64?
        var cancellationDate: Int64?
        var cancellationReason: Int64?
    }

    private typealias DER = DistinguishedEncoding

    /// The SET of attributes, in the order of their numbers.
    var payload: [UInt8] {
        let bundleName = DER.utf8String(bundle)
        let opaque = Array(SHA256.hash(Array("opaque/\(deviceId)/\(createdAt)".utf8)).prefix(16))
        let hash = SHA1.hash(Self.bytes(ofUUID: deviceId) + opaque + bundleName)
        var attributes = [
            Self.attribute(0, DER.utf8String(environment)),
            Self.attribute(1, Self.integer(appAppleId)),
            Self.attribute(2, bundleName),
            Self.attribute(3, DER.utf8String(appVersion)),
            Self.attribute(4, opaque),
            Self.attribute(5, hash),
            Self.attribute(8, Self.date(createdAt)),
            Self.attribute(10, DER.tagged(0x16, Array("4+".utf8))),
            Self.attribute(12, Self.date(createdAt)),
        ]
        attributes += entries.map { Self.attribute(17, $0.payload) }
        attributes += [
            Self.attribute(18, Self.date(entries.map(\.originalPurchaseDate).min() ?? createdAt)),
            Self.attribute(19, DER.utf8String("1.0")),
        ]
        return DER.set(attributes)
    }

    fileprivate static func attribute(_ type: Int64, _ value: [UInt8]) -> [UInt8] {
        DER.sequence([integer(type), DER.integer([1]), DER.octetString(value)])
    }

    fileprivate static func integer(_ value: Int64) -> [UInt8] {
        DER.integer((0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) })
    }

    fileprivate static func date(_ instant: Int64) -> [UInt8] {
        DER.tagged(0x16, Array(RFC3339.text(instant / 1000 * 1000).utf8))
    }

    private static func bytes(ofUUID text: String) -> [UInt8] {
        let digits = text.filter { $0 != "-" }
        return stride(from: 0, to: digits.count, by: 2).compactMap { place in
            UInt8(digits.dropFirst(place).prefix(2), radix: 16)
        }
    }
}

extension ReceiptContent.Entry {
    /// The SET of one purchase's attributes.
    fileprivate var payload: [UInt8] {
        typealias DER = DistinguishedEncoding
        var attributes = [
            Self.attribute(1701, ReceiptContent.integer(quantity)),
            Self.attribute(1702, DER.utf8String(productId)),
            Self.attribute(1703, DER.utf8String(transactionId)),
            Self.attribute(1704, ReceiptContent.date(purchaseDate)),
            Self.attribute(1705, DER.utf8String(originalTransactionId)),
            Self.attribute(1706, ReceiptContent.date(originalPurchaseDate)),
            Self.attribute(1707, ReceiptContent.integer(kindNumber)),
        ]
        if let expiresDate {
            attributes.append(Self.attribute(1708, ReceiptContent.date(expiresDate)))
        }
        if let webOrderLineItemId {
            attributes.append(Self.attribute(1711, ReceiptContent.integer(webOrderLineItemId)))
        }
        if let cancellationDate {
            attributes.append(Self.attribute(1712, ReceiptContent.date(cancellationDate)))
        }
        if let cancellationReason {
            attributes.append(Self.attribute(1720, ReceiptContent.integer(cancellationReason)))
        }
        return DER.set(attributes)
    }

    private static func attribute(_ type: Int64, _ value: [UInt8]) -> [UInt8] {
        ReceiptContent.attribute(type, value)
    }

    private var kindNumber: Int64 {
        switch kind {
        case .nonConsumable: 0
        case .consumable: 1
        case .nonRenewing: 2
        case .autoRenewable: 3
        }
    }
}
