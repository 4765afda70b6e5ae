internal import Cryptography
internal import JSON

extension EvidenceReader {
    /// The longest receipt that is read, in bytes, as base64 or plain.
    public static let receiptBytesMax = 12 << 20

    /// Reads an app receipt: PKCS#7 in base64 (of either alphabet, with any white space) or plain,
    /// or the older form of one transaction, which is told and not verified. It never fails: a
    /// refusal is a result.
    ///
    /// The signature is checked first, then the certificates for the receipt's own creation date,
    /// then what it says. Its bytes are told in standard base64, so that one receipt has one
    /// digest.
    /// - Parameters:
    ///   - path: Where it stands in what surrounds it.
    ///   - device: The device it must have been made for; `nil` where that is not asked.
    public func read(
        receipt bytes: [UInt8], path: String = "", device: DeviceIdentifier? = nil
    ) -> SignedPart {
        var judgement = ReceiptJudgement(text: bytes)
        var reason: RefusalReason?
        do {
            try check(receipt: bytes, device: device, &judgement)
        } catch {
            reason = error
        }
        return SignedPart(
            kind: .receipt, path: path, bytes: judgement.text,
            digest: SHA256.hash(judgement.text),
            verification: Verification(
                status: reason == nil ? .verified : .refused, reason: reason,
                instant: judgement.instant, path: judgement.path),
            payload: judgement.payload, payloadBytes: judgement.json, nested: [])
    }

    private func check(
        receipt bytes: [UInt8], device: DeviceIdentifier?, _ judgement: inout ReceiptJudgement
    ) throws(RefusalReason) {
        guard bytes.count <= Self.receiptBytesMax else { throw .tooLarge }
        if let legacy = LegacyReceipt(bytes) { throw judgement.tell(legacy) }
        let text = try ReceiptText(bytes)
        judgement.text = text.canonical
        if let legacy = LegacyReceipt(text.plain) { throw judgement.tell(legacy) }
        let message = try message(text.plain)
        let content = Result { () throws(RefusalReason) in try ReceiptContent(message.content) }
        if case .success(let content) = content {
            (judgement.payload, judgement.json) = (content.payload, content.json)
        }
        guard message.isSignatureGood() else { throw .badSignature }
        try check(try content.get(), of: message, device: device, &judgement)
    }

    /// Checks what a receipt says, whose signature fits its certificate.
    private func check(
        _ content: ReceiptContent, of message: SignedMessage, device: DeviceIdentifier?,
        _ judgement: inout ReceiptJudgement
    ) throws(RefusalReason) {
        let identity = PayloadIdentity(content.payload, kind: .receipt)
        // StoreKit testing signs with one certificate of its own, which is its own root.
        if message.certificates.count == 1, identity.isXcode { throw .xcodeSigned }
        let now = now()
        let checked = CheckedInstant(instant, payload: content.payload, now: now)
        judgement.instant = checked
        judgement.path = try path(of: message, at: checked.seconds)
        let signedDate = CheckedInstant(.signed, payload: content.payload, now: now).milliseconds
        guard signedDate <= now + Self.clockSkewMillisecondsMax else { throw .signedInFuture }
        if identity.isXcode { throw .xcodeSigned }
        if let refusal = expectations.refusal(identity) { throw refusal }
        if let device, !content.deviceHash.isOf(device) { throw .deviceHashMismatch }
    }

    private func message(_ plain: [UInt8]) throws(RefusalReason) -> SignedMessage {
        do {
            return try SignedMessage(plain, cache: certificates)
        } catch {
            switch error {
            case .malformed: throw .malformed
            case .tooManyCertificates: throw .tooLarge
            case .badAlgorithm: throw .badAlgorithm
            case .badCertificate: throw .badCertificate
            }
        }
    }

    /// The path of the signer's certificate. The others of the message may stand in any order, and
    /// some may have nothing to do with it.
    private func path(of message: SignedMessage, at seconds: Int64) throws(RefusalReason)
        -> TrustedPath
    {
        let key = message.certificates.flatMap(\.fingerprint) + message.signer.fingerprint
        if let known = receiptChains.chain(for: key[...], at: seconds) { return known.path }
        let path = try TrustedPath(
            leaf: message.signer,
            intermediates: message.certificates.filter { message.signer.names(asIssuer: $0) },
            anchors: anchors.candidates(offered: message.certificates), at: seconds)
        receiptChains.insert(ReceiptChain(path: path), for: key[...])
        return path
    }
}

/// A path that was found good for the certificates of a receipt.
struct ReceiptChain: CachedChain {
    let path: TrustedPath
}

/// What came to light on the way to a verdict, whatever that is.
private struct ReceiptJudgement {
    /// The receipt in standard base64; as it came where it is none.
    var text: [UInt8]
    var payload: JSONValue?
    var json: [UInt8] = []
    var instant: CheckedInstant?
    /// Set once signature and certificates are good.
    var path: TrustedPath?

    /// Takes over what an older receipt says, which is not verified.
    mutating func tell(_ legacy: LegacyReceipt) -> RefusalReason {
        (payload, json) = (legacy.payload, legacy.json)
        return .unknownKind
    }
}
