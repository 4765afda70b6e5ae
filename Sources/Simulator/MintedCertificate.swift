internal import Cryptography

/// An X.509 certificate (RFC 5280) to be minted: what it says, before it is signed.
struct MintedCertificate {
    /// `1.2.840.113635.100.6.2.1`: marks an intermediate of Apple's developer relations.
    static let intermediateMarker: [UInt64] = [1, 2, 840, 113_635, 100, 6, 2, 1]
    /// `1.2.840.113635.100.6.11.1`: marks the certificate that signs App Store receipts and JWS.
    static let leafMarker: [UInt64] = [1, 2, 840, 113_635, 100, 6, 11, 1]

    var subject: String
    var issuer: String
    var publicPoint: [UInt8]
    var isAuthority: Bool
    /// The object identifiers of the extensions that only mark, with the value NULL.
    var markers: [[UInt64]] = []
    /// Whether it certifies an Ed25519 key, made of the same bytes, instead.
    var hasEd25519Key = false
    /// A critical extension that no checker of paths knows.
    var hasUnknownCriticalExtension = false
    /// The years whose first of January bounds the validity.
    var years = 2020...2045
    /// The RSA key that it certifies instead of a point; its issuer's key is then one too.
    var modulus: [UInt8]?

    /// The certificate in DER, signed by `issuerKey`.
    func der(signedBy issuerKey: P256.PrivateKey) -> [UInt8] {
        let body = toBeSigned
        let signature = issuerKey.signature(digest: SHA256.hash(body))
        return DistinguishedEncoding.sequence([
            body, signatureAlgorithm,
            DistinguishedEncoding.bitString(P256.derSignature(signature)),
        ])
    }

    /// The certificate in DER, signed by an RSA key.
    func der(signedBy issuerKey: RSA.PrivateKey) -> [UInt8] {
        let body = toBeSigned
        let signature = issuerKey.signature(digest: SHA256.hash(body))
        return DER.sequence([body, signatureAlgorithm, DER.bitString(signature)])
    }

    /// Issuer and serial number, by which a CMS signature names the certificate (RFC 5652).
    var issuerAndSerialNumber: [UInt8] { DER.sequence([Self.name(issuer), serialNumber]) }

    private typealias DER = DistinguishedEncoding

    /// ecdsa-with-SHA256, or sha256WithRSAEncryption.
    private var signatureAlgorithm: [UInt8] {
        modulus == nil
            ? DER.sequence([DER.objectIdentifier([1, 2, 840, 10045, 4, 3, 2])])
            : DER.sequence([
                DER.objectIdentifier([1, 2, 840, 113_549, 1, 1, 11]), DER.tagged(0x05, []),
            ])
    }

    private var serialNumber: [UInt8] {
        DER.integer([1] + SHA256.hash(Array(subject.utf8) + (modulus ?? publicPoint)).prefix(8))
    }

    private var toBeSigned: [UInt8] {
        DER.sequence([
            DER.tagged(0xA0, DER.integer([2])),
            serialNumber,
            signatureAlgorithm,
            Self.name(issuer),
            DER.sequence([Self.newYear(years.lowerBound), Self.newYear(years.upperBound)]),
            Self.name(subject),
            subjectPublicKeyInfo,
            DER.tagged(0xA3, DER.sequence(extensions)),
        ])
    }

    private var subjectPublicKeyInfo: [UInt8] {
        if let modulus {
            return DER.sequence([
                DER.sequence([
                    DER.objectIdentifier([1, 2, 840, 113_549, 1, 1, 1]), DER.tagged(0x05, []),
                ]),
                DER.bitString(
                    DER.sequence([DER.integer(modulus), DER.integer([0x01, 0x00, 0x01])])),
            ])
        }
        guard hasEd25519Key else { return P256.subjectPublicKeyInfo(x963: publicPoint) }
        return DER.sequence([
            DER.sequence([DER.objectIdentifier([1, 3, 101, 112])]),
            DER.bitString(Array(publicPoint.suffix(32))),
        ])
    }

    private static func name(_ commonName: String) -> [UInt8] {
        let attribute = DER.sequence([
            DER.objectIdentifier([2, 5, 4, 3]), DER.utf8String(commonName),
        ])
        return DER.sequence([DER.set([attribute])])
    }

    /// RFC 5280: UTCTime to 2049.
    private static func newYear(_ year: Int) -> [UInt8] {
        let rest = "0101000000Z"
        return year < 2050
            ? DER.utcTime(String(String(year).suffix(2)) + rest)
            : DER.generalizedTime(String(year) + rest)
    }

    private var extensions: [[UInt8]] {
        let constraints = DER.sequence(isAuthority ? [DER.boolean(true)] : [])
        // keyCertSign and cRLSign, or digitalSignature.
        let usage =
            isAuthority
            ? DER.bitString([0x06], unused: 1) : DER.bitString([0x80], unused: 7)
        var list = [
            Self.entry([2, 5, 29, 19], critical: true, constraints),
            Self.entry([2, 5, 29, 15], critical: true, usage),
            Self.entry(
                [2, 5, 29, 14], critical: false, DER.octetString(Self.keyIdentifier(subject))),
            Self.entry(
                [2, 5, 29, 35], critical: false,
                DER.sequence([DER.tagged(0x80, Self.keyIdentifier(issuer))])),
        ]
        list += markers.map { Self.entry($0, critical: false, DER.tagged(0x05, [])) }
        if hasUnknownCriticalExtension {
            list.append(
                Self.entry([1, 3, 6, 1, 4, 1, 55555, 1], critical: true, DER.tagged(0x05, [])))
        }
        return list
    }

    /// Each name has one key here, so the name gives the identifier (RFC 5280, section 4.2.1.2).
    private static func keyIdentifier(_ name: String) -> [UInt8] {
        Array(SHA256.hash(Array(name.utf8)).prefix(20))
    }

    private static func entry(_ identifier: [UInt64], critical: Bool, _ value: [UInt8]) -> [UInt8] {
        DER.sequence(
            [DER.objectIdentifier(identifier)] + (critical ? [DER.boolean(true)] : [])
                + [DER.octetString(value)])
    }
}
