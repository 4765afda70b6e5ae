internal import Cryptography

/// A certificate chain like Apple's (root, intermediate, leaf), minted from a seed, that signs JWS.
///
/// The same seed gives the same bytes on every machine: keys are derived from it, signatures are
/// deterministic (RFC 6979), and the validity is fixed from 2020-01-01 to 2045-01-01 UTC.
public struct MintedChain: Sendable {
    /// The root certificate in DER; the file to trust.
    public let rootDER: [UInt8]
    /// The intermediate certificate in DER.
    public let intermediateDER: [UInt8]
    /// The certificate of the signing key, in DER.
    public let leafDER: [UInt8]
    let leafKey: P256.PrivateKey
    /// The header of what it signs as Apple does, in base64url.
    let usualHeader: [UInt8]

    /// A chain as Apple's, or with one thing wrong in its certificates.
    public init(seed: UInt64, flaw: ChainFlaw? = nil) {
        let rootKey = Self.key(seed, "root")
        let intermediateKey = Self.key(seed, "intermediate")
        leafKey = Self.key(seed, "leaf")

        let rootName = "Quittance Minted Root \(seed)"
        let intermediateName = "Quittance Minted Intermediate \(seed)"
        let root = MintedCertificate(
            subject: rootName, issuer: rootName, publicPoint: rootKey.x963, isAuthority: true)
        var intermediate = MintedCertificate(
            subject: intermediateName, issuer: rootName, publicPoint: intermediateKey.x963,
            isAuthority: true, markers: [MintedCertificate.intermediateMarker])
        var leaf = MintedCertificate(
            subject: "Quittance Minted Leaf \(seed)", issuer: intermediateName,
            publicPoint: leafKey.x963, isAuthority: false, markers: [MintedCertificate.leafMarker])
        flaw?.apply(toIntermediate: &intermediate, leaf: &leaf)

        rootDER = root.der(signedBy: rootKey)
        if flaw == .leafIssuedByLeaf {
            // A genuine leaf passes itself off as an authority and issues another leaf.
            intermediateDER = leaf.der(signedBy: intermediateKey)
            leaf.issuer = leaf.subject
            leaf.subject += " Issued By A Leaf"
            leafDER = leaf.der(signedBy: leafKey)
        } else {
            intermediateDER = intermediate.der(signedBy: rootKey)
            leafDER = leaf.der(signedBy: intermediateKey)
        }
        usualHeader = Self.usualHeader(of: [leafDER, intermediateDER, rootDER])
    }

    private static func key(_ seed: UInt64, _ name: String) -> P256.PrivateKey {
        P256.PrivateKey(derivedFrom: Array("quittance/\(seed)/\(name)".utf8))
    }
}

/// One thing wrong with the certificates of a minted chain.
public enum ChainFlaw: String, Sendable, CaseIterable {
    case intermediateWithoutMarker
    case intermediateWithWrongMarker
    case leafWithoutMarker
    case leafWithWrongMarker
    /// The intermediate's basic constraints say CA:FALSE.
    case intermediateIsNoAuthority
    /// A leaf, directly under the root, stands where the intermediate should.
    case leafAsIntermediate
    /// A genuine leaf issued the leaf.
    case leafIssuedByLeaf
    case leafWithUnknownCriticalExtension
    case intermediateWithUnknownCriticalExtension
    /// The leaf's key is none of P-256.
    case leafWithEd25519Key
    /// The leaf was valid in 2020 only.
    case leafExpired
    /// The intermediate was valid in 2020 only.
    case intermediateExpired

    func apply(toIntermediate intermediate: inout MintedCertificate, leaf: inout MintedCertificate)
    {
        switch self {
        case .intermediateWithoutMarker: intermediate.markers = []
        case .intermediateWithWrongMarker:
            intermediate.markers = [[1, 2, 840, 113_635, 100, 6, 2, 2]]
        case .leafWithoutMarker: leaf.markers = []
        case .leafWithWrongMarker: leaf.markers = [[1, 2, 840, 113_635, 100, 6, 11, 2]]
        case .intermediateIsNoAuthority: intermediate.isAuthority = false
        case .leafWithUnknownCriticalExtension: leaf.hasUnknownCriticalExtension = true
        case .intermediateWithUnknownCriticalExtension:
            intermediate.hasUnknownCriticalExtension = true
        case .leafWithEd25519Key: leaf.hasEd25519Key = true
        case .leafExpired: leaf.years = 2020...2021
        case .intermediateExpired: intermediate.years = 2020...2021
        case .leafAsIntermediate:
            intermediate.isAuthority = false
            intermediate.markers.append(MintedCertificate.leafMarker)
        case .leafIssuedByLeaf: break  // Nothing is wrong with the certificates themselves.
        }
    }
}
