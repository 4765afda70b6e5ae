internal import Cryptography

/// A path of certificates that was found good, and is made for what Apple signs with it.
struct TrustedPath: Sendable {
    /// The seconds since 1970 UTC at which all its certificates are valid.
    let validity: ClosedRange<Int64>
    let anchorFingerprint: String
    let anchorName: String
    let signerName: String

    private static let intermediateMarker = "1.2.840.113635.100.6.2.1"
    private static let leafMarker = "1.2.840.113635.100.6.11.1"

    /// Builds and checks the path from `leaf` by one of `intermediates`, at `instant` (seconds
    /// since 1970 UTC).
    ///
    /// Apple marks both certificates with an extension: those of 2013 already, as genuine receipts
    /// show, and those of today.
    init(
        leaf: Certificate, intermediates: [Certificate], anchors: [Certificate], at instant: Int64
    ) throws(RefusalReason) {
        let path = try Self.path(leaf, intermediates, anchors, at: instant)
        guard path.intermediate.hasExtension(Self.intermediateMarker),
            leaf.hasExtension(Self.leafMarker)
        else { throw .wrongCertificatePurpose }
        guard let validity = path.validity else { throw .badCertificate }
        self.validity = validity
        anchorFingerprint = Hexadecimal.encode(path.anchor.fingerprint)
        anchorName = path.anchor.name
        signerName = leaf.name
    }

    /// The first path that holds. Where none does, a certificate that is only out of date says more
    /// than one that leads nowhere.
    private static func path(
        _ leaf: Certificate, _ intermediates: [Certificate], _ anchors: [Certificate],
        at instant: Int64
    ) throws(RefusalReason) -> CertificatePath {
        var reason = RefusalReason.untrustedChain
        for intermediate in intermediates {
            do {
                return try CertificatePath(
                    leaf: leaf, intermediate: intermediate, anchors: anchors, at: instant)
            } catch {
                switch error {
                case .expired: reason = .chainExpired
                case .untrusted: break
                }
            }
        }
        throw reason
    }
}
