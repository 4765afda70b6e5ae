public import Simulator

/// Apple as the tests know it: a chain of their own.
public enum TestApple {
    /// The app of the tests.
    public static let bundle = "com.example.game"
    /// Signs what the tests need.
    public static let chain = MintedChain(seed: 2)
    /// Signs for `bundle`, in Production.
    public static let signer = AppleSigner(chain: chain, bundleId: bundle)
    /// 2026-03-14T12:00:00Z.
    public static let noon: Int64 = 1_773_489_600_000

    /// A signed purchase of one consumable at noon, or what `change` makes of it.
    public static func transaction(
        _ id: String, product: String = "gems.60",
        _ change: (inout TransactionFields) -> Void = { _ in }
    ) -> [UInt8] {
        signer.transaction(
            TransactionFields(
                transactionId: id, productId: product, purchaseDate: noon, change))
    }

    /// A notification with a transaction inside.
    public static func notification(
        _ type: String = "ONE_TIME_CHARGE", uuid: String, signedDate: Int64 = noon,
        transaction: [UInt8]? = nil
    ) -> [UInt8] {
        signer.notification(
            NotificationFields(
                type, notificationUUID: uuid, signedDate: signedDate,
                signedTransactionInfo: transaction))
    }

    /// The body that Apple posts.
    public static func body(_ notification: [UInt8]) -> [UInt8] {
        Array(#"{"signedPayload":""#.utf8) + notification + Array(#""}"#.utf8)
    }
}

extension [UInt8] {
    /// The bytes as text.
    public var text: String { String(decoding: self, as: UTF8.self) }
}
