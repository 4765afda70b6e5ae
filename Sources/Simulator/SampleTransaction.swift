internal import JSON

/// What Apple knows of one charge.
struct SampleTransaction: Sendable {
    let id: String
    let customer: SampleCustomer
    let product: SampleProduct
    let purchaseDate: Int64
    var originalId: String?
    var originalPurchaseDate: Int64?
    var quantity: Int64 = 1
    var token: String?
    var environment = "Production"
    var ownership = "PURCHASED"
    var reason = "PURCHASE"
    var expiresDate: Int64?
    var offerType: Int64?
    var revocation: Revocation?

    /// A refund, in full or of a part.
    struct Revocation: Sendable {
        let date: Int64
        let reason: Int64
        /// Milliunits of a percent; `nil` in a full refund.
        var percentage: Int64?
    }

    /// What is signed, as of `signedDate`.
    func fields(signedDate: Int64) -> TransactionFields {
        TransactionFields(transactionId: id, productId: product.id, purchaseDate: purchaseDate) {
            $0.originalTransactionId = originalId
            $0.originalPurchaseDate = originalPurchaseDate
            $0.signedDate = signedDate
            $0.expiresDate = expiresDate
            $0.type = product.type
            $0.quantity = quantity
            $0.price = product.price * quantity
            $0.appAccountToken = token
            $0.appTransactionId = customer.appTransactionId
            if product.isSubscription {
                $0.webOrderLineItemId = "2" + id.dropFirst()
                $0.subscriptionGroupIdentifier = "21443077"
            }
            $0.inAppOwnershipType = ownership
            $0.transactionReason = reason
            $0.revocationDate = revocation?.date
            $0.revocationReason = revocation?.reason
            $0.revocationType = revocation?.percentage == nil ? nil : "REFUND_PRORATED"
            $0.revocationPercentage = revocation?.percentage
            if let offerType {
                $0.extra = [JSONMember("offerType", JSONValue(.number(String(offerType))))]
            }
        }
    }
}

/// What Apple knows of the next renewal of a subscription.
struct SampleRenewal: Sendable {
    let transaction: SampleTransaction
    let willRenew: Bool
    /// 2 is a billing error; `nil` while the subscription is active.
    var expirationIntent: Int64?
    var isInBillingRetry = false

    /// What is signed, as of `signedDate`.
    func fields(signedDate: Int64) -> RenewalFields {
        RenewalFields(
            originalTransactionId: transaction.originalId ?? transaction.id,
            productId: transaction.product.id, signedDate: signedDate
        ) {
            $0.autoRenewStatus = willRenew ? 1 : 0
            $0.expirationIntent = expirationIntent
            $0.isInBillingRetryPeriod = isInBillingRetry
            $0.renewalDate = willRenew ? transaction.expiresDate : nil
            $0.appAccountToken = transaction.token
            $0.appTransactionId = transaction.customer.appTransactionId
        }
    }
}
