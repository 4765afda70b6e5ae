internal import COpenSSL

/// A message of the Cryptographic Message Syntax (RFC 5652; PKCS#7 before it): SignedData with its
/// content and its certificates inside, and exactly one signer.
///
/// It is read and its signature can be checked; whose certificates these are is another question,
/// for `CertificatePath`.
public final class SignedMessage {
    /// The most certificates a message may carry.
    public static let certificatesMax = 32

    /// Why bytes are no such message.
    public enum Failure: Error, Sendable, Equatable {
        /// Not one SignedData with content, certificates that can be read and one signer; or bytes
        /// follow it.
        case malformed
        /// More certificates than `certificatesMax`.
        case tooManyCertificates
        /// The signer uses another algorithm than RSA (PKCS#1 version 1.5) with SHA-1 or SHA-256.
        case badAlgorithm
        /// The signer's certificate is not among those of the message.
        case badCertificate
    }

    /// The signed bytes, put together where they came in pieces.
    public let content: [UInt8]
    /// All certificates of the message, in its order.
    public let certificates: [Certificate]
    /// The one of them that the signature names.
    public let signer: Certificate

    private let message: OpaquePointer

    /// Reads a message in the basic encoding rules (of which DER is a part).
    /// - Parameter cache: gives the certificates that were read before.
    public init(_ bytes: [UInt8], cache: CertificateCache = CertificateCache()) throws(Failure) {
        guard let parts = SignedDataParts(bytes), !parts.certificates.isEmpty else {
            throw .malformed
        }
        guard parts.certificates.count <= Self.certificatesMax else { throw .tooManyCertificates }
        guard let parsed = Self.parse(parts.rest) else { throw .malformed }
        do {
            content = try Self.content(parsed)
            certificates = try Self.certificates(parts.certificates, cache)
            signer = try Self.signer(parsed, among: certificates)
            message = parsed
        } catch {
            CMS_ContentInfo_free(parsed)
            throw error
        }
    }

    deinit { CMS_ContentInfo_free(message) }

    /// Whether the signature over the content was made with the key of `signer`.
    ///
    /// A system whose policy forbids SHA-1 to libcrypto says no to every signature with it, which
    /// Apple used for receipts until 2023.
    public func isSignatureGood() -> Bool {
        defer { ERR_clear_error() }
        return CMS_verify(message, nil, nil, nil, nil, UInt32(CMS_NO_SIGNER_CERT_VERIFY)) == 1
    }

    // MARK: Reading

    private static func parse(_ bytes: [UInt8]) -> OpaquePointer? {
        bytes.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            defer { ERR_clear_error() }
            guard let message = d2i_CMS_ContentInfo(nil, &position, buffer.count) else {
                return nil
            }
            guard position == buffer.baseAddress?.advanced(by: buffer.count) else {
                CMS_ContentInfo_free(message)
                return nil
            }
            return message
        }
    }

    private static func content(_ message: OpaquePointer) throws(Failure) -> [UInt8] {
        defer { ERR_clear_error() }
        guard let place = CMS_get0_content(message), let string = place.pointee,
            let start = ASN1_STRING_get0_data(string)
        else { throw .malformed }
        return Array(UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(string))))
    }

    private static func certificates(
        _ encoded: [ArraySlice<UInt8>], _ cache: CertificateCache
    ) throws(Failure) -> [Certificate] {
        var certificates: [Certificate] = []
        for bytes in encoded {
            guard let certificate = cache.certificate(bytes) else { throw .malformed }
            certificates.append(certificate)
        }
        return certificates
    }

    private static func signer(
        _ message: OpaquePointer, among certificates: [Certificate]
    ) throws(Failure) -> Certificate {
        defer { ERR_clear_error() }
        guard let signers = CMS_get0_SignerInfos(message), OPENSSL_sk_num(signers) == 1,
            let signer = OPENSSL_sk_value(signers, 0).map(OpaquePointer.init),
            let signature = CMS_SignerInfo_get0_signature(signer),
            ASN1_STRING_length(signature) > 0
        else { throw .malformed }
        guard isAllowed(signer) else { throw .badAlgorithm }
        guard
            let certificate = certificates.first(where: {
                CMS_SignerInfo_cert_cmp(signer, $0.pointer) == 0
            })
        else { throw .badCertificate }
        CMS_SignerInfo_set1_signer_cert(signer, certificate.pointer)
        return certificate
    }

    private static func isAllowed(_ signer: OpaquePointer) -> Bool {
        var digest: UnsafeMutablePointer<X509_ALGOR>?
        var signature: UnsafeMutablePointer<X509_ALGOR>?
        CMS_SignerInfo_get0_algs(signer, nil, nil, &digest, &signature)
        guard let digest, let signature else { return false }
        let (hash, key) = (
            OBJ_obj2nid(digest.pointee.algorithm), OBJ_obj2nid(signature.pointee.algorithm)
        )
        switch hash {
        case NID_sha1: return [NID_rsaEncryption, NID_sha1WithRSAEncryption].contains(key)
        case NID_sha256: return [NID_rsaEncryption, NID_sha256WithRSAEncryption].contains(key)
        default: return false
        }
    }
}
