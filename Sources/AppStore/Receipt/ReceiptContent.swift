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

/// The attributes of a receipt or of a purchase, sorted into those that are known and the rest.
struct ReceiptMembers {
    private let fields: [ReceiptField]
    /// The first readable value of each known type.
    private var known: [Int64: ReceiptAttribute] = [:]
    private var others: [ReceiptAttribute] = []

    /// - Throws: `malformed` where one is missing that every receipt has.
    init(_ attributes: [ReceiptAttribute], fields: [ReceiptField]) throws(RefusalReason) {
        self.fields = fields
        for attribute in attributes where !attribute.isEmpty {
            if known[attribute.type] == nil,
                let field = fields.first(where: { $0.type == attribute.type }),
                Self.isReadable(attribute, field.form)
            {
                known[attribute.type] = attribute
            } else {
                others.append(attribute)
            }
        }
        guard fields.allSatisfy({ !$0.isRequired || known[$0.type] != nil }) else {
            throw .malformed
        }
    }

    private static func isReadable(_ attribute: ReceiptAttribute, _ form: ReceiptField.Form) -> Bool
    {
        switch form {
        case .text: attribute.text != nil
        case .instant: attribute.instant != nil
        case .number, .identifier: attribute.number != nil
        case .flag: attribute.number == 0 || attribute.number == 1
        case .bytes: true
        }
    }

    /// How many bytes are told in hexadecimal.
    var otherBytes: Int {
        let known = fields.reduce(0) { sum, field in
            sum + (field.form == .bytes ? self.known[field.type]?.value.count ?? 0 : 0)
        }
        return others.reduce(known) { $0 + $1.value.count }
    }

    func value(_ type: Int64) -> [UInt8] { known[type].map { Array($0.value) } ?? [] }
    func text(_ type: Int64) -> String? { known[type]?.text }
    func number(_ type: Int64) -> Int64? { known[type]?.number }

    /// Writes them as members of the object that `writer` is in.
    func write(to writer: inout JSONWriter) {
        for field in fields {
            guard let attribute = known[field.type] else { continue }
            switch field.form {
            case .text: writer.member(field.name, attribute.text)
            case .instant: writer.member(field.name, attribute.instant)
            case .number: writer.member(field.name, attribute.number)
            case .flag: writer.member(field.name, attribute.number == 1)
            case .identifier:
                if let number = attribute.number, number != 0 {
                    writer.member(field.name, String(number))
                }
            case .bytes: writer.member(field.name, Hexadecimal.encode(attribute.value))
            }
        }
        guard !others.isEmpty else { return }
        writer.name("otherAttributes")
        writer.array(others) { writer, attribute in
            writer.object { writer in
                writer.member("type", attribute.type)
                writer.member("version", attribute.version)
                writer.member("value", Hexadecimal.encode(attribute.value))
            }
        }
    }
}
