internal import AppStore
internal import FoundationEssentials
internal import Glibc
internal import Simulator

/// Signed material to measure with, and how fast it is verified here.
///
/// Payloads differ, and the chain stands in the reader's cache, as it does in service: Apple signs
/// with few certificates at a time. `openssl speed` counts a process's own time, and so is done
/// here, so that both can be compared on a busy machine.
struct VerificationBench {
    private let chain = MintedChain(seed: 1)
    private let receiptSigner = ReceiptSigner(seed: 1)
    private static let start: Int64 = 1_767_225_600_000

    /// Prints how many JWS were verified per second. A notification counts as two, for the
    /// transaction inside is verified by itself.
    func verifyJWS(seconds: Double) throws {
        let reader = EvidenceReader(anchors: try TrustAnchors.apple.adding(chain.rootDER))
        let samples = notificationsAndTransactions
        Self.measure(seconds: seconds) {
            samples.reduce(0) { count, sample in
                let part = reader.read(jws: sample)
                let parts = [part] + part.nested
                return count + parts.count { $0.verification.status == .verified }
            }
        }
    }

    /// Prints how many receipts of ten purchases were verified, and read into JSON, per second.
    func verifyReceipts(seconds: Double) throws {
        let reader = EvidenceReader(anchors: try TrustAnchors.apple.adding(receiptSigner.rootDER))
        let samples = receipts
        Self.measure(seconds: seconds) {
            samples.count { reader.read(receipt: $0).verification.status == .verified }
        }
    }

    /// Writes what others are to verify: `transactions.txt` and `root.der`, `receipt-NN.der` and
    /// `receipt-root.der`.
    func writeSamples(folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        func write(_ name: String, _ bytes: [UInt8]) throws {
            try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
        }
        let lines = transactions.flatMap { $0 + [UInt8(ascii: "\n")] }
        try write("transactions.txt", lines)
        try write("root.der", chain.rootDER)
        try write("receipt-root.der", receiptSigner.rootDER)
        for (number, content) in receiptContents.enumerated() {
            try write("receipt-\(number + 10).der", receiptSigner.sign(content: content))
        }
    }

    private static func measure(seconds: Double, _ verify: () -> Int) {
        let start = secondsOfProcessor()
        var elapsed = 0.0
        var verified = 0
        while elapsed < seconds {
            verified += verify()
            elapsed = secondsOfProcessor() - start
        }
        print(Int(Double(verified) / elapsed))
    }

    /// How long this process has run on a processor.
    private static func secondsOfProcessor() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    // MARK: Samples

    private var transactions: [[UInt8]] {
        let signer = AppleSigner(chain: chain)
        return (0..<64).map { number in
            signer.transaction(
                TransactionFields(
                    transactionId: String(2_000_000_000_000_000 + number),
                    productId: "com.example.game.gems\(number)",
                    purchaseDate: Self.start + Int64(number) * 1000
                ) { $0.appAccountToken = "5e09dcfc-205e-4ea1-9883-9667\(10_000_000 + number)" })
        }
    }

    /// The same, every fourth of them inside a notification.
    private var notificationsAndTransactions: [[UInt8]] {
        let signer = AppleSigner(chain: chain)
        return transactions.enumerated().map { number, transaction in
            guard number.isMultiple(of: 4) else { return transaction }
            return signer.notification(
                NotificationFields(
                    "ONE_TIME_CHARGE", notificationUUID: "5e09dcfc-205e-4ea1-9883-96676f394992",
                    signedDate: Self.start + Int64(number) * 1000,
                    signedTransactionInfo: transaction))
        }
    }

    private var receipts: [[UInt8]] {
        receiptFields.map { receiptSigner.receipt($0) }
    }

    private var receiptContents: [[UInt8]] { receiptFields.map(\.content) }

    private var receiptFields: [ReceiptFields] {
        (0..<16).map { number in
            let creation = Self.start + Int64(number) * 1000
            return ReceiptFields(bundleId: "com.example.game", creationDate: creation) {
                $0.purchases = (0..<10).map { index in
                    ReceiptPurchase(
                        transactionId: String(2_000_000_000_000_000 + 100 * number + index),
                        productId: "com.example.game.gems\(index)", purchaseDate: creation)
                }
            }
        }
    }
}
