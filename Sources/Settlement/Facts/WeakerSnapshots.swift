internal import AppStoreModel
internal import JSON

extension TransactionSnapshot {
    /// What a verified receipt says of one of its purchases. The receipt's creation date stands for
    /// `signedDate`; it knows no price, token or owner.
    init(_ entry: ReceiptPurchasePayload, of receipt: ReceiptPayload) {
        self.init()
        originalTransactionId = entry.originalTransactionId.flatMap(named)
        webOrderLineItemId = entry.webOrderLineItemId.flatMap(named)
        productId = entry.productId.flatMap(named)
        quantity = entry.quantity
        type = entry.type?.rawValue ?? Self.inferredType(entry)
        environment = receipt.environment?.rawValue
        purchaseDate = entry.purchaseDate
        expiresDate = entry.expiresDate
        signedDate = receipt.receiptCreationDate
        revocationDate = entry.cancellationDate
        revocationReason = entry.cancellationReason
    }

    /// The kind of product where an older receipt does not say it: only subscriptions have periods,
    /// and of the rest only what can be restored stands under another's id.
    private static func inferredType(_ entry: ReceiptPurchasePayload) -> String? {
        if entry.expiresDate != nil || entry.webOrderLineItemId != nil { return autoRenewable }
        guard let id = entry.transactionId, let original = entry.originalTransactionId else {
            return nil
        }
        return sameBytes(id, original) ? nil : "Non-Consumable"
    }

    /// What a line of an unsigned answer says of a purchase, as of an instant.
    init(_ line: VerifyReceiptLine, environment: String?, asOf instant: Int64?) {
        self.init()
        originalTransactionId = line.originalTransactionId.flatMap(named)
        webOrderLineItemId = line.webOrderLineItemId.flatMap(named)
        appAccountToken = OrderNumber.read(line.appAccountToken.flatMap(named))
        productId = line.productId.flatMap(named)
        quantity = line.quantity
        ownership = line.inAppOwnershipType?.rawValue
        self.environment = environment
        purchaseDate = line.purchaseDate
        expiresDate = line.expiresDate
        signedDate = instant
        isUpgraded = line.isUpgraded
    }
}

/// A text as far as it may name something.
func named(_ text: String) -> String? { JSONValue(.string(text)).name }
