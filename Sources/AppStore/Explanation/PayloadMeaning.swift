internal import AppStoreModel

extension TransactionPayload {
    /// What a verified transaction means.
    var meaning: [String] {
        guard let transactionId else {
            return ["Apple signed it, but it names no transaction: it proves no payment."]
        }
        var sentences = [purchase(transactionId)]
        if environment == .sandbox {
            sentences.append("It was bought in the sandbox: no money was paid.")
        }
        if inAppOwnershipType == .familyShared {
            sentences.append("It is shared in a family: somebody else paid for it.")
        }
        sentences += refund
        if isUpgraded == true { sentences.append("An upgrade replaced it.") }
        if let expiresDate {
            sentences.append("The period it pays for ends at \(RFC3339.text(expiresDate)).")
        }
        if appAccountToken == nil {
            sentences.append(
                "It names no order and no account: what it is for must be found otherwise.")
        }
        if let signedDate {
            sentences.append(
                "This is the state of \(RFC3339.text(signedDate)); a later refund does not show in "
                    + "it."
            )
        }
        return sentences
    }

    private func purchase(_ id: String) -> String {
        let product = Printable.text(productId ?? "an unnamed product")
        let count = quantity.map { $0 == 1 ? "" : "\($0) × " } ?? ""
        let date = purchaseDate.map { " at \(RFC3339.text($0))" } ?? ""
        let price = Money.text(price, currency).map { " for \($0)" } ?? ""
        let verb = transactionReason == .renewal ? "renewed" : "bought"
        let isRestored =
            originalTransactionId != nil && originalTransactionId != id
            && [.nonConsumable, .nonRenewing].contains(type)
        return "Apple confirms transaction \(Printable.text(id)): \(count)\(product) was "
            + (isRestored ? "restored" : verb) + date
            + (isRestored ? ", not paid again." : "\(price).")
    }

    private var refund: [String] {
        guard let revocationDate else { return [] }
        let date = RFC3339.text(revocationDate)
        if revocationType == .familyRevoke {
            return ["The family's access to it ended at \(date)."]
        }
        if let revocationPercentage, revocationPercentage < 100_000 {
            return ["Apple gave a part of the money back at \(date)."]
        }
        if let revocationReason, !revocationReason.isKnown {
            return ["It was withdrawn at \(date) for reason \(revocationReason.rawValue)."]
        }
        return ["Apple gave the money back at \(date): nothing is owed for it."]
    }
}

extension RenewalPayload {
    /// What a verified renewal info means.
    var meaning: [String] {
        let id = Printable.text(originalTransactionId ?? "without an id")
        var sentences: [String] = []
        switch autoRenewStatus {
        case .on?:
            let date = renewalDate.map { " at \(RFC3339.text($0))" } ?? ""
            sentences.append("The subscription \(id) will renew\(date).")
        case .off?: sentences.append("The subscription \(id) will not renew.")
        case .some, nil: sentences.append("It is about the subscription \(id).")
        }
        if let expirationIntent { sentences.append(Self.expired(expirationIntent)) }
        if isInBillingRetryPeriod == true {
            sentences.append(
                "Apple could not charge, and tries again: the customer has not paid yet.")
        }
        if let gracePeriodExpiresDate {
            sentences.append(
                "The customer keeps access in a grace period until "
                    + "\(RFC3339.text(gracePeriodExpiresDate)).")
        }
        sentences.append("It tells what will be, and proves no payment.")
        return sentences
    }

    private static func expired(_ intent: ExpirationIntent) -> String {
        switch intent {
        case .cancelled: "It ended because the customer cancelled."
        case .billingError: "It ended because Apple could not charge."
        case .priceIncreaseRefused: "It ended because the customer did not accept a higher price."
        case .productUnavailable: "It ended because the product was not for sale."
        default: "It ended for reason \(intent.rawValue)."
        }
    }
}

extension NotificationPayload {
    /// What a verified notification means.
    var meaning: [String] {
        guard let notificationType else { return ["A notification of Apple's without a type."] }
        let name = Printable.text(notificationType.rawValue)
        let sentence = Self.sentences[notificationType] ?? "a kind that is not known here"
        return ["Apple told the app's server: \(sentence) (\(name))."]
    }

    private static let sentences: [NotificationType: String] = [
        .subscribed: "a subscription was bought",
        .didRenew: "a subscription was renewed and paid",
        .didChangeRenewalPref: "the customer chose another product of the subscription",
        .didChangeRenewalStatus: "the customer switched renewal on or off",
        .offerRedeemed: "the customer redeemed an offer",
        .expired: "a subscription ended",
        .didFailToRenew: "a renewal could not be charged",
        .gracePeriodExpired: "the grace period of a subscription ended without payment",
        .priceIncrease: "a higher price was announced or accepted",
        .priceChange: "a price changed",
        .metadataUpdate: "details of a product changed",
        .migration: "a subscription moved",
        .refund: "the money for a transaction was given back",
        .refundDeclined: "a refund was asked for and declined",
        .refundReversed: "a refund was undone: the purchase counts again",
        .revoke: "a family member lost a shared purchase; no money was given back for it",
        .consumptionRequest: "the customer asks for a refund; Apple wants to hear within 12 hours",
        .oneTimeCharge: "a product was bought",
        .renewalExtended: "the end of a subscription was moved",
        .renewalExtension: "the ends of many subscriptions are being moved",
        .externalPurchaseToken: "a token for a purchase outside of the App Store was made",
        .rescindConsent: "a guardian withdrew consent",
        .test: "a test; it has no effect",
    ]
}

extension ReceiptPayload {
    /// What a verified receipt means.
    var meaning: [String] {
        let date = receiptCreationDate.map { " of \(RFC3339.text($0))" } ?? ""
        let count = inApp.count
        var sentences = [
            "Apple confirms a receipt\(date) that lists \(count) purchase\(count == 1 ? "" : "s")."
        ]
        if environment == .sandbox {
            sentences.append("It is of the sandbox: no money was paid.")
        }
        let cancelled = inApp.count { $0.cancellationDate != nil }
        if cancelled > 0 {
            sentences.append("For \(cancelled) of them Apple gave the money back.")
        }
        sentences.append(
            "It names no order and no account. A consumable leaves the receipt once it is "
                + "finished, so what is missing may have been paid all the same.")
        return sentences
    }
}

/// Amounts for people.
enum Money {
    /// `10.99 USD` for 10990 milliunits; `nil` where either is unknown.
    static func text(_ milliunits: Int64?, _ currency: String?) -> String? {
        guard let milliunits, let currency else { return nil }
        let (whole, rest) = milliunits.magnitude.quotientAndRemainder(dividingBy: 1000)
        let digits = String(rest + 1000).dropFirst()
        let decimals = digits.hasSuffix("0") ? digits.dropLast() : digits
        let sign = milliunits < 0 ? "-" : ""
        let fraction = rest == 0 ? "" : ".\(decimals)"
        return "\(sign)\(whole)\(fraction) \(Printable.text(currency))"
    }
}
