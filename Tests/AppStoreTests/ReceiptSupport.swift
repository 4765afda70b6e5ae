import AppStore
import Cryptography
import JSON
import Simulator

/// A signer of receipts, made once: its keys take a while.
enum Receipts {
    static let signer = ReceiptSigner(seed: 1)
    static let other = ReceiptSigner(seed: 2)
    static let device = "956328D9-CC6A-47F4-BE40-6953FB0AB6C7"

    static func fields(_ change: (inout ReceiptFields) -> Void = { _ in }) -> ReceiptFields {
        ReceiptFields(bundleId: "com.example.game", creationDate: noon2026) {
            $0.device = device
            $0.originalPurchaseDate = noon2026 - 86_400_000
            $0.purchases = [
                ReceiptPurchase(
                    transactionId: "2000000000000001", productId: "com.example.game.gems",
                    purchaseDate: noon2026 - 60_000)
            ]
            change(&$0)
        }
    }

    static func signed(
        _ fields: ReceiptFields = fields(), by signer: ReceiptSigner = signer,
        _ change: (inout ReceiptOptions) -> Void = { _ in }
    ) -> [UInt8] {
        signer.receipt(fields, options: ReceiptOptions(change))
    }

    static func reader(
        trusting signer: ReceiptSigner = signer, expectations: Expectations = Expectations(),
        at instant: VerificationInstant = .signed, now: Int64 = noon2026
    ) throws -> EvidenceReader {
        EvidenceReader(
            anchors: try TrustAnchors.apple.adding(signer.rootDER), expectations: expectations,
            at: instant, now: { now })
    }

    static func verdict(_ receipt: [UInt8], device: String? = nil) throws -> String {
        try reader().read(receipt: receipt, device: device.flatMap(DeviceIdentifier.init)).verdict
    }
}
