/// What the platform and its delivery server do.
extension LifeBuilder {
    /// An order, which the platform makes before anybody pays. There must be one left to make.
    mutating func order(
        _ product: World.Product, quantity: Int64, by account: Int, at instant: Int64
    ) -> Int {
        ordersLeft -= 1
        let index = life.orders.count
        let isUUID = life.app.numbering == .uuid
        let number =
            isUUID ? random.uuid(upperCase: random.percent(50)) : identifiers.plainOrder(index)
        let createdAt = min(instant, end - 1)
        let storefront = storefront(of: account)
        life.orders.append(
            World.Order(
                number: number, account: account, product: product, quantity: quantity,
                price: storefront.price(of: product, quantity: quantity), storefront: storefront,
                token: isUUID ? number.lowercased() : nil, createdAt: createdAt))
        platform("order.created", "order", index, at: createdAt, .orderCreated(order: index))
        return index
    }

    mutating func cancel(_ order: Int, at instant: Int64) {
        guard happens(instant) else { return }
        life.orders[order].cancelledAt = instant
        platform(
            "order.cancelled", "order-cancelled", order, at: instant, .orderCancelled(order: order))
    }

    /// The platform's server says which transaction it took for the order.
    mutating func link(_ transaction: Int, to order: Int, at instant: Int64) {
        platform(
            "order.payment-linked", "payment/\(life.transactions[transaction].id)", order,
            at: instant, .paymentLinked(order: order, transaction: transaction))
    }

    private mutating func platform(
        _ type: String, _ name: String, _ order: Int, at instant: Int64, _ content: World.Content
    ) {
        guard happens(instant) else { return }
        arrive(
            type, from: "platform", id: "\(name)/\(life.orders[order].number)",
            at: after(instant, 5...200), time: instant, order: order, content)
    }

    // MARK: Deliveries

    /// The goods of a transaction for its buyer, as the order or the transaction names them; what
    /// can go wrong on the way may. Subscriptions need none: they are served while they are active.
    /// - Returns: when the client has the server's word.
    @discardableResult
    mutating func fulfil(
        _ index: Int, for order: Int?, to account: Int, at instant: Int64
    ) -> Int64 {
        let opening = outages.end(at: instant)
        let begin = opening.map { after($0, Span.second...Span.minute) } ?? instant
        let transaction = life.transactions[index]
        guard transaction.product.kind != .autoRenewable else { return begin + 300 }
        if strikes(.deliveryNotDone) {
            trace(.deliveryNotDone, at: begin, order: order, transaction: index)
            return begin + 300
        }
        var begun = begin
        if strikes(.deliveryFailed) {
            trace(.deliveryFailed, at: begin, order: order, transaction: index)
            let parcel = Parcel(index, order, account, transaction.product, transaction.quantity)
            deliver(parcel, at: begin, fails: true)
            guard random.percent(40) else { return begin + 400 }
            begun = after(begin, Span.minute...6 * Span.hour)
        }
        deliverSomehow(index, for: order, to: account, at: begun)
        return begun + 5_500
    }

    private mutating func deliverSomehow(
        _ index: Int, for order: Int?, to account: Int, at instant: Int64
    ) {
        let transaction = life.transactions[index]
        var parcel = Parcel(index, order, account, transaction.product, transaction.quantity)
        if strikes(.deliveryToOther) {
            parcel.account = friend
            trace(.deliveryToOther, at: instant, order: order, transaction: index)
        }
        if transaction.quantity > 1, strikes(.deliveryPartial) {
            parcel.quantity = random.number(1...transaction.quantity - 1)
            trace(.deliveryPartial, at: instant, order: order, transaction: index)
        }
        deliver(parcel, at: instant)
        if strikes(.deliveryDoubled) {
            trace(.deliveryDoubled, at: instant, order: order, transaction: index)
            deliver(parcel, at: after(instant, Span.second...Span.hour))
        }
    }

    /// What one delivery holds, and for whom.
    struct Parcel {
        var transaction: Int?
        var order: Int?
        var account: Int
        var product: World.Product
        var quantity: Int64
        var grant: String?

        init(
            _ transaction: Int?, _ order: Int?, _ account: Int, _ product: World.Product,
            _ quantity: Int64
        ) {
            self.transaction = transaction
            self.order = order
            self.account = account
            self.product = product
            self.quantity = quantity
        }
    }

    /// One delivery, asked for at `instant`; nothing if the world ends before.
    mutating func deliver(_ parcel: Parcel, at instant: Int64, fails: Bool = false) {
        guard happens(instant) else { return }
        let index = life.deliveries.count
        var delivery = World.Delivery(
            id: random.uuid(), account: parcel.account, order: parcel.order,
            transaction: parcel.transaction, product: parcel.product, quantity: parcel.quantity,
            requestedAt: instant, grant: parcel.grant)
        let done = after(instant, 500...5_000)
        if happens(done) {
            if fails { delivery.failedAt = done } else { delivery.succeededAt = done }
        }
        life.deliveries.append(delivery)
        tell("delivery.requested", of: index, at: instant)
        tell(fails ? "delivery.failed" : "delivery.succeeded", of: index, at: done)
    }

    /// The goods are taken back.
    mutating func reverse(_ delivery: Int, at instant: Int64) {
        guard happens(instant) else { return }
        life.deliveries[delivery].reversedAt = instant
        tell("delivery.reversed", of: delivery, at: instant)
    }

    private mutating func tell(_ type: String, of delivery: Int, at instant: Int64) {
        guard happens(instant) else { return }
        let told = life.deliveries[delivery]
        arrive(
            type, from: "delivery", id: "\(type)/\(told.id)", at: after(instant, 5...200),
            time: instant, order: told.order, transaction: told.transaction, .delivery(delivery))
    }

    /// How many of what was bought stand delivered with the owner.
    func standing(_ transaction: Int) -> Int64 {
        let bought = life.transactions[transaction]
        return life.deliveries.reduce(0) { sum, delivery in
            let counts =
                delivery.transaction == transaction && delivery.stands
                && delivery.account == bought.owner && delivery.product == bought.product
            return counts ? sum + delivery.quantity : sum
        }
    }
}
