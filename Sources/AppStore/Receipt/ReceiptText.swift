internal import Cryptography

/// An app receipt as people and clients send it.
enum ReceiptText {
    /// The receipt's own bytes: as they are, or out of base64 with any white space, of either alphabet,
    /// padded or not.
    static func plain(_ bytes: [UInt8]) throws(RefusalReason) -> [UInt8] {
        // ASN.1's SEQUENCE is the digit "0", with which no base64 of a receipt begins.
        if bytes.first == BasicTag.sequence { return bytes }
        guard let plain = Base64.decodeLeniently(bytes) else { throw .malformed }
        return plain
    }
}
