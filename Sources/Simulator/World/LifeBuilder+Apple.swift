/// What Apple does: it charges, refunds and tells.
extension LifeBuilder {
    /// A charge for what is in the cart; `nil` if the world ends before.
    mutating func charge(
        _ cart: Cart, at instant: Int64, token: String? = nil,
        _ change: (inout World.Transaction) -> Void = { _ in }
    ) -> Int? {
        guard happens(instant) else { return nil }
        let storefront = storefront(of: cart.account)
        var transaction = newTransaction(
            cart.product, appleAccount: life.accounts[cart.account].appleAccount,
            price: storefront.price(of: cart.product, quantity: cart.quantity), at: instant,
            owner: cart.account)
        transaction.quantity = cart.quantity
        transaction.token = token
        transaction.order = cart.order
        change(&transaction)
        life.transactions.append(transaction)
        return life.transactions.count - 1
    }

    /// What Apple writes down at `instant`, to the second.
    func newTransaction(
        _ product: World.Product, appleAccount: Int, price: Int64, at instant: Int64, owner: Int,
        originalId: String? = nil, isSandbox: Bool = false
    ) -> World.Transaction {
        let index = life.transactions.count
        let id = identifiers.transaction(index, isSandbox: isSandbox)
        let date = instant / 1000 * 1000
        var transaction = World.Transaction(
            id: id, originalId: originalId ?? id, appleOrderId: identifiers.appleOrder(index),
            appleAccount: appleAccount, product: product, price: price,
            storefront: life.appleAccounts[appleAccount].storefront, purchaseDate: date,
            originalPurchaseDate: date, owner: owner)
        if let period = product.periodDays {
            transaction.webOrderLineItemId = "2" + id.dropFirst()
            transaction.expiresDate = date + period * Span.day
        }
        if isSandbox { transaction.environment = "Sandbox" }
        return transaction
    }

    /// The token that Apple stores when the app passes its `applicationUsername`: only a UUID.
    func token(of cart: Cart) -> String? {
        switch life.app.numbering {
        case .uuid: cart.order.flatMap { life.orders[$0].token }
        case .plain: nil
        case .account: life.accounts[cart.account].token
        }
    }

    // MARK: Notifications

    /// What a notification says.
    struct Announcement {
        var type: String
        var subtype: String?
        var transaction: Int?
        var renewal: World.RenewalState?
        var status: Int64?
        var consumptionReason: String?

        init(
            _ type: String, subtype: String? = nil, _ transaction: Int? = nil,
            renewal: World.RenewalState? = nil, status: Int64? = nil,
            consumptionReason: String? = nil
        ) {
            self.type = type
            self.subtype = subtype
            self.transaction = transaction
            self.renewal = renewal
            self.status = status
            self.consumptionReason = consumptionReason
        }

        /// What an operator asks Apple to send.
        static let test = Announcement("TEST")
    }

    /// Signs a notification at `instant` and sends it soon after; `nil` if the world ends before.
    @discardableResult
    mutating func notify(_ announcement: Announcement, at instant: Int64) -> Int? {
        guard happens(instant) else { return nil }
        let isNeverSent = announcement.transaction != nil && strikes(.notificationNeverSent)
        if isNeverSent {
            trace(
                .notificationNeverSent, at: instant,
                order: announcement.transaction.flatMap { life.transactions[$0].order },
                transaction: announcement.transaction)
        }
        life.notifications.append(
            World.Notification(
                uuid: random.uuid(), type: announcement.type, subtype: announcement.subtype,
                signedDate: instant, transaction: announcement.transaction,
                renewal: announcement.renewal, status: announcement.status,
                consumptionReason: announcement.consumptionReason, attempts: []))
        firstAttempts.append(isNeverSent ? nil : after(instant, 400...9_000))
        return life.notifications.count - 1
    }

    /// The attempts of each notification: again 1, 12, 24, 48 and 72 hours after one that failed.
    mutating func sendNotifications() {
        for index in life.notifications.indices {
            guard var instant = firstAttempts[index] else { continue }
            // Nothing but the server's word stops Apple: one that was slow is told again.
            var isRepeated = strikes(.notificationRepeated)
            for pause in [1, 12, 24, 48, 72, nil] as [Int64?] {
                guard happens(instant) else { break }
                let isDown = outages.end(at: instant) != nil
                let isDone = send(index, at: instant, isDown: isDown, isRepeated: isRepeated)
                guard !isDone, let pause else { break }
                isRepeated = isRepeated && isDown
                instant += pause * Span.hour
            }
        }
    }

    /// One attempt. Returns whether Apple is content with it.
    private mutating func send(
        _ index: Int, at instant: Int64, isDown: Bool, isRepeated: Bool
    ) -> Bool {
        let receivedAt = after(instant, 20...900)
        let result = isDown ? "NO_RESPONSE" : isRepeated ? "TIMED_OUT" : "SUCCESS"
        let reaches = !isDown && happens(receivedAt)
        let notification = life.notifications[index]
        life.notifications[index].attempts.append(
            World.Notification.Attempt(
                at: instant, result: result, receivedAt: reaches ? receivedAt : nil))
        let order = notification.transaction.flatMap { life.transactions[$0].order }
        let id = "notification/\(notification.uuid)"
        if reaches {
            life.arrivals.append(
                World.Arrival(
                    receivedAt: receivedAt, source: "apple", id: id,
                    type: "appstore.notification", time: nil, content: .notification(index),
                    order: order, transaction: notification.transaction))
        }
        if isDown {
            trace(
                .serverDown, at: instant, order: order, transaction: notification.transaction,
                event: id)
        }
        if isRepeated, !isDown {
            trace(
                .notificationRepeated, at: instant, order: order,
                transaction: notification.transaction, event: id)
        }
        return result == "SUCCESS"
    }
}
