internal import Cryptography

/// The certificate and the key (RSA, 2048 bits) with which a minted chain signs app receipts.
///
/// The same seed gives the same bytes. Making one takes a tenth of a second, for its primes: keep it.
public struct MintedReceiptSigner: Sendable {
    /// The certificate of the signing key, in DER.
    public let leafDER: [UInt8]
    /// The intermediate certificate in DER.
    public let intermediateDER: [UInt8]
    /// The root certificate in DER; the file to trust.
    public let rootDER: [UInt8]
    private let key: RSA.PrivateKey
    private let issuerAndSerialNumber: [UInt8]

    /// A signer below the chain's intermediate, with the chain's flaw, if it has one.
    public init(chain: MintedChain) {
        key = RSA.PrivateKey(derivedFrom: Array("quittance/\(chain.seed)/receipt".utf8))
        let name = MintedChain.intermediateName(chain.seed)
        let issuerKey = MintedChain.key(chain.seed, "intermediate")
        var leaf = MintedCertificate(
            subject: "Quittance Minted Receipt Signing \(chain.seed)", issuer: name,
            publicPoint: chain.leafKey.x963, otherKey: key.subjectPublicKeyInfo,
            isAuthority: false, markers: [MintedCertificate.leafMarker])
        var unused = leaf
        chain.flaw?.apply(toIntermediate: &unused, leaf: &leaf)
        leafDER = leaf.der(signedBy: issuerKey)
        issuerAndSerialNumber = leaf.issuerAndSerialNumber
        intermediateDER = chain.intermediateDER
        rootDER = chain.rootDER
    }

    /// The receipt in base64, as a client sends it.
    public func receipt(
        _ fields: ReceiptFields, options: ReceiptOptions = ReceiptOptions()
    ) -> [UInt8] {
        Base64.encode(sign(content: fields.content, options: options))
    }

    private typealias DER = DistinguishedEncoding

    private static let signedData: [UInt64] = [1, 2, 840, 113_549, 1, 7, 2]
    private static let data: [UInt64] = [1, 2, 840, 113_549, 1, 7, 1]

    /// SignedData (RFC 5652) over `content`, without signed attributes, as Apple's receipts are.
    public func sign(content: [UInt8], options: ReceiptOptions = ReceiptOptions()) -> [UInt8] {
        let wrapped = options.isDoublyWrapped ? DER.octetString(content) : content
        let signed = options.flaw?.content(wrapped) ?? wrapped
        let signature = key.signature(
            over: wrapped, digest: options.usesSHA1 ? .sha1 : .sha256)
        let certificates = options.certificates ?? [leafDER, intermediateDER, rootDER]
        let signer = signerInfo(options.flaw?.signature(signature) ?? signature, options)
        let signers = Array(repeating: signer, count: options.flaw?.signerCount ?? 1)
        let message = options.enclose(0x30, [
            DER.objectIdentifier(Self.signedData),
            options.enclose(0xA0, [
                options.enclose(0x30, [
                    DER.integer(1), DER.set([options.digestAlgorithm]),
                    options.enclose(0x30, [
                        DER.objectIdentifier(Self.data),
                        options.enclose(0xA0, [options.octets(signed)]),
                    ]),
                    certificates.isEmpty ? [] : options.enclose(0xA0, certificates),
                    DER.set(signers),
                ])
            ]),
        ])
        return options.flaw?.message(message) ?? message
    }

    private func signerInfo(_ signature: [UInt8], _ options: ReceiptOptions) -> [UInt8] {
        DER.sequence([
            DER.integer(1), issuerAndSerialNumber, options.digestAlgorithm,
            RSA.PrivateKey.algorithmIdentifier, DER.octetString(signature),
        ])
    }
}
