import AppStore
import JSON
import Simulator

/// 2026-01-01 UTC.
let noon2026: Int64 = 1_767_225_600_000

/// A chain, an app that signs with it, and readers that trust it, at a fixed time.
struct World {
    static let chain = MintedChain(seed: 1)
    static let signer = AppleSigner(chain: chain)

    static func anchors(_ chain: MintedChain = chain) throws -> TrustAnchors {
        try TrustAnchors.apple.adding(chain.rootDER)
    }

    static func reader(
        trusting chain: MintedChain = chain, expectations: Expectations = Expectations(),
        at instant: VerificationInstant = .signed, now: Int64 = noon2026
    ) throws -> EvidenceReader {
        EvidenceReader(
            anchors: try anchors(chain), expectations: expectations, at: instant, now: { now })
    }

    static func purchase(
        signedDate: Int64? = nil, _ change: (inout TransactionFields) -> Void = { _ in }
    ) -> TransactionFields {
        TransactionFields(
            transactionId: "2000000000000001", productId: "com.example.game.gems",
            purchaseDate: noon2026 - 60_000
        ) {
            $0.signedDate = signedDate
            change(&$0)
        }
    }

    /// A purchase, signed with `options`.
    static func signed(
        by chain: MintedChain = chain, _ options: SigningOptions = SigningOptions()
    ) -> [UInt8] {
        AppleSigner(chain: chain).transaction(purchase(), options: options)
    }
}

extension SignedPart {
    /// `verified`, or the reason why not.
    var verdict: String { verification.reason?.rawValue ?? verification.status.rawValue }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
