/// Remarks that must stand beside a verdict (domain, sections 5 and 7), as far as the oracle knows
/// them: those of charges and orders. A remark about what phones did is left to the findings.
extension Judge {
    func remarks(on matter: Matter) -> [String] {
        var remarks: Set<String> = []
        for number in matter.orders where knowledge.orders[number]?.cancelled != nil {
            remarks.insert("order-cancelled")
        }
        for charge in matter.charges {
            if charge.transaction.snapshot?.refund == .inPart { remarks.insert("refunded-in-part") }
            remarks.formUnion(mismatches(of: charge.transaction))
        }
        return remarks.sorted()
    }

    /// The order against what was signed; a renewal, which inherits its order, is not compared.
    private func mismatches(of charge: Conclusion) -> Set<String> {
        guard let link = charge.links.first, link.strength != .inherited,
            knowledge.orders[link.number]?.created != nil, let terms = order(link.number),
            let snapshot = charge.snapshot
        else { return [] }
        let signed = snapshot.transaction
        var found: Set<String> = []
        if signed.product != terms.product { found.insert("product-mismatch") }
        if signed.quantity != terms.quantity { found.insert("quantity-mismatch") }
        if let price = snapshot.price, signed.storefront.currency == terms.storefront.currency,
            price != terms.price
        {
            let isOffer = signed.offerType != nil && price < terms.price
            if !isOffer { found.insert("price-mismatch") }
        }
        return found
    }
}
