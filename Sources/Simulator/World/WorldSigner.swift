internal import Cryptography
internal import JSON

/// Signs what a world's Apple says, under the chains minted from the world's seed. Pure: the same
/// arguments give the same bytes, and any number of threads may ask.
public struct WorldSigner: Sendable {
    /// Signs JWS as Apple does.
    public let chain: MintedChain
    /// Signs receipts as Apple does.
    public let receipts: ReceiptSigner
    /// A chain that anybody could make, and nobody trusts.
    private let foreign: MintedChain

    /// The signer of a world.
    public init(_ world: World) {
        let seed = world.configuration.seed
        chain = MintedChain(seed: seed)
        receipts = ReceiptSigner(seed: seed)
        foreign = MintedChain(seed: WorldRandom.mixed(seed &+ 0xF0))
    }

    /// A transaction (JWS) as it is at `signedDate`, milliseconds since 1970 UTC.
    public func transaction(
        _ index: Int, of life: World.Life, signedDate: Int64
    ) -> [UInt8] {
        let transaction = life.transactions[index]
        return apple(life.app, transaction.environment).transaction(
            fields(of: transaction, in: life, at: signedDate))
    }

    /// A notification (JWS): the value of `signedPayload`, the same in every attempt.
    public func notification(_ index: Int, of life: World.Life) -> [UInt8] {
        let notification = life.notifications[index]
        let transaction = notification.transaction.map { life.transactions[$0] }
        let apple = apple(life.app, transaction?.environment ?? "Production")
        let signedDate = notification.signedDate
        return apple.notification(
            NotificationFields(
                notification.type, subtype: notification.subtype,
                notificationUUID: notification.uuid, signedDate: signedDate
            ) { fields in
                guard let transaction else { return }
                fields.signedTransactionInfo = apple.transaction(
                    self.fields(of: transaction, in: life, at: signedDate))
                fields.signedRenewalInfo = notification.renewal.map { state in
                    apple.renewal(renewal(state, of: transaction, in: life, at: signedDate))
                }
                fields.status = notification.status
                fields.consumptionRequestReason = notification.consumptionReason
            })
    }

    /// A proof as a client or a customer sends it: a JWS, or a receipt in base64.
    public func evidence(_ evidence: World.Evidence, of life: World.Life, device: Int) -> [UInt8] {
        let genuine: [UInt8]
        switch evidence.form {
        case .transaction: genuine = signedTransaction(evidence, life)
        case .receipt: genuine = receipt(evidence, of: life, device: device)
        }
        guard evidence.flaw == .truncated else { return genuine }
        return Array(genuine.prefix(genuine.count * 2 / 3))
    }

    // MARK: Parts

    private func apple(_ app: World.App, _ environment: String) -> AppleSigner {
        AppleSigner(
            chain: chain, bundleId: app.bundle, appAppleId: app.appAppleId, environment: environment
        )
    }

    private func signedTransaction(_ evidence: World.Evidence, _ life: World.Life) -> [UInt8] {
        if let pretence = evidence.pretence {
            let isResigned = evidence.flaw == .resigned
            var apple = apple(life.app, "Production")
            if isResigned { apple.chain = foreign }
            return apple.transaction(
                fields(of: pretence, in: life, at: evidence.signedDate),
                options: SigningOptions {
                    $0.signatureFlaw = isResigned ? nil : .ofAnotherPayload
                })
        }
        guard let index = evidence.transaction else { return [] }
        return transaction(index, of: life, signedDate: evidence.signedDate)
    }

    private func fields(
        of transaction: World.Transaction, in life: World.Life, at signedDate: Int64
    ) -> TransactionFields {
        TransactionFields(
            transactionId: transaction.id, productId: transaction.product.id(in: life.app),
            purchaseDate: transaction.purchaseDate
        ) {
            $0.originalTransactionId = transaction.originalId
            $0.originalPurchaseDate = transaction.originalPurchaseDate
            $0.signedDate = signedDate
            $0.expiresDate = transaction.expiresDate
            $0.type = transaction.product.kind.rawValue
            $0.quantity = transaction.quantity
            $0.price = transaction.price
            $0.currency = transaction.storefront.currency
            $0.appAccountToken = transaction.token
            $0.appTransactionId = life.appleAccounts[transaction.appleAccount].appTransactionId
            $0.webOrderLineItemId = transaction.webOrderLineItemId
            if transaction.product.kind == .autoRenewable {
                $0.subscriptionGroupIdentifier = "21443077"
            }
            $0.inAppOwnershipType = transaction.isFamilyShared ? "FAMILY_SHARED" : "PURCHASED"
            $0.transactionReason = transaction.isRenewal ? "RENEWAL" : "PURCHASE"
            $0.storefront = transaction.storefront.code
            $0.storefrontId = transaction.storefront.id
            if let upgradedAt = transaction.upgradedAt, upgradedAt <= signedDate {
                $0.isUpgraded = true
            }
            Self.revoke(&$0, transaction.revocation, at: signedDate)
            $0.extra = Self.offer(transaction)
        }
    }

    /// A refund that was reversed leaves no trace in what is signed later.
    private static func revoke(
        _ fields: inout TransactionFields, _ revocation: World.Revocation?, at signedDate: Int64
    ) {
        guard let revocation, revocation.date <= signedDate,
            revocation.reversedAt.map({ signedDate < $0 }) ?? true
        else { return }
        fields.revocationDate = revocation.date
        fields.revocationReason = revocation.reason
        fields.revocationType = revocation.tellsType ? revocation.kind.rawValue : nil
        fields.revocationPercentage = revocation.percentage
    }

    private static func offer(_ transaction: World.Transaction) -> [JSONMember] {
        guard let type = transaction.offerType else { return [] }
        var members = [JSONMember("offerType", JSONValue(.number(String(type))))]
        if let identifier = transaction.offerIdentifier {
            members.append(JSONMember("offerIdentifier", JSONValue(.string(identifier))))
        }
        return members
    }

    private func fields(
        of pretence: World.Pretence, in life: World.Life, at signedDate: Int64
    ) -> TransactionFields {
        TransactionFields(
            transactionId: pretence.transactionId, productId: pretence.product.id(in: life.app),
            purchaseDate: pretence.purchaseDate
        ) {
            $0.signedDate = signedDate
            $0.type = pretence.product.kind.rawValue
            $0.price = pretence.price
            $0.currency = pretence.storefront.currency
            $0.storefront = pretence.storefront.code
            $0.storefrontId = pretence.storefront.id
            $0.appAccountToken = pretence.token
        }
    }

    private func renewal(
        _ state: World.RenewalState, of transaction: World.Transaction, in life: World.Life,
        at signedDate: Int64
    ) -> RenewalFields {
        RenewalFields(
            originalTransactionId: transaction.originalId,
            productId: transaction.product.id(in: life.app), signedDate: signedDate
        ) {
            $0.autoRenewProductId = state.next.id(in: life.app)
            $0.autoRenewStatus = state.willRenew ? 1 : 0
            $0.expirationIntent = state.expirationIntent
            $0.isInBillingRetryPeriod = state.expirationIntent == nil ? nil : state.isInBillingRetry
            $0.gracePeriodExpiresDate = state.graceExpires
            $0.renewalDate = state.willRenew ? state.renewalDate : nil
            $0.appAccountToken = transaction.token
            $0.appTransactionId = life.appleAccounts[transaction.appleAccount].appTransactionId
        }
    }

    // MARK: Receipts

    /// The receipt of a device, in base64.
    func receipt(_ evidence: World.Evidence, of life: World.Life, device: Int) -> [UInt8] {
        let indices = evidence.others + [evidence.transaction].compactMap { $0 }
        let isSandbox = indices.contains { life.transactions[$0].environment != "Production" }
        let fields = ReceiptFields(bundleId: life.app.bundle, creationDate: evidence.signedDate) {
            $0.receiptType = isSandbox ? "ProductionSandbox" : "Production"
            $0.appAppleId = life.app.appAppleId
            $0.applicationVersion = "3.8.1"
            $0.originalApplicationVersion = "1.0"
            $0.device = life.devices[device].id
            $0.purchases = indices.map {
                purchase(life.transactions[$0], life, at: evidence.signedDate)
            }
            $0.originalPurchaseDate =
                $0.purchases.compactMap(\.originalPurchaseDate).min() ?? evidence.signedDate
        }
        return receipts.receipt(fields)
    }

    private func purchase(
        _ transaction: World.Transaction, _ life: World.Life, at instant: Int64
    ) -> ReceiptPurchase {
        let revocation = transaction.revocation.flatMap { $0.date <= instant ? $0 : nil }
        let isRevoked = revocation?.reversedAt.map { instant < $0 } ?? (revocation != nil)
        return ReceiptPurchase(
            transactionId: transaction.id, productId: transaction.product.id(in: life.app),
            purchaseDate: transaction.purchaseDate
        ) {
            $0.originalTransactionId = transaction.originalId
            $0.originalPurchaseDate = transaction.originalPurchaseDate
            $0.quantity = transaction.quantity
            $0.productType = transaction.product.kind.receiptNumber
            $0.expiresDate = transaction.expiresDate
            $0.webOrderLineItemId = transaction.webOrderLineItemId.flatMap { Int64($0) } ?? 0
            $0.cancellationDate = isRevoked ? revocation?.date : nil
            $0.cancellationReason = isRevoked ? revocation?.reason : nil
        }
    }
}

extension World.Product.Kind {
    /// Attribute 1707 of a receipt.
    fileprivate var receiptNumber: Int64 {
        switch self {
        case .nonConsumable: 0
        case .consumable: 1
        case .nonRenewing: 2
        case .autoRenewable: 3
        }
    }
}
