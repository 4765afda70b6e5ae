internal import Cryptography
internal import JSON

/// What a JWS header says, as far as a verification asks.
struct SigningHeader {
    let certificates: [String]
    let keyId: String?

    /// Reads a header. `crit` is refused: it names extensions that a reader must understand.
    init(_ segment: ArraySlice<UInt8>, limits: JSONLimits) throws(RefusalReason) {
        let header = try CompactJWS.object(segment, limits: limits).value
        guard let algorithm = header["alg"]?.string, header["crit"] == nil else {
            throw .malformed
        }
        guard algorithm == "ES256" else { throw .badAlgorithm }
        guard let certificates = header["x5c"]?.array else { throw .malformed }
        self.certificates = certificates.compactMap(\.string)
        guard self.certificates.count == certificates.count else { throw .malformed }
        keyId = header["kid"]?.string
    }

    /// StoreKit testing signs with one certificate of its own.
    func isXcode(_ identity: PayloadIdentity) -> Bool {
        certificates.count == 1 && (keyId == "Apple_Xcode_Key" || identity.isXcode)
    }
}

/// A chain that was found good, with all that further signatures under the same header need.
final class SigningChain: Sendable {
    let key: P256.PublicKey
    /// The seconds since 1970 UTC at which all its certificates are valid.
    let validity: ClosedRange<Int64>
    let anchorFingerprint: String
    let anchorName: String
    let signerName: String
    /// SHA-256 having taken in the header's segment and the dot behind it.
    let digestOfHeader: SHA256

    private static let intermediateMarker = "1.2.840.113635.100.6.2.1"
    private static let leafMarker = "1.2.840.113635.100.6.11.1"

    /// Builds and checks the path of a header's certificates at `instant` (seconds since 1970 UTC).
    ///
    /// The third certificate is counted, and never believed: it serves only where its fingerprint
    /// is pinned.
    init(
        _ header: SigningHeader, segment: ArraySlice<UInt8>, anchors: TrustAnchors,
        at instant: Int64
    ) throws(RefusalReason) {
        guard header.certificates.count == 3 else { throw .malformed }
        guard let leaf = Self.certificate(header.certificates[0]),
            let intermediate = Self.certificate(header.certificates[1])
        else { throw .badCertificate }
        let offered = Self.certificate(header.certificates[2])
        let path = try Self.path(
            leaf, intermediate, anchors.candidates(offered: offered), at: instant)
        guard intermediate.hasExtension(Self.intermediateMarker),
            leaf.hasExtension(Self.leafMarker)
        else { throw .wrongCertificatePurpose }
        guard let key = leaf.p256Key, let validity = path.validity else { throw .badCertificate }
        self.key = key
        self.validity = validity
        anchorFingerprint = Hexadecimal.encode(path.anchor.fingerprint)
        anchorName = path.anchor.name
        signerName = leaf.name
        var digest = SHA256()
        digest.update(Array(segment))
        digest.update([UInt8(ascii: ".")])
        digestOfHeader = digest
    }

    private static func certificate(_ text: String) -> Certificate? {
        Base64.decode(Array(text.utf8)).flatMap(Certificate.init(der:))
    }

    private static func path(
        _ leaf: Certificate, _ intermediate: Certificate, _ anchors: [Certificate],
        at instant: Int64
    ) throws(RefusalReason) -> CertificatePath {
        do {
            return try CertificatePath(
                leaf: leaf, intermediate: intermediate, anchors: anchors, at: instant)
        } catch {
            switch error {
            case .expired: throw .chainExpired
            case .untrusted: throw .untrustedChain
            }
        }
    }
}
