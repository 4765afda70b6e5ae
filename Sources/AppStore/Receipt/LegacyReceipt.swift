internal import Cryptography
internal import JSON

/// The receipt of one transaction as iOS 6 and before had it: an old-style property list whose
/// `purchase-info` is another one in base64.
///
/// Apple's servers judged its signature, with a certificate long out of date; here it is only told.
struct LegacyReceipt {
    let json: [UInt8]
    let payload: JSONValue

    /// The names that Apple's signed payloads have for the same.
    private static let names = [
        "transaction-id": "transactionId", "original-transaction-id": "originalTransactionId",
        "product-id": "productId", "bid": "bundleId",
    ]

    /// Whether text begins as such a list does.
    static func isBeginning(_ text: ArraySlice<UInt8>) -> Bool {
        let beginning = text.prefix(4096)
        let characters = beginning.lazy.filter { !Recognition.isWhiteSpace($0) }
        // A name and an equals sign; JSON, which nearly everything is, has a colon there.
        guard characters.starts(with: "{\"".utf8),
            characters.dropFirst(2).drop(while: { $0 != UInt8(ascii: "\"") }).dropFirst().first
                == UInt8(ascii: "=")
        else { return false }
        let start = String(decoding: Array(characters), as: UTF8.self)
        return start.contains("\"purchase-info\"=") || start.contains("\"signature\"=")
    }

    /// `nil` for anything else.
    init?(_ bytes: [UInt8]) {
        guard let outer = PropertyList.strings(bytes), let encoded = outer["purchase-info"],
            let decoded = Base64.decodeLeniently(encoded.utf8),
            let info = PropertyList.strings(decoded)
        else { return nil }
        var writer = JSONWriter()
        writer.object { writer in
            if let environment = outer["environment"] { writer.member("environment", environment) }
            for (name, value) in info.sorted(by: { $0.key < $1.key }) {
                if let own = Self.names[name] { writer.member(own, value) }
            }
            writer.name("purchaseInfo")
            writer.object { writer in
                for (name, value) in info.sorted(by: { $0.key < $1.key }) {
                    writer.member(name, value)
                }
            }
        }
        json = writer.bytes
        guard let payload = try? JSONValue(parsing: json) else { return nil }
        self.payload = payload
    }
}

/// A flat old-style property list: `{ "name" = "value"; … }`.
private struct PropertyList {
    /// The most members that are read.
    private static let membersMax = 256

    private let bytes: [UInt8]
    private var position = 0

    /// The members of a list that is all of `bytes`; `nil` for anything else.
    static func strings(_ bytes: [UInt8]) -> [String: String]? {
        var list = PropertyList(bytes: bytes)
        return list.object()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func object() -> [String: String]? {
        guard take("{") else { return nil }
        var members: [String: String] = [:]
        while !take("}") {
            guard members.count < Self.membersMax, let name = string(), take("="),
                let value = string(), take(";")
            else { return nil }
            members[name] = value
        }
        skipWhiteSpace()
        return position == bytes.count ? members : nil
    }

    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        var text: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard position < bytes.count else { return nil }
                text.append(bytes[position])
                position += 1
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipWhiteSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else {
            return false
        }
        position += 1
        return true
    }

    private mutating func skipWhiteSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
            position += 1
        }
    }
}
