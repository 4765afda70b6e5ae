internal import Cryptography

/// Apple's signer of app receipts (PKCS#7), under an RSA chain that is minted from a seed: root,
/// intermediate, leaf, with Apple's markers.
///
/// The same seed and fields give the same bytes. Making one takes a while, for its primes: keep it.
public struct ReceiptSigner: Sendable {
    /// The root certificate in DER; the file to trust for receipts.
    public let rootDER: [UInt8]
    /// The intermediate certificate in DER.
    public let intermediateDER: [UInt8]
    /// The certificate of the signing key, in DER.
    public let leafDER: [UInt8]
    private let leafKey: RSA.PrivateKey
    private let signer: [UInt8]

    private typealias DER = DistinguishedEncoding

    /// The chain of a seed, as Apple's, or with one thing wrong in its certificates.
    public init(seed: UInt64, flaw: ChainFlaw? = nil) {
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
        flaw?.apply(toIntermediate: &intermediate, leaf: &leaf)
        rootDER = root.der(signedBy: rootKey)
        intermediateDER = intermediate.der(signedBy: rootKey)
        leafDER = leaf.der(signedBy: intermediateKey)
        signer = leaf.issuerAndSerialNumber
    }

    /// A receipt in base64, as a client sends it.
    public func receipt(
        _ fields: ReceiptFields, options: ReceiptOptions = ReceiptOptions()
    ) -> [UInt8] {
        Base64.encode(sign(content: fields.content, options: options))
    }

    /// `content` signed directly, without signed attributes, with the three certificates: in DER
    /// unless `options` say otherwise.
    public func sign(content: [UInt8], options: ReceiptOptions = ReceiptOptions()) -> [UInt8] {
        let wrapped = options.isDoublyWrapped ? DER.octetString(content) : content
        let signature = leafKey.signature(
            digest: options.usesSHA1 ? SHA1.hash(wrapped) : SHA256.hash(wrapped))
        let signed = options.flaw?.content(wrapped) ?? wrapped
        let info = signerInfo(options.flaw?.signature(signature) ?? signature, options)
        let signers = [[UInt8]](repeating: info, count: options.flaw?.signerCount ?? 1)
        let certificates = options.certificates ?? [leafDER, intermediateDER, rootDER]
        let signedData = options.enclose(
            0x30,
            [
                DER.integer([1]), DER.set([options.digestAlgorithm]),
                options.enclose(
                    0x30,
                    [
                        DER.objectIdentifier([1, 2, 840, 113_549, 1, 7, 1]),
                        options.enclose(0xA0, [options.octets(signed)]),
                    ]),
                certificates.isEmpty ? [] : options.enclose(0xA0, certificates),
                DER.set(signers),
            ])
        let message = options.enclose(
            0x30,
            [
                DER.objectIdentifier([1, 2, 840, 113_549, 1, 7, 2]),
                options.enclose(0xA0, [signedData]),
            ])
        return options.flaw?.message(message) ?? message
    }

    private func signerInfo(_ signature: [UInt8], _ options: ReceiptOptions) -> [UInt8] {
        DER.sequence([
            DER.integer([1]), signer, options.digestAlgorithm,
            DER.sequence([
                DER.objectIdentifier([1, 2, 840, 113_549, 1, 1, 1]), DER.tagged(0x05, []),
            ]),
            DER.octetString(signature),
        ])
    }
}
