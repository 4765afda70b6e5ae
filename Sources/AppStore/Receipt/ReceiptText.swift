internal import Cryptography

/// An app receipt as people and clients send it: plain, or in base64 with any white space, of
/// either alphabet, padded or not.
struct ReceiptText {
    /// The receipt's own bytes.
    let plain: [UInt8]
    /// Standard base64 without white space: one text for one receipt, whatever was sent.
    let canonical: [UInt8]

    init(_ bytes: [UInt8]) throws(RefusalReason) {
        // ASN.1's SEQUENCE is the digit "0", with which no base64 of a receipt begins.
        if bytes.first == BasicTag.sequence {
            plain = bytes
            canonical = Base64.encode(bytes)
        } else if let strict = Base64.decode(bytes) {
            plain = strict
            canonical = bytes
        } else {
            guard let lenient = Base64.decodeLeniently(bytes) else { throw .malformed }
            plain = lenient
            canonical = Base64.encode(lenient)
        }
    }
}
