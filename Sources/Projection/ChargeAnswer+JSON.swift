internal import JSON
internal import Settlement

extension ChargeAnswer {
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("transactionId", transactionId)
            writer.member("originalTransactionId", originalTransactionId)
            writer.member("productId", productId)
            writer.member("type", type)
            writer.member("quantity", quantity)
            writer.member("price", price)
            writer.member("currency", currency)
            writer.member("environment", environment)
            writer.member("purchaseDate", purchaseDate)
            writer.member("expiresDate", expiresDate)
            writer.name("link")
            link.write(to: &writer)
            writer.name("owner")
            owner.write(to: &writer)
            writer.member("refund", refund.rawValue)
            writer.member("delivered", delivered)
            writer.member("missing", missing)
            writer.member("grant", grant)
            writer.name("deliveries")
            writer.array(deliveries) { $1.write(to: &$0) }
            writer.member("verdict", verdict.rawValue)
        }
    }
}

extension LinkAnswer? {
    fileprivate func write(to writer: inout JSONWriter) {
        guard let self else { return writer.null() }
        writer.object { writer in
            writer.member("strength", self.strength.rawValue)
            writer.member("orderNumber", self.orderNumber)
            writer.member("contested", self.isContested)
        }
    }
}

extension OwnerAnswer? {
    fileprivate func write(to writer: inout JSONWriter) {
        guard let self else { return writer.null() }
        writer.object { writer in
            writer.member("account", self.account)
            writer.member("basis", self.basis.rawValue)
        }
    }
}

extension DeliveryAnswer {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("deliveryId", deliveryId)
            writer.member("standing", standing)
            writer.member("account", account)
            writer.member("succeededAt", succeededAt)
        }
    }
}

extension Candidate {
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("transactionId", transactionId)
            writer.member("orderNumber", orderNumber)
            writer.member("productId", productId)
            writer.member("price", price)
            writer.member("currency", currency)
            writer.member("purchaseDate", purchaseDate)
            writer.member("score", score)
            writer.member("likely", isLikely)
            writer.name("reasons")
            writer.array(reasons) { $0.string($1.rawValue) }
            writer.name("doubts")
            writer.array(doubts) { $0.string($1.rawValue) }
            writer.name("rivals")
            writer.array(rivals) { $0.string($1) }
        }
    }
}
