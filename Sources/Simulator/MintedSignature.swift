internal import Cryptography
internal import JSON

/// How a JWS is put together and signed, where it is not as Apple does it.
public struct SigningOptions: Sendable {
    /// The certificates of the header in DER; `nil` for leaf, intermediate, root.
    public var certificates: [[UInt8]]?
    /// The header's `alg`; `nil` leaves it out.
    public var algorithm: String? = "ES256"
    /// The header's `kid`.
    public var keyId: String?
    /// The name of the header's member for the certificates.
    public var certificatesMember = "x5c"
    /// The header's whole JSON text instead of one made from the above.
    public var header: [UInt8]?
    /// What is wrong with the signature.
    public var signatureFlaw: SignatureFlaw?

    /// As Apple signs.
    public init() {}

    /// As Apple signs, but for what `change` does.
    public init(_ change: (inout SigningOptions) -> Void) {
        change(&self)
    }
}

/// One thing wrong with the signature of a minted JWS.
public enum SignatureFlaw: String, Sendable, CaseIterable {
    case empty
    case zeroR
    case zeroS
    /// 63 bytes: the last is missing.
    case short
    /// 65 bytes: a zero follows.
    case long
    /// The ASN.1 form that X.509 uses.
    case der
    /// Base64url with `==` behind, which JWS forbids.
    case padded
    /// Valid for another payload.
    case ofAnotherPayload

    func apply(to signature: [UInt8]) -> [UInt8] {
        switch self {
        case .empty: []
        case .zeroR: [UInt8](repeating: 0, count: 32) + signature.suffix(32)
        case .zeroS: signature.prefix(32) + [UInt8](repeating: 0, count: 32)
        case .short: signature.dropLast()
        case .long: signature + [0]
        case .der: P256.derSignature(signature)
        case .padded, .ofAnotherPayload: signature
        }
    }
}

extension MintedChain {
    /// A compact JWS over `payload` (RFC 7515, `ES256`, `x5c` of leaf, intermediate and root), or
    /// one that `options` spoil.
    public func sign(payload: [UInt8], options: SigningOptions = SigningOptions()) -> [UInt8] {
        let header = options.header ?? Self.header(options, certificates: certificates)
        let dot = UInt8(ascii: ".")
        let signed = Base64.encodeURL(header) + [dot] + Base64.encodeURL(payload)
        let flaw = options.signatureFlaw
        let message = flaw == .ofAnotherPayload ? signed + [UInt8(ascii: "A")] : signed
        var signature = leafKey.signature(digest: SHA256.hash(message))
        if let flaw { signature = flaw.apply(to: signature) }
        var text = Base64.encodeURL(signature)
        if flaw == .padded { text += Array("==".utf8) }
        return signed + [dot] + text
    }

    /// A compact JWS as Xcode's StoreKit testing signs: one certificate of its own.
    public func signAsXcode(payload: [UInt8]) -> [UInt8] {
        let options = SigningOptions {
            $0.certificates = [leafDER]
            $0.keyId = "Apple_Xcode_Key"
        }
        return sign(payload: payload, options: options)
    }

    private var certificates: [[UInt8]] { [leafDER, intermediateDER, rootDER] }

    private static func header(_ options: SigningOptions, certificates: [[UInt8]]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            if let algorithm = options.algorithm { writer.member("alg", algorithm) }
            if let keyId = options.keyId { writer.member("kid", keyId) }
            writer.name(options.certificatesMember)
            writer.array(options.certificates ?? certificates) {
                $0.string(String(decoding: Base64.encode($1), as: UTF8.self))
            }
        }
        return writer.bytes
    }
}
