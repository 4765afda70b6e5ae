/// What comes after a purchase: refunds, restores, families, purchases outside the app.
extension LifeBuilder {
    // MARK: Refunds

    /// A few ask Apple for their money; Apple may ask the platform first, and may refuse.
    mutating func askForRefund(_ index: Int, at instant: Int64) {
        guard random.percent(7) else { return }
        let asked = after(instant, Span.hour...5 * Span.day)
        if random.percent(50) {
            notify(
                Announcement(
                    "CONSUMPTION_REQUEST", index,
                    consumptionReason: random.pick([
                        "UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE",
                        "OTHER",
                    ])), at: asked)
        }
        let decided = after(asked, 13 * Span.hour...2 * Span.day)
        if random.percent(20) {
            notify(Announcement("REFUND_DECLINED", index), at: decided)
        } else {
            refund(index, at: decided)
        }
    }

    private mutating func refund(_ index: Int, at instant: Int64) {
        guard happens(instant) else { return }
        let isPart = random.percent(25)
        life.transactions[index].revocation = World.Revocation(
            kind: isPart ? .prorated : .full, date: instant / 1000 * 1000,
            reason: random.number(0...1), percentage: isPart ? random.number(5...90) * 1_000 : nil,
            tellsType: isPart || random.percent(60))
        let status: Int64? = life.transactions[index].product.kind == .autoRenewable ? 5 : nil
        if let notice = notify(Announcement("REFUND", index, status: status), at: instant + 2_000) {
            overtake(index, refundToldAt: firstAttempts[notice] ?? instant)
        }
        let isTakenBack = !isPart && random.percent(70)
        if isTakenBack { takeBack(index, at: after(instant, Span.minute...Span.hour)) }
        guard random.percent(20) else { return }
        let reversed = after(instant, Span.day...4 * Span.day)
        guard happens(reversed) else { return }
        life.transactions[index].revocation?.reversedAt = reversed
        notify(Announcement("REFUND_REVERSED", index), at: reversed + 2_000)
        guard isTakenBack, random.percent(50) else { return }
        let transaction = life.transactions[index]
        guard transaction.product.kind != .autoRenewable else { return }
        let parcel = Parcel(
            index, transaction.order, transaction.owner, transaction.product, transaction.quantity)
        deliver(parcel, at: after(reversed, Span.minute...Span.hour))
    }

    private mutating func takeBack(_ index: Int, at instant: Int64) {
        for delivery in life.deliveries.indices {
            let told = life.deliveries[delivery]
            guard told.transaction == index, let done = told.succeededAt, done < instant else {
                continue
            }
            reverse(delivery, at: instant)
        }
    }

    /// The notification of the purchase may wait until the refund was told.
    private mutating func overtake(_ index: Int, refundToldAt instant: Int64) {
        let purchase = life.notifications.firstIndex { notification in
            notification.transaction == index
                && ["ONE_TIME_CHARGE", "SUBSCRIBED", "DID_RENEW"].contains(notification.type)
        }
        guard let purchase, firstAttempts[purchase] != nil, strikes(.notificationAfterRefund)
        else { return }
        firstAttempts[purchase] = after(instant, Span.minute...2 * Span.hour)
        trace(
            .notificationAfterRefund, at: instant, order: life.transactions[index].order,
            transaction: index, event: "notification/\(life.notifications[purchase].uuid)")
    }

    // MARK: Other phones, other people

    /// The same purchase on another phone or after a new installation, under another id.
    mutating func restore(_ index: Int, of cart: Cart, at instant: Int64) {
        guard random.percent(30), let device = otherDevice(than: cart.installation) else { return }
        let restored = after(instant, Span.hour...4 * Span.day)
        guard happens(restored) else { return }
        let bought = life.transactions[index]
        var copy = newTransaction(
            bought.product, appleAccount: bought.appleAccount, price: bought.price, at: restored,
            owner: bought.owner, originalId: bought.originalId)
        copy.originalPurchaseDate = bought.purchaseDate
        copy.isRestore = true
        copy.order = bought.order
        life.transactions.append(copy)
        let installation = addInstallation(on: device)
        let proof = proof(of: life.transactions.count - 1, on: installation, at: restored + 1_000)
        callback(
            life.transactions.count - 1, "storekit.restored", by: cart.account, on: installation,
            username: nil, proof: proof, at: restored + 2_000)
    }

    /// The family shares what its organiser bought, until it does not.
    mutating func share(_ index: Int, of cart: Cart, at instant: Int64) {
        let buyer = life.accounts[cart.account].appleAccount
        let member = life.accounts.indices.first { account in
            life.appleAccounts[life.accounts[account].appleAccount].organiser == buyer
        }
        guard let member, random.percent(60) else { return }
        let shared = after(instant, Span.hour...2 * Span.day)
        guard happens(shared) else { return }
        let bought = life.transactions[index]
        var access = newTransaction(
            bought.product, appleAccount: life.accounts[member].appleAccount, price: 0, at: shared,
            owner: member)
        access.isFamilyShared = true
        access.originalPurchaseDate = bought.purchaseDate
        access.expiresDate = bought.expiresDate
        life.transactions.append(access)
        let own = life.transactions.count - 1
        let phone = installation(of: member)
        let proof = proof(of: own, on: phone, at: shared + 1_000)
        callback(own, by: member, on: phone, username: nil, proof: proof, at: shared + 3_000)
        grievances.append(Grievance(.shared, by: member, transaction: own, at: shared))
        guard random.percent(30) else { return }
        let ended = after(shared, Span.day...6 * Span.day)
        guard happens(ended) else { return }
        life.transactions[own].revocation = World.Revocation(
            kind: .familyRevoke, date: ended / 1000 * 1000, reason: 0, tellsType: true)
        notify(Announcement("REVOKE", own), at: ended + 2_000)
    }

    // MARK: Outside the app

    /// A code, redeemed in the App Store.
    mutating func redeemOffer(by account: Int, at instant: Int64) {
        trace(.offerCode, at: instant, transaction: life.transactions.count)
        let offer = random.pick(["SPRING26", "CREATOR", "WELCOMEBACK"])
        buyOutside(by: account, at: instant) {
            $0.offerType = 3
            $0.offerIdentifier = offer
        }
    }

    /// A purchase on the app's page in the App Store.
    mutating func buyPromoted(by account: Int, at instant: Int64) {
        trace(.promotedPurchase, at: instant, transaction: life.transactions.count)
        buyOutside(by: account, at: instant) { _ in }
    }

    private mutating func buyOutside(
        by account: Int, at instant: Int64, _ change: (inout World.Transaction) -> Void
    ) {
        let product = random.pick(World.Product.all.filter { $0.kind == .consumable })
        let cart = Cart(
            order: nil, account: account, installation: installation(of: account),
            product: product, quantity: 1)
        guard let index = charge(cart, at: instant, change) else { return }
        notify(Announcement("ONE_TIME_CHARGE", index), at: instant + 1_000)
        guard random.percent(60) else { return }
        let opened = after(instant, Span.minute...Span.day)
        guard happens(opened) else { return }
        let username = life.app.numbering == .account ? life.accounts[account].id : lostUsername()
        let proof = proof(of: index, on: cart.installation, at: opened)
        callback(
            index, by: account, on: cart.installation, username: username, proof: proof,
            at: opened)
        guard random.percent(50) else { return }
        let served = fulfil(index, for: nil, to: account, at: opened + 3_000)
        finish(
            index, by: account, on: cart.installation, username: username, acknowledged: true,
            at: served + 3_000)
    }
}
