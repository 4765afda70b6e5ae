internal import Cryptography
internal import JSON

/// What an app receipt says, as JSON with the names of Apple's signed payloads.
///
/// Beside the attributes: `environment` (told by `receiptType`), `type` of a purchase (told by
/// `productType`), `inApp`, and in `otherAttributes` whatever is not known here, cannot be read, or
/// stands there again: its number, version and bytes in hexadecimal. An empty text is absent.
package struct ReceiptContent {
    /// The most purchases a receipt may list.
    static let purchasesMax = 20_000
    /// The most bytes of attributes that are not known here, in all; genuine receipts have a few
    /// hundred.
    static let otherBytesMax = 1 << 20

    private static let limits = JSONLimits(
        bytesMax: 32 << 20, depthMax: 8, valuesMax: 1_000_000)

    /// The JSON text.
    let json: [UInt8]
    /// The same, read.
    let payload: JSONValue
    let deviceHash: DeviceHash

    /// Reads the signed bytes of a receipt.
    package init(_ signed: [UInt8]) throws(RefusalReason) {
        let attributes = try Self.attributes(signed)
        let purchases = attributes.filter { $0.type == ReceiptField.inApp }
        guard purchases.count <= Self.purchasesMax else { throw .tooLarge }
        let told = attributes.filter { $0.type != ReceiptField.inApp }
        let members = try ReceiptMembers(told, fields: ReceiptField.ofReceipt)
        var writer = JSONWriter()
        try Self.write(members, purchases, to: &writer)
        json = writer.bytes
        payload = try Self.read(json)
        deviceHash = DeviceHash(
            opaqueValue: members.value(ReceiptField.opaqueValue),
            bundle: members.value(ReceiptField.bundleId),
            hash: members.value(ReceiptField.deviceHash))
    }

    private static func attributes(_ bytes: [UInt8]) throws(RefusalReason) -> [ReceiptAttribute] {
        do {
            return try ReceiptAttribute.all(in: bytes)
        } catch {
            throw .malformed
        }
    }

    private static func read(_ json: [UInt8]) throws(RefusalReason) -> JSONValue {
        do {
            return try JSONValue(parsing: json, limits: limits)
        } catch {
            throw error.refusal
        }
    }

    // MARK: JSON

    private static func write(
        _ members: ReceiptMembers, _ purchases: [ReceiptAttribute], to writer: inout JSONWriter
    ) throws(RefusalReason) {
        var written: [ReceiptMembers] = []
        for purchase in purchases {
            let attributes = try Self.attributes(Array(purchase.value))
            written.append(try ReceiptMembers(attributes, fields: ReceiptField.ofPurchase))
        }
        let otherBytes = written.reduce(members.otherBytes) { $0 + $1.otherBytes }
        guard otherBytes <= otherBytesMax else { throw .tooLarge }
        writer.object { writer in
            if let environment = members.text(ReceiptField.environment).map(environment) {
                writer.member("environment", environment)
            }
            members.write(to: &writer)
            writer.name("inApp")
            writer.array(written) { writer, purchase in
                writer.object { writer in
                    if let type = purchase.number(1707).flatMap(productType) {
                        writer.member("type", type)
                    }
                    purchase.write(to: &writer)
                }
            }
        }
    }

    /// Apple's word for the environment in signed transactions. A type that is none of these, such
    /// as `Xcode`, is its own.
    private static func environment(_ receiptType: String) -> String {
        switch receiptType {
        case "Production", "ProductionVPP": "Production"
        case "ProductionSandbox", "ProductionVPPSandbox": "Sandbox"
        default: receiptType
        }
    }

    /// Apple's word for the kind of product in signed transactions.
    private static func productType(_ number: Int64) -> String? {
        let words = [
            "Non-Consumable", "Consumable", "Non-Renewing Subscription",
            "Auto-Renewable Subscription",
        ]
        return words.indices.contains(Int(clamping: number)) ? words[Int(number)] : nil
    }
}
