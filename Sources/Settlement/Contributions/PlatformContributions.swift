internal import JSON

/// What the platform's server and the delivery server tell.
extension Contributions {
    mutating func orderCreated() {
        guard let number = event.orderNumber("orderNumber") else { return }
        var terms = OrderTerms()
        terms.productId = event.identifier("productId")
        terms.productType = event.identifier("productType")
        terms.quantity = event.data["quantity"]?.int64
        terms.price = event.data["price"]?.int64
        terms.currency = event.identifier("currency")
        terms.storefront = event.identifier("storefront")
        let tokens = [event.uuid("appAccountToken"), OrderNumber.isUUID(number) ? number : nil]
            .compactMap { $0 }
        let told = now
        let created = FirstTold(terms, stamp)
        order(number) { order in
            order.created = created
            for token in tokens { order.tokens.tell(token, told) }
        }
        for token in tokens { self.token(.token(bundle, token)) { $0.orders.tell(number, told) } }
        accountOfOrder(number)
    }

    mutating func orderCancelled() {
        guard let number = event.orderNumber("orderNumber") else { return }
        let span = Span(stamp)
        order(number) { $0.cancelled = span }
        accountOfOrder(number)
    }

    mutating func paymentNamed() {
        guard let number = event.orderNumber("orderNumber"),
            let id = event.identifier("transactionId")
        else { return }
        let told = now
        order(number) { $0.transactions.tell(id, told) }
        transaction(id) { transaction in
            var mentions = Mentions()
            mentions.platform = told
            transaction.names.tell(number, mentions)
        }
        accountOfOrder(number)
    }

    /// The account that the platform's server gives the order.
    private mutating func accountOfOrder(_ number: String) {
        guard let account = event.account else { return }
        var mention = AccountMention()
        mention.platform = now
        order(number) { $0.accounts.tell(account, mention) }
        self.account(account) { $0.orders.tell(number, mention) }
    }

    mutating func accountRegistered() {
        guard let account = event.account, let token = event.uuid("appAccountToken") else { return }
        let told = now
        self.account(account) { $0.tokens.tell(token, told) }
        self.token(.token(bundle, token)) { $0.accounts.tell(account, told) }
    }

    /// Only consent to tell Apple about consumption changes what may be done. It is no word about
    /// a purchase: who only consented is not known by it.
    mutating func accountConsented() {
        guard let account = event.account, event.identifier("purpose") == "consumption",
            let granted = event.data["granted"]?.boolean
        else { return }
        var told = AccountFacts()
        told.consumptionConsent = LastTold(granted, stamp)
        tell(.account(bundle, account), .account(told))
    }

    mutating func delivery() {
        guard let id = event.identifier("deliveryId") else { return }
        let told = now
        let number = event.orderNumber("orderNumber")
        let transactionId = event.identifier("transactionId")
        var delivery = DeliveryFacts()
        if let number {
            delivery.orders.tell(number, told)
            order(number) { $0.deliveries.tell(id, told) }
        }
        if let transactionId {
            delivery.transactions.tell(transactionId, told)
            transaction(transactionId) { $0.deliveries.tell(id, told) }
        }
        if let account = event.account {
            delivery.accounts.tell(account, told)
            self.account(account) { $0.deliveries.tell(id, told) }
        }
        if event.identifier("grant") == "goodwill" { delivery.goodwill = told }
        deliveryStep(&delivery)
        tell(.delivery(bundle, id), .delivery(delivery))
    }

    private func deliveryStep(_ delivery: inout DeliveryFacts) {
        var terms = DeliveryTerms()
        terms.productId = event.identifier("productId")
        terms.quantity = event.data["quantity"]?.int64
        let span = Span(stamp)
        switch event.type {
        case "delivery.requested":
            delivery.requested = span
            delivery.requestedTerms = FirstTold(terms, stamp)
        case "delivery.succeeded":
            delivery.succeeded = span
            delivery.succeededTerms = FirstTold(terms, stamp)
        case "delivery.failed": delivery.failed = span
        default:
            delivery.reversed = span
            delivery.reversedQuantity = Greatest(terms.quantity)
            if terms.quantity == nil { delivery.reversedWhole = now }
        }
    }
}
