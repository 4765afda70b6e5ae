internal import COpenSSL

/// A certificate path that was checked (RFC 5280, section 6): leaf, intermediate, anchor.
public struct CertificatePath: Sendable {
    /// The certificate that the anchor vouches for.
    public let leaf: Certificate
    /// The certificate between the two.
    public let intermediate: Certificate
    /// The self-issued certificate that is trusted.
    public let anchor: Certificate

    /// The first and the last second, since 1970 UTC, at which libcrypto takes every certificate as
    /// valid: it leaves out the second `notAfter` itself.
    public var validity: ClosedRange<Int64>? {
        let all = [leaf, intermediate, anchor]
        let first = all.map(\.notBefore).reduce(.min, max)
        let last = all.map(\.notAfter).reduce(.max, min)
        return first < last ? first...(last - 1) : nil
    }

    /// Why there is no path.
    public enum Failure: Error, Sendable, Equatable {
        /// Outside of a certificate's validity, and no other fault was found before.
        case expired
        /// No path to an anchor, or one that RFC 5280 forbids.
        case untrusted
    }

    /// Looks for a path from `leaf` by exactly `intermediate` to one of `anchors`, valid at
    /// `instant` (seconds since 1970 UTC). What the certificates are for is not asked.
    public init(
        leaf: Certificate, intermediate: Certificate, anchors: [Certificate], at instant: Int64
    ) throws(Failure) {
        let session = VerificationSession()
        session.prepare(anchors: anchors, intermediate: intermediate, at: instant)
        if let failure = session.verify(leaf) { throw failure }
        guard let anchor = session.anchor(of: leaf, by: intermediate, among: anchors) else {
            throw .untrusted
        }
        self.leaf = leaf
        self.intermediate = intermediate
        self.anchor = anchor
    }
}

/// What libcrypto needs for one check of a path.
private final class VerificationSession {
    private let store: OpaquePointer
    private let context: OpaquePointer
    private let untrusted: OpaquePointer

    init() {
        guard let store = X509_STORE_new(), let context = X509_STORE_CTX_new(),
            let untrusted = OPENSSL_sk_new_null()
        else { preconditionFailure("out of memory") }
        self.store = store
        self.context = context
        self.untrusted = untrusted
    }

    deinit {
        X509_STORE_CTX_free(context)
        X509_STORE_free(store)
        OPENSSL_sk_free(untrusted)
    }

    func prepare(anchors: [Certificate], intermediate: Certificate, at instant: Int64) {
        for anchor in anchors { X509_STORE_add_cert(store, anchor.pointer) }
        OPENSSL_sk_push(untrusted, UnsafeRawPointer(intermediate.pointer))
        guard let parameters = X509_STORE_get0_param(store) else { return }
        // No certificate is valid outside of these years, and libcrypto cannot say others.
        let last: Int64 = 253_402_300_799
        X509_VERIFY_PARAM_set_time(parameters, time_t(min(max(instant, 0), last)))
        // Exactly one intermediate; another path would bypass the one that is examined.
        X509_VERIFY_PARAM_set_depth(parameters, 1)
    }

    func verify(_ leaf: Certificate) -> CertificatePath.Failure? {
        guard X509_STORE_CTX_init(context, store, leaf.pointer, untrusted) == 1 else {
            return .untrusted
        }
        defer { ERR_clear_error() }
        if X509_verify_cert(context) == 1 { return nil }
        switch X509_STORE_CTX_get_error(context) {
        case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID: return .expired
        default: return .untrusted
        }
    }

    /// The last certificate of the path found, if the path is leaf, intermediate, anchor.
    func anchor(
        of leaf: Certificate, by intermediate: Certificate, among anchors: [Certificate]
    ) -> Certificate? {
        guard let chain = X509_STORE_CTX_get0_chain(context), OPENSSL_sk_num(chain) == 3 else {
            return nil
        }
        let found = (0..<3).map { OpaquePointer(OPENSSL_sk_value(chain, $0)) }
        guard X509_cmp(found[0], leaf.pointer) == 0, X509_cmp(found[1], intermediate.pointer) == 0
        else { return nil }
        return anchors.first { X509_cmp(found[2], $0.pointer) == 0 }
    }
}
