/// What the newest proof of a transaction says, as far as verdicts ask.
struct KnownSnapshot {
    /// What became of the money (domain, section 5).
    enum Refund {
        case none, refunded, inPart, familyRevoked
    }

    let transaction: World.Transaction
    /// As of when it was signed.
    let signedDate: Int64
    /// A receipt says neither price nor token, and not whether a family shares the purchase.
    let isReceipt: Bool

    /// A signed transaction speaks before a receipt, however old it is.
    init?(_ known: KnownTransaction, in life: World.Life) {
        guard let index = known.index, let date = known.signedDate ?? known.receiptDate else {
            return nil
        }
        transaction = life.transactions[index]
        signedDate = date
        isReceipt = known.signedDate == nil
    }

    var token: String? { isReceipt ? nil : transaction.token }
    var price: Int64? { isReceipt ? nil : transaction.price }
    var isFamilyShared: Bool { !isReceipt && transaction.isFamilyShared }
    var currency: String { transaction.storefront.currency }
    var isSubscription: Bool { transaction.product.kind == .autoRenewable }

    /// A reversed refund is no refund, an upgraded period is not refunded.
    var refund: Refund {
        guard let revocation = transaction.revocation, revocation.date <= signedDate,
            revocation.reversedAt.map({ signedDate < $0 }) ?? true
        else { return .none }
        if let upgraded = transaction.upgradedAt, upgraded <= signedDate { return .none }
        switch revocation.kind {
        case .full: return .refunded
        case .prorated: return .inPart
        case .familyRevoke: return .familyRevoked
        }
    }

    /// Whether it restores another purchase (domain, section 2: charge).
    var isRestore: Bool {
        switch transaction.product.kind {
        case .nonConsumable, .nonRenewing: transaction.originalId != transaction.id
        case .consumable, .autoRenewable: false
        }
    }

    /// By purchase date, then by id as a decimal.
    var order: (Int64, Int, String) {
        (transaction.purchaseDate, transaction.id.utf8.count, transaction.id)
    }
}
