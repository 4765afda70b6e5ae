/// How a receipt is put together and signed, where it is not as Apple does it today.
public struct ReceiptOptions: Sendable {
    /// Whether it is signed with SHA-1, as until 2023.
    public var usesSHA1 = false
    /// The certificates in DER; `nil` for leaf, intermediate, root.
    public var certificates: [[UInt8]]?
    /// Whether lengths are indefinite and the content comes in pieces, as Xcode writes it.
    public var isIndefinite = false
    /// Whether the content stands in an octet string of its own.
    public var isDoublyWrapped = false
    /// What is wrong with it.
    public var flaw: ReceiptFlaw?

    /// As Apple signs.
    public init() {}

    /// As Apple signs, but for what `change` does.
    public init(_ change: (inout ReceiptOptions) -> Void) {
        change(&self)
    }

    private typealias DER = DistinguishedEncoding

    /// id-sha1, id-sha256, or id-md5 where that is the flaw.
    var digestAlgorithm: [UInt8] {
        let sha1: [UInt64] = [1, 3, 14, 3, 2, 26]
        let sha256: [UInt64] = [2, 16, 840, 1, 101, 3, 4, 2, 1]
        let md5: [UInt64] = [1, 2, 840, 113_549, 2, 5]
        let identifier = flaw == .digestIsMD5 ? md5 : usesSHA1 ? sha1 : sha256
        return DER.sequence([DER.objectIdentifier(identifier), DER.tagged(0x05, [])])
    }

    func enclose(_ tag: UInt8, _ parts: [[UInt8]]) -> [UInt8] {
        let content = parts.flatMap { $0 }
        return isIndefinite ? [tag, 0x80] + content + [0, 0] : DER.tagged(tag, content)
    }

    func octets(_ bytes: [UInt8]) -> [UInt8] {
        guard isIndefinite else { return DER.octetString(bytes) }
        let middle = bytes.count / 2
        return enclose(
            0x24,
            [bytes.prefix(middle), bytes.dropFirst(middle)].map {
                DER.octetString(Array($0))
            })
    }
}

/// One thing wrong with a minted receipt.
public enum ReceiptFlaw: String, Sendable, CaseIterable {
    case emptySignature
    /// One bit of the signature is another.
    case flippedSignature
    case emptyContent
    /// One bit of the last value is another; it was signed without that.
    case flippedContent
    /// The last byte of the content is missing; it was signed with it.
    case cutContent
    /// A zero follows.
    case trailingByte
    /// The last byte is missing.
    case cut
    /// Nobody signed.
    case noSigner
    /// The same signature stands twice.
    case twoSigners
    case digestIsMD5

    func content(_ content: [UInt8]) -> [UInt8] {
        switch self {
        case .emptyContent: []
        case .cutContent: content.dropLast()
        case .flippedContent: content.dropLast() + content.suffix(1).map { $0 ^ 1 }
        case .emptySignature, .flippedSignature, .trailingByte, .cut, .noSigner, .twoSigners,
            .digestIsMD5:
            content
        }
    }

    func signature(_ signature: [UInt8]) -> [UInt8] {
        switch self {
        case .emptySignature: []
        case .flippedSignature: signature.dropLast() + signature.suffix(1).map { $0 ^ 1 }
        case .emptyContent, .flippedContent, .cutContent, .trailingByte, .cut, .noSigner,
            .twoSigners, .digestIsMD5:
            signature
        }
    }

    func message(_ message: [UInt8]) -> [UInt8] {
        switch self {
        case .trailingByte: message + [0]
        case .cut: message.dropLast()
        case .emptySignature, .flippedSignature, .emptyContent, .flippedContent, .cutContent,
            .noSigner, .twoSigners, .digestIsMD5:
            message
        }
    }

    var signerCount: Int { self == .noSigner ? 0 : self == .twoSigners ? 2 : 1 }
}
