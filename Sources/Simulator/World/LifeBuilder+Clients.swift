/// Clients that lose what was paid: the pitfalls.
extension LifeBuilder {
    /// Whether a fault of the client takes the visit over.
    mutating func leadsAstray(_ cart: Cart, at instant: Int64) -> Bool {
        if strikes(.noObserver) {
            floodLater(cart, at: instant)
        } else if strikes(.lostOrderNumber) {
            loseNumber(cart, at: instant)
        } else if strikes(.unfinishedBlocks) {
            blockNext(cart, at: instant)
        } else if ordersLeft > 0, strikes(.blindFinish) {
            sendForAnother(cart, at: instant)
        } else {
            return false
        }
        return true
    }

    /// P1: finished first; the proof comes late, or never but by Apple.
    mutating func finishBlindly(_ index: Int, of cart: Cart, at instant: Int64) {
        trace(.finishBeforeVerify, at: instant, order: cart.order, transaction: index)
        let username = username(of: cart)
        let proof =
            random.percent(50)
            ? proof(of: index, on: cart.installation, at: instant + 1_000) : nil
        callback(
            index, by: cart.account, on: cart.installation, username: username, proof: nil,
            at: instant + 3_000)
        finish(
            index, by: cart.account, on: cart.installation, username: username,
            acknowledged: random.pick([false, nil, true]), at: instant + 7_000)
        if let proof {
            let late = after(instant, Span.minute...Span.hour)
            callback(
                index, by: cart.account, on: cart.installation, username: username, proof: proof,
                at: late)
        }
        // A server that listens to Apple can still deliver.
        guard random.percent(45) else { return }
        fulfil(index, for: cart.order, to: cart.account, at: instant + 20 * Span.second)
    }

    /// P2: nothing is heard while the customer pays, once or again and again; at the next start of
    /// an app that listens everything comes at once.
    private mutating func floodLater(_ cart: Cart, at instant: Int64) {
        let tries = random.percent(50) ? 1 : random.number(2...5)
        var paid: [Int] = []
        var moment = instant
        for _ in 0..<tries {
            moment = after(moment, 20 * Span.second...3 * Span.minute)
            if let index = pay(cart, at: moment) { paid.append(index) }
        }
        guard let first = paid.first else { return }
        trace(.noObserver, at: instant, order: cart.order, transaction: first)
        let opened = after(moment, Span.hour...2 * Span.day)
        guard random.percent(80), happens(opened) else { return }
        let ids = paid.map { life.transactions[$0].id }
        report(
            "storekit.observer-started", by: cart.account, on: cart.installation, at: opened,
            order: cart.order, transaction: first
        ) { $0.queue = ids }
        flood(paid, of: cart, at: opened)
    }

    private mutating func flood(_ paid: [Int], of cart: Cart, at instant: Int64) {
        let keepsNumber = random.percent(40)
        let proofs = paid.map { proof(of: $0, on: cart.installation, at: instant) }
        var moment = instant + 500
        for _ in 0..<random.number(4...8) {
            for (place, index) in paid.enumerated() {
                moment += 120
                callback(
                    index, by: cart.account, on: cart.installation,
                    username: keepsNumber ? username(of: cart) : lostUsername(),
                    proof: proofs[place], at: moment)
            }
        }
        // Some servers take several payments of one product for one.
        let served = random.percent(60) ? paid : Array(paid.prefix(1))
        for index in served {
            moment += 6_000
            let done = fulfil(index, for: cart.order, to: cart.account, at: moment)
            finish(
                index, by: cart.account, on: cart.installation, username: nil,
                acknowledged: true, at: done + 2_000)
        }
    }

    /// P3: the app is killed before it can tell; if it comes back, then on another installation,
    /// perhaps another phone and another account, and nobody knows the order's number.
    private mutating func loseNumber(_ cart: Cart, at instant: Int64) {
        attempt(cart, at: instant + 3_000)
        let paid = after(instant, 12 * Span.second...Span.minute)
        // An app that passed a UUID loses nothing; many pass none.
        let isKept = random.percent(40)
        guard let index = pay(cart, at: paid, token: .some(isKept ? token(of: cart) : nil)) else {
            return
        }
        trace(.lostOrderNumber, at: paid, order: cart.order, transaction: index)
        let found = after(paid, 10 * Span.minute...2 * Span.day)
        guard random.percent(60), happens(found) else { return }
        let device = life.installations[cart.installation].device
        let other = random.percent(50) ? otherDevice(than: cart.installation) : nil
        let installation = addInstallation(on: other ?? device)
        let isSameAccount = random.percent(70)
        let account = isSameAccount ? cart.account : Int(random.below(Int64(life.accounts.count)))
        let username =
            life.app.numbering == .account ? life.accounts[account].id : lostUsername()
        let proof = proof(of: index, on: installation, at: found)
        callback(
            index, by: account, on: installation, username: username, proof: proof, at: found)
        guard random.percent(50) else { return }
        let served = fulfil(index, for: nil, to: account, at: found + 3_000)
        finish(
            index, by: account, on: installation, username: username, acknowledged: true,
            at: served + 3_000)
    }

    /// P4: what was delivered is not finished, so the next purchase of the product fails.
    private mutating func blockNext(_ cart: Cart, at instant: Int64) {
        attempt(cart, at: instant + 3_000)
        let paid = after(instant, 12 * Span.second...Span.minute)
        guard let index = pay(cart, at: paid) else { return }
        callback(
            index, by: cart.account, on: cart.installation, username: username(of: cart),
            proof: proof(of: index, on: cart.installation, at: paid + 2_000), at: paid + 3_000)
        fulfil(index, for: cart.order, to: cart.account, at: paid + 7_000)
        let again = after(paid, 5 * Span.minute...30 * Span.minute)
        guard happens(again) else { return }
        trace(.unfinishedBlocks, at: again, order: cart.order, transaction: index)
        var next = cart
        if ordersLeft > 0 {
            next.order = order(
                cart.product, quantity: cart.quantity, by: cart.account, at: again)
        }
        attempt(next, at: again + 3_000)
        attempt(next, "storekit.failed", at: again + 9_000, errorCode: 0)
        guard random.percent(50) else { return }
        finish(
            index, by: cart.account, on: cart.installation, username: nil, acknowledged: true,
            at: after(again, Span.hour...Span.day))
    }

    /// P4, the usual cure: the app finishes whatever blocks and sends its proof for the next order.
    private mutating func sendForAnother(_ cart: Cart, at instant: Int64) {
        attempt(cart, at: instant + 3_000)
        let paid = after(instant, 12 * Span.second...Span.minute)
        guard let index = pay(cart, at: paid) else { return }
        if random.percent(50) {
            callback(
                index, by: cart.account, on: cart.installation, username: username(of: cart),
                proof: nil, at: paid + 3_000)
        }
        let again = after(paid, 5 * Span.minute...30 * Span.minute)
        guard happens(again) else { return }
        var next = cart
        next.order = order(cart.product, quantity: cart.quantity, by: cart.account, at: again)
        trace(.blindFinish, at: again, order: next.order, transaction: index)
        attempt(next, at: again + 3_000)
        finish(
            index, by: cart.account, on: cart.installation, username: nil, acknowledged: false,
            at: again + 6_000)
        callback(
            index, by: cart.account, on: cart.installation, username: username(of: next),
            proof: proof(of: index, on: cart.installation, at: again + 6_500), at: again + 9_500)
        guard random.percent(50) else { return }
        fulfil(index, for: next.order, to: cart.account, at: again + 13_000)
    }

    /// The sheet says "cancelled" (code 2), and Apple charges all the same.
    mutating func payDespiteCancelling(_ cart: Cart, at instant: Int64) {
        attempt(cart, at: instant + 3_000)
        let paid = after(instant, 12 * Span.second...Span.minute)
        let isKept = random.percent(30)
        guard let index = pay(cart, at: paid, token: .some(isKept ? token(of: cart) : nil)) else {
            return
        }
        trace(.cancelledThoughCharged, at: paid, order: cart.order, transaction: index)
        attempt(cart, "storekit.failed", at: paid + 2_000, errorCode: 2)
        if random.percent(30) {
            // Tries again under the same order, and pays again.
            let again = after(paid, Span.minute...10 * Span.minute)
            attempt(cart, at: again)
            if cart.product.kind == .consumable, let second = pay(cart, at: again + 20_000) {
                settle(second, of: cart, username: username(of: cart), at: again + 24_000)
            }
        }
        guard random.percent(35) else { return }
        let opened = after(paid, Span.hour...Span.day)
        guard happens(opened) else { return }
        settle(index, of: cart, username: lostUsername(), at: opened)
    }
}
