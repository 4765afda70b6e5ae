/// Whether signed material is what it says it is.
public enum VerificationStatus: String, Sendable, Hashable {
    /// Signed by Apple (or a root configured beside Apple's), for the app that was expected.
    case verified
    /// Not to be believed; the reason says why.
    case refused
    /// Of a kind that carries no signature.
    case unsigned
}

/// Why material is not believed: a closed set.
///
/// Only `badSignature`, `untrustedChain`, `wrongCertificatePurpose` and `badAlgorithm` speak of
/// forgery. A truncated upload, a bundle nobody configured or a developer's Xcode build accuses
/// nobody.
public enum RefusalReason: String, Error, Sendable, Hashable, CaseIterable {
    /// Not three parts of unpadded base64url with JSON objects in the first two, or no three
    /// certificates, or a signature that has not 64 bytes.
    case malformed
    case unknownKind = "unknown-kind"
    case tooLarge = "too-large"
    case unsigned
    /// The header's algorithm is another than ES256.
    case badAlgorithm = "bad-algorithm"
    /// A certificate cannot be read, or the leaf has no P-256 key.
    case badCertificate = "bad-certificate"
    case untrustedChain = "untrusted-chain"
    /// At the instant checked, a certificate was not yet, or no longer, valid.
    case chainExpired = "chain-expired"
    /// Leaf or intermediate lacks the extension by which Apple marks what it is for.
    case wrongCertificatePurpose = "wrong-certificate-purpose"
    case badSignature = "bad-signature"
    /// Signed more than 5 minutes ahead of our clock.
    case signedInFuture = "signed-in-future"
    /// Signed by StoreKit testing on a developer's machine.
    case xcodeSigned = "xcode-signed"
    case wrongBundle = "wrong-bundle"
    case wrongAppId = "wrong-app-id"
    case wrongEnvironment = "wrong-environment"
    case deviceHashMismatch = "device-hash-mismatch"

    /// Whether it says that somebody made the material up.
    public var speaksOfForgery: Bool {
        switch self {
        case .badSignature, .untrustedChain, .wrongCertificatePurpose, .badAlgorithm: true
        case .malformed, .unknownKind, .tooLarge, .unsigned, .badCertificate, .chainExpired,
            .signedInFuture, .xcodeSigned, .wrongBundle, .wrongAppId, .wrongEnvironment,
            .deviceHashMismatch:
            false
        }
    }
}

/// Where the instant came from for which a chain was checked.
public enum InstantSource: String, Sendable, Hashable {
    /// The payload's `signedDate`.
    case signedDate
    /// An app transaction's `receiptCreationDate`.
    case receiptCreationDate
    /// Our clock: because the caller asked for it, or because the payload has no date.
    case now
    /// The caller's.
    case given
}

/// The result of a verification.
public struct Verification: Sendable, Hashable {
    /// Verified, refused or unsigned.
    public let status: VerificationStatus
    /// Why it is not verified; `nil` exactly when it is.
    public let reason: RefusalReason?
    /// The instant for which the chain was checked, in milliseconds since 1970 UTC.
    public let verifiedForMilliseconds: Int64?
    /// Where that instant came from.
    public let instantSource: InstantSource?
    /// The SHA-256 of the root that was trusted, in lower-case hexadecimal; only where chain and
    /// signature are good.
    public let anchor: String?
    /// The name of that root.
    public let anchorName: String?
    /// The name of the certificate that signed; only where chain and signature are good.
    public let signer: String?

    /// Material of a kind that carries no signature.
    public static let unsigned = Verification(status: .unsigned, reason: .unsigned)

    /// Material that cannot be judged.
    public static func refused(_ reason: RefusalReason) -> Verification {
        Verification(status: .refused, reason: reason)
    }

    init(
        status: VerificationStatus, reason: RefusalReason?, instant: CheckedInstant? = nil,
        chain: SigningChain? = nil
    ) {
        self.status = status
        self.reason = reason
        verifiedForMilliseconds = instant?.milliseconds
        instantSource = instant?.source
        anchor = chain?.anchorFingerprint
        anchorName = chain?.anchorName
        signer = chain?.signerName
    }
}
