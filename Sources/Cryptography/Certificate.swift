internal import COpenSSL

/// An X.509 certificate (RFC 5280).
public final class Certificate: @unchecked Sendable {
    // SAFETY: the certificate is only read after `init`, and libcrypto guards what it computes
    // lazily inside of it with its own lock.
    let pointer: OpaquePointer
    /// SHA-256 over the DER form.
    public let fingerprint: [UInt8]
    /// The first second of its validity, since 1970 UTC.
    public let notBefore: Int64
    /// The last second of its validity, since 1970 UTC.
    public let notAfter: Int64

    /// Takes over `pointer`, unless its dates cannot be read.
    private init?(adopting pointer: OpaquePointer) {
        guard let notBefore = Self.seconds(X509_get0_notBefore(pointer)),
            let notAfter = Self.seconds(X509_get0_notAfter(pointer)),
            let fingerprint = Self.fingerprint(pointer)
        else {
            X509_free(pointer)
            return nil
        }
        self.pointer = pointer
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.fingerprint = fingerprint
    }

    /// A certificate from its DER form; `nil` if it is none, or if bytes follow.
    public convenience init?(der: [UInt8]) {
        let pointer = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var position = buffer.baseAddress
            guard let certificate = d2i_X509(nil, &position, buffer.count) else { return nil }
            guard position == buffer.baseAddress?.advanced(by: buffer.count) else {
                X509_free(certificate)
                return nil
            }
            return certificate
        }
        guard let pointer else {
            ERR_clear_error()
            return nil
        }
        self.init(adopting: pointer)
    }

    deinit { X509_free(pointer) }

    /// The certificates of a file: one in DER, or any number in PEM. Empty if there is none, or one
    /// that cannot be read.
    public static func all(inFile bytes: [UInt8]) -> [Certificate] {
        if let certificate = Certificate(der: bytes) { return [certificate] }
        guard let source = BIO_new_mem_buf(bytes, Int32(clamping: bytes.count)) else { return [] }
        defer { BIO_free(source) }
        var certificates: [Certificate] = []
        while let pointer = PEM_read_bio_X509(source, nil, nil, nil) {
            guard let certificate = Certificate(adopting: pointer) else { return [] }
            certificates.append(certificate)
        }
        // The end of the file shows as the absence of a further start line; all else is an error.
        let reason = ERR_GET_REASON(ERR_peek_last_error())
        ERR_clear_error()
        return reason == PEM_R_NO_START_LINE ? certificates : []
    }

    /// Whether it has an extension with this object identifier (dotted numbers).
    public func hasExtension(_ identifier: String) -> Bool {
        guard let object = OBJ_txt2obj(identifier, 1) else { return false }
        defer { ASN1_OBJECT_free(object) }
        return X509_get_ext_by_OBJ(pointer, object, -1) >= 0
    }

    /// Whether it names itself as its issuer, as a root does.
    public var isSelfIssued: Bool {
        X509_NAME_cmp(X509_get_subject_name(pointer), X509_get_issuer_name(pointer)) == 0
    }

    /// Its public key, if it is one on P-256.
    public var p256Key: P256.PublicKey? {
        guard let key = X509_get_pubkey(pointer) else {
            ERR_clear_error()
            return nil
        }
        return P256.PublicKey(adopting: key)
    }

    /// The subject's common name, or the last part of its name that there is. At most 256 bytes.
    public var name: String {
        guard let subject = X509_get_subject_name(pointer) else { return "" }
        let byName = X509_NAME_get_index_by_NID(subject, NID_commonName, -1)
        let index = byName >= 0 ? byName : X509_NAME_entry_count(subject) - 1
        guard let entry = X509_NAME_get_entry(subject, index) else { return "" }
        var text: UnsafeMutablePointer<UInt8>?
        let count = ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(entry))
        guard count >= 0, let text else {
            ERR_clear_error()
            return ""
        }
        defer { CRYPTO_free(text, #file, #line) }
        let bytes = UnsafeBufferPointer(start: text, count: min(Int(count), 256))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard let time, let epoch = ASN1_TIME_set(nil, 0) else { return nil }
        defer { ASN1_STRING_free(epoch) }
        guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
        return Int64(days) * 86_400 + Int64(seconds)
    }

    private static func fingerprint(_ pointer: OpaquePointer) -> [UInt8]? {
        var digest = [UInt8](repeating: 0, count: SHA256.byteCount)
        guard X509_digest(pointer, EVP_sha256(), &digest, nil) == 1 else { return nil }
        return digest
    }
}
