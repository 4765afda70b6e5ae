/// What somebody is about to buy.
struct Cart {
    /// The order, where one was made: index into `Life.orders`.
    var order: Int?
    /// Who buys: index into `Life.accounts`.
    var account: Int
    /// Where: index into `Life.installations`.
    var installation: Int
    var product: World.Product
    var quantity: Int64
}

/// How a visit to the shop goes.
extension LifeBuilder {
    /// One visit: an order in most cases, and what is bought without one.
    mutating func goShopping(at instant: Int64) {
        let account = Int(random.below(Int64(friend)))
        if strikes(.offerCode) { redeemOffer(by: account, at: instant + 9 * Span.minute) }
        if strikes(.promotedPurchase) { buyPromoted(by: account, at: instant + 7 * Span.minute) }
        let cart = fillCart(of: account, at: instant)
        if cart.product.kind == .consumable, leadsAstray(cart, at: instant) { return }
        if asksParents(cart, at: instant) || offersFalseProof(cart, at: instant) { return }
        if strikes(.cancelledThoughCharged) { return payDespiteCancelling(cart, at: instant) }
        switch random.below(100) {
        case 0..<5: break  // Looks at the price and leaves.
        case 5..<10: giveUp(cart, errorCode: 2, at: instant)
        case 10..<13: giveUp(cart, errorCode: random.pick([0, 3, 4, 5]), at: instant)
        default: buy(cart, at: instant)
        }
    }

    /// Chooses, and makes the order.
    private mutating func fillCart(of account: Int, at instant: Int64) -> Cart {
        let product = chooseProduct(for: account, at: instant)
        let isMany = product.kind == .consumable && random.percent(12)
        let quantity: Int64 = isMany ? random.pick([2, 3, 5, 10]) : 1
        let order = order(product, quantity: quantity, by: account, at: instant)
        return Cart(
            order: order, account: account, installation: installation(of: account),
            product: product, quantity: quantity)
    }

    /// Nobody buys what they own, nor the subscription they have or a lesser one.
    private mutating func chooseProduct(
        for account: Int, at instant: Int64
    ) -> World.Product {
        let appleAccount = life.accounts[account].appleAccount
        let current = life.subscription(of: appleAccount, at: instant)
        let wanted = random.pick(
            weighted: World.Product.all.map { product in
                switch product.kind {
                case .consumable: (product, 9)
                case .nonConsumable: (product, 6)
                case .nonRenewing: (product, 5)
                case .autoRenewable: (product, product.periodDays == 7 ? 14 : 5)
                }
            })
        switch wanted.kind {
        case .consumable, .nonRenewing: return wanted
        case .nonConsumable:
            let isOwned = life.transactions.contains {
                $0.appleAccount == appleAccount && $0.product == wanted
            }
            return isOwned ? World.Product.all[0] : wanted
        case .autoRenewable:
            guard let current else { return wanted }
            let isUpgrade = current.product != wanted && wanted.cents > current.product.cents
            return isUpgrade ? wanted : World.Product.all[1]
        }
    }

    /// Tries, and cancels or fails.
    mutating func giveUp(_ cart: Cart, errorCode: Int64, at instant: Int64) {
        attempt(cart, at: instant + 3_000)
        let failed = after(instant, 10 * Span.second...Span.minute)
        attempt(cart, "storekit.failed", at: failed, errorCode: errorCode)
        if random.percent(20), let order = cart.order { cancel(order, at: failed + Span.hour) }
        if random.percent(4), let order = cart.order {
            giveAway(cart, for: order, at: after(failed, Span.hour...Span.day))
        }
    }

    /// Support gives the goods away; nothing was paid.
    private mutating func giveAway(_ cart: Cart, for order: Int, at instant: Int64) {
        guard happens(instant) else { return }
        var parcel = Parcel(nil, order, cart.account, cart.product, cart.quantity)
        parcel.grant = "goodwill"
        arrive(
            "goodwill.granted", from: "support", id: "goodwill/\(life.orders[order].number)",
            at: instant, time: instant, order: order, .goodwill(life.deliveries.count))
        deliver(parcel, at: instant + 2_000)
    }

    // MARK: The ordinary purchase

    /// Tries, pays, proves, gets the goods, finishes.
    mutating func buy(_ cart: Cart, at instant: Int64) {
        attempt(cart, at: instant + 3_000)
        let paid = after(instant, 12 * Span.second...Span.minute)
        guard let index = pay(cart, at: paid) else { return }
        if strikes(.finishBeforeVerify) { return finishBlindly(index, of: cart, at: paid) }
        settle(index, of: cart, username: username(of: cart), at: paid + 3_000)
        enjoy(index, of: cart, at: paid)
    }

    /// The charge, told by Apple; what is bought may differ from what was ordered.
    mutating func pay(_ cart: Cart, at instant: Int64, token: String?? = nil) -> Int? {
        let bought = changed(cart, at: instant)
        let token = token ?? self.token(of: cart)
        guard let index = charge(bought, at: instant, token: token) else { return nil }
        if cart.order != nil, strikes(.wrongPrice) {
            let price = life.transactions[index].price
            let unit: Int64 = life.transactions[index].storefront.decimals == 0 ? 1000 : 10
            life.transactions[index].price = max(unit, price / 2 / unit * unit)
            if random.percent(50) { life.transactions[index].offerType = 2 }
            trace(.wrongPrice, at: instant, order: cart.order, transaction: index)
        }
        if bought.product.kind == .autoRenewable {
            subscribe(index, at: instant)
        } else {
            notify(Announcement("ONE_TIME_CHARGE", index), at: instant + 1_000)
        }
        return index
    }

    private mutating func changed(_ cart: Cart, at instant: Int64) -> Cart {
        var bought = cart
        guard cart.order != nil, cart.product.kind == .consumable else { return bought }
        if strikes(.wrongProduct) {
            let others = World.Product.all.filter { $0.kind == .consumable && $0 != cart.product }
            bought.product = random.pick(others)
            trace(
                .wrongProduct, at: instant, order: cart.order,
                transaction: life.transactions.count)
        }
        if strikes(.wrongQuantity) {
            bought.quantity = cart.quantity == 1 ? 2 : 1
            trace(
                .wrongQuantity, at: instant, order: cart.order,
                transaction: life.transactions.count)
        }
        return bought
    }

    /// The client tells and proves, the server delivers, the client finishes.
    mutating func settle(_ index: Int, of cart: Cart, username: String?, at instant: Int64) {
        let proof = proof(of: index, on: cart.installation, at: instant - 500)
        callback(
            index, by: cart.account, on: cart.installation, username: username, proof: proof,
            at: instant)
        let isUnreadable = proof?.flaw == .truncated && random.percent(60)
        guard !isUnreadable else { return }
        let verified = instant + 3_000
        if let order = cart.order, life.app.linksPayments { link(index, to: order, at: verified) }
        let served = fulfil(index, for: cart.order, to: cart.account, at: verified + 500)
        finish(
            index, by: cart.account, on: cart.installation, username: username,
            acknowledged: true, at: served + 3_000)
    }

    /// What may come after a purchase.
    mutating func enjoy(_ index: Int, of cart: Cart, at instant: Int64) {
        replay(index, at: instant)
        askForRefund(index, at: instant)
        switch life.transactions[index].product.kind {
        case .consumable, .nonRenewing: break
        case .nonConsumable:
            restore(index, of: cart, at: instant)
            share(index, of: cart, at: instant)
        case .autoRenewable: share(index, of: cart, at: instant)
        }
    }
}

extension World.Life {
    /// The subscription period of an Apple account that runs at an instant.
    func subscription(of appleAccount: Int, at instant: Int64) -> World.Transaction? {
        transactions.last {
            $0.appleAccount == appleAccount && $0.product.kind == .autoRenewable && $0.isCharge
                && $0.purchaseDate <= instant && instant < $0.expiresDate ?? 0
                && $0.upgradedAt == nil && $0.revocation.map { instant < $0.date } ?? true
        }
    }
}
