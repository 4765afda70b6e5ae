internal import AppStore
internal import Glibc
internal import Simulator

/// Verifies signed transactions and notifications for `seconds` of one core's time, and prints how
/// many JWS were verified per second of it: `openssl speed` counts the same way, so that both can
/// be compared on a busy machine.
///
/// Payloads differ, and the chain stands in the reader's cache, as it does in service: Apple signs
/// with few certificates at a time. A notification counts as two, for the transaction inside is
/// verified by itself.
func benchVerify(seconds: Double) {
    let chain = MintedChain(seed: 1)
    guard let anchors = try? TrustAnchors.apple.adding(chain.rootDER) else { return }
    let reader = EvidenceReader(anchors: anchors)
    let samples = benchSamples(AppleSigner(chain: chain))

    let start = secondsOfProcessor()
    var elapsed = 0.0
    var verified = 0
    while elapsed < seconds {
        for sample in samples {
            let part = reader.read(jws: sample)
            let parts = [part] + part.nested
            verified += parts.filter { $0.verification.status == .verified }.count
        }
        elapsed = secondsOfProcessor() - start
    }
    print(Int(Double(verified) / elapsed))
}

/// How long this process has run on a processor.
private func secondsOfProcessor() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Signed transactions, every fourth of them inside a notification.
private func benchSamples(_ signer: AppleSigner) -> [[UInt8]] {
    let start: Int64 = 1_767_225_600_000
    return (0..<64).map { number in
        let transaction = signer.transaction(
            TransactionFields(
                transactionId: String(2_000_000_000_000_000 + number),
                productId: "com.example.game.gems\(number)",
                purchaseDate: start + Int64(number) * 1000
            ) { $0.appAccountToken = "5e09dcfc-205e-4ea1-9883-9667\(10_000_000 + number)" })
        guard number.isMultiple(of: 4) else { return transaction }
        return signer.notification(
            NotificationFields(
                "ONE_TIME_CHARGE", notificationUUID: "5e09dcfc-205e-4ea1-9883-96676f394992",
                signedDate: start + Int64(number) * 1000, signedTransactionInfo: transaction))
    }
}
