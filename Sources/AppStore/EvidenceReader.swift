internal import Cryptography
internal import JSON

/// Reads and judges Apple's signed material, offline.
///
/// It verifies first and gives types later: a malformed or unknown member never hides whether the
/// signature is good. A reader can be used by many threads at once and keeps up to 32 chains of
/// each sort it found good; a change of anchors or expectations needs a new reader.
public struct EvidenceReader: Sendable {
    /// The longest JWS that is read, in bytes.
    public static let jwsBytesMax = 1 << 20
    /// How far a signature may be ahead of our clock, in milliseconds.
    public static let clockSkewMillisecondsMax: Int64 = 5 * 60 * 1000

    private static let limits = JSONLimits(
        bytesMax: jwsBytesMax, depthMax: 32, valuesMax: 100_000)

    /// Which app's material is accepted.
    public let expectations: Expectations
    let anchors: TrustAnchors
    let instant: VerificationInstant
    let now: @Sendable () -> Int64
    private let cache = ChainCache<SigningChain>()
    let certificates = CertificateCache()
    let receiptChains = ChainCache<ReceiptChain>()

    /// A reader.
    /// - Parameters:
    ///   - at: For which instant chains are checked.
    ///   - now: The clock, in milliseconds since 1970 UTC.
    public init(
        anchors: TrustAnchors = .apple, expectations: Expectations = Expectations(),
        at instant: VerificationInstant = .signed,
        now: @escaping @Sendable () -> Int64 = SystemClock.now
    ) {
        self.anchors = anchors
        self.expectations = expectations
        self.instant = instant
        self.now = now
    }

    /// How many chains of JWS are kept at the moment.
    var cachedChainCount: Int { cache.count }

    /// Reads a compact JWS, and the signed parts inside if it is a notification. It never fails: a
    /// refusal is a result.
    /// - Parameter path: Where it stands in what surrounds it; the last member's name tells what
    ///   kind is meant where the payload does not.
    public func read(jws: [UInt8], path: String = "") -> SignedPart {
        var judgement = Judgement()
        let verification = judge(jws, path: path, &judgement)
        return SignedPart(
            kind: judgement.kind, path: path, bytes: jws,
            digest: judgement.digest ?? SHA256.hash(jws), verification: verification,
            payload: judgement.payload, payloadBytes: judgement.payloadBytes,
            nested: judgement.kind == .notification
                ? nestedParts(of: judgement.payload, path: path) : [])
    }

    // MARK: Steps

    /// What came to light on the way to a verdict, whatever that is.
    private struct Judgement {
        var kind = SignedPartKind.unknown
        var payload: JSONValue?
        var payloadBytes: [UInt8] = []
        var digest: [UInt8]?
        var instant: CheckedInstant?
        /// Set once chain and signature are good.
        var chain: SigningChain?
    }

    private func judge(
        _ jws: [UInt8], path: String, _ judgement: inout Judgement
    ) -> Verification {
        do {
            try check(jws, path: path, &judgement)
            return Verification(
                status: .verified, reason: nil, instant: judgement.instant,
                path: judgement.chain?.path)
        } catch {
            return Verification(
                status: .refused, reason: error, instant: judgement.instant,
                path: judgement.chain?.path)
        }
    }

    private func check(
        _ jws: [UInt8], path: String, _ judgement: inout Judgement
    ) throws(RefusalReason) {
        guard jws.count <= Self.jwsBytesMax else { throw .tooLarge }
        let parts = try CompactJWS(jws)
        let (payload, bytes) = try CompactJWS.object(parts.payloadSegment, limits: Self.limits)
        judgement.payload = payload
        judgement.payloadBytes = bytes
        judgement.kind = SignedPartKind(payload: payload, path: path)
        let identity = PayloadIdentity(payload, kind: judgement.kind)
        let now = now()
        let checked = CheckedInstant(instant, payload: payload, now: now)

        let known = cache.chain(for: parts.headerSegment, at: checked.seconds)
        let chain: SigningChain
        if let known {
            chain = known
            judgement.instant = checked
        } else {
            chain = try newChain(parts, identity: identity, at: checked, &judgement)
        }
        let signature = try parts.signature()
        var digest = chain.digestOfHeader
        parts.payloadSegment.withUnsafeBytes { digest.update($0) }
        guard chain.key.verifies(signature: signature, digest: digest.digest()) else {
            throw .badSignature
        }
        // Only now: else anybody could flush the cache with headers of their own making.
        if known == nil { cache.insert(chain, for: parts.headerSegment) }
        judgement.chain = chain
        jws[(parts.payloadSegment.endIndex)...].withUnsafeBytes { digest.update($0) }
        judgement.digest = digest.digest()

        let signedDate = CheckedInstant(.signed, payload: payload, now: now).milliseconds
        guard signedDate <= now + Self.clockSkewMillisecondsMax else { throw .signedInFuture }
        if identity.isXcode { throw .xcodeSigned }
        if let refusal = expectations.refusal(identity) { throw refusal }
    }

    private func newChain(
        _ parts: CompactJWS, identity: PayloadIdentity, at checked: CheckedInstant,
        _ judgement: inout Judgement
    ) throws(RefusalReason) -> SigningChain {
        let header = try SigningHeader(parts.headerSegment, limits: Self.limits)
        if header.isXcode(identity) { throw .xcodeSigned }
        judgement.instant = checked
        return try SigningChain(
            header, segment: parts.headerSegment, anchors: anchors, at: checked.seconds)
    }

    private func nestedParts(of payload: JSONValue?, path: String) -> [SignedPart] {
        let places = [
            ("data", "signedTransactionInfo"), ("data", "signedRenewalInfo"),
            ("appData", "signedAppTransactionInfo"),
        ]
        return places.compactMap { outer, inner in
            guard let value = payload?[outer]?[inner], let text = value.string else { return nil }
            let prefix = path.isEmpty ? "" : path + "."
            var part = read(jws: Array(text.utf8), path: "\(prefix)\(outer).\(inner)")
            part.place = value.range
            return part
        }
    }
}
