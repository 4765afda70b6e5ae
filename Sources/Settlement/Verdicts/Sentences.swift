extension Brief {
    /// What the customer may be told: plain, true, naming no other account, accusing nobody.
    var sentence: String {
        switch code {
        case .paidNotDelivered:
            "We have found your payment\(payment) and will deliver what you bought."
        case .chargedTwice:
            "We have found more than one payment\(payment) for this order. Would you like another"
                + " delivery, or a refund from Apple?"
        case .deliveredToOther:
            "We have found your payment\(payment). The delivery did not reach you, and we are "
                + "putting that right."
        case .pending: pending
        case .notClaimants:
            "We could not match this purchase with your account. Please send us the e-mail that "
                + "Apple sent you for it."
        case .lapsed: "Your subscription has ended\(end). You can subscribe again at any time."
        case .delivered: "Our records show that what you bought was delivered\(delivery)."
        case .refunded: "Apple has refunded this purchase\(refund)."
        case .paymentUnlinked:
            "We have found a payment that may be yours. We are checking it and will come back to "
                + "you."
        case .wrongEnvironment:
            "The purchase we have found was made in a test version, so no money was taken for it."
        case .shared:
            "This purchase was shared with you by the organiser of your family, who can tell you "
                + "more."
        case .forged: "We could not accept the proof of purchase that was sent to us."
        case .disproved:
            "Apple does not know this purchase under the number we have. Please send us the "
                + "e-mail that Apple sent you."
        case .notCharged: "No payment was taken for this purchase\(complete)."
        case .unproven:
            "We have not received Apple's confirmation of a payment yet. Please send us the "
                + "e-mail that Apple sent you for it."
        case .unknown:
            "We have not found this purchase\(complete). Please send us the e-mail that Apple "
                + "sent you for it."
        }
    }

    private var pending: String {
        if !subject.charges.isEmpty {
            return "We have found your payment\(payment). The delivery is on its way."
        }
        return "Apple has not completed this purchase yet: it still waits for approval."
    }

    /// The price and date of the first charge that the verdict is about.
    private var payment: String {
        guard let charge = charges.first?.snapshot else { return "" }
        var words = ""
        if let price = charge.price, let currency = charge.currency {
            words += " of \(Money.text(price)) \(currency)"
        }
        if let date = charge.purchaseDate { words += " of \(UTC.text(date))" }
        return words
    }

    private var end: String {
        guard case .over(let end)? = charges.first?.subscription?.access else { return "" }
        return " on \(UTC.text(end))"
    }

    private var delivery: String {
        let instants = charges.flatMap(\.shares).compactMap { $0.facts.succeeded.first?.receivedAt }
        return instants.max().map { " on \(UTC.text($0))" } ?? ""
    }

    private var refund: String {
        charges.first?.snapshot.revocationDate.map { " on \(UTC.text($0))" } ?? ""
    }

    /// A denial says up to when what could contradict it is complete.
    private var complete: String {
        coverage.appleUntil.map { " (as far as Apple's records reach us: \(UTC.text($0)))" } ?? ""
    }
}

/// Money as people read it.
public enum Money {
    /// An amount in milliunits in units: 10990 is `10.99`, 4999000000 is `4999000`.
    public static func text(_ milliunits: Int64) -> String {
        let magnitude = milliunits.magnitude
        let (units, rest) = magnitude.quotientAndRemainder(dividingBy: 1_000)
        let sign = milliunits < 0 ? "-" : ""
        guard rest > 0 else { return "\(sign)\(units)" }
        var digits = String(rest)
        digits = String(repeating: "0", count: 3 - digits.utf8.count) + digits
        if digits.hasSuffix("0") { digits.removeLast() }
        return "\(sign)\(units).\(digits)"
    }
}
