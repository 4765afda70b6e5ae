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
final class SigningChain: CachedChain {
    let key: P256.PublicKey
    let path: TrustedPath
    /// SHA-256 having taken in the header's segment and the dot behind it.
    let digestOfHeader: SHA256

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
        path = try TrustedPath(
            leaf: leaf, intermediates: [intermediate],
            anchors: anchors.candidates(offered: offered.map { [$0] } ?? []), at: instant)
        guard let key = leaf.p256Key else { throw .badCertificate }
        self.key = key
        var digest = SHA256()
        digest.update(Array(segment))
        digest.update([UInt8(ascii: ".")])
        digestOfHeader = digest
    }

    private static func certificate(_ text: String) -> Certificate? {
        Base64.decode(Array(text.utf8)).flatMap(Certificate.init(der:))
    }
}
