/// Children who ask their parents, and proofs that prove something else.
extension LifeBuilder {
    // MARK: Ask to Buy

    /// Whether the purchase needs a parent's word.
    mutating func asksParents(_ cart: Cart, at instant: Int64) -> Bool {
        let outcomes: [World.Fault] = [.askToBuyApproved, .askToBuyDeclined, .askToBuyUnanswered]
        guard let outcome = outcomes.first(where: { strikes($0) }) else { return false }
        attempt(cart, at: instant + 3_000)
        attempt(cart, "storekit.deferred", at: instant + 8_000)
        trace(outcome, at: instant, order: cart.order, transaction: nil)
        grievances.append(
            Grievance(.waitsForParent, by: cart.account, order: cart.order, at: instant + 8_000))
        let answered = after(instant, Span.hour...40 * Span.hour)
        if random.percent(40), let order = cart.order { cancel(order, at: instant + Span.hour) }
        guard outcome == .askToBuyApproved, let index = pay(cart, at: answered) else { return true }
        // The app hears of it when it runs, and has often forgotten why.
        let opened = after(answered, 5 * Span.second...10 * Span.hour)
        let username = random.percent(60) ? username(of: cart) : lostUsername()
        settle(index, of: cart, username: username, at: opened)
        enjoy(index, of: cart, at: opened)
        return true
    }

    // MARK: False proofs

    /// Whether a proof that pays nothing stands in for a payment.
    mutating func offersFalseProof(_ cart: Cart, at instant: Int64) -> Bool {
        if strikes(.evidenceSandbox) {
            offerSandbox(cart, at: instant)
        } else if strikes(.evidenceForged) {
            trace(.evidenceForged, at: instant, order: cart.order)
            offerMadeUp(cart, flaw: .forged, at: instant)
        } else if strikes(.evidenceResigned) {
            trace(.evidenceResigned, at: instant, order: cart.order)
            offerMadeUp(cart, flaw: .resigned, at: instant)
        } else {
            return false
        }
        return true
    }

    /// A tester's build: Apple signed, nobody paid.
    private mutating func offerSandbox(_ cart: Cart, at instant: Int64) {
        attempt(cart, at: instant + 3_000)
        let paid = after(instant, 12 * Span.second...Span.minute)
        guard happens(paid) else { return }
        var transaction = newTransaction(
            cart.product, appleAccount: life.accounts[cart.account].appleAccount,
            price: storefront(of: cart.account).price(of: cart.product, quantity: cart.quantity),
            at: paid, owner: cart.account, isSandbox: true)
        transaction.quantity = cart.quantity
        transaction.token = token(of: cart)
        transaction.order = cart.order
        life.transactions.append(transaction)
        let index = life.transactions.count - 1
        trace(.evidenceSandbox, at: paid, order: cart.order, transaction: index)
        callback(
            index, by: cart.account, on: cart.installation, username: username(of: cart),
            proof: World.Evidence(form: .transaction, transaction: index, signedDate: paid + 1_000),
            at: paid + 3_000)
        grievances.append(
            Grievance(.sandbox, by: cart.account, order: cart.order, transaction: index, at: paid))
        // Some then buy in earnest, under the same order.
        if cart.product.kind == .consumable, random.percent(20) {
            buy(cart, at: after(paid, 5 * Span.minute...Span.day))
        }
    }

    /// Material that Apple never signed so.
    private mutating func offerMadeUp(
        _ cart: Cart, flaw: World.Evidence.Flaw, at instant: Int64
    ) {
        attempt(cart, at: instant + 3_000)
        let offered = after(instant, 12 * Span.second...Span.minute)
        let evidence = madeUp(cart, flaw: flaw, at: offered)
        let date = offered + device(of: cart.installation).clockError
        let username = username(of: cart)
        report(
            "storekit.purchased", by: cart.account, on: cart.installation, at: offered,
            order: cart.order
        ) {
            $0.username = username
            $0.product = cart.product
            $0.quantity = cart.quantity
            $0.transactionId = evidence.pretence?.transactionId
            $0.originalTransactionId = evidence.pretence?.transactionId
            $0.transactionDate = date
            $0.evidence = evidence
        }
        grievances.append(
            Grievance(.forged, by: cart.account, order: cart.order, evidence: evidence, at: offered)
        )
    }

    /// A payment that never was, under an id that Apple never gives: its ids have 15 digits.
    mutating func madeUp(
        _ cart: Cart, flaw: World.Evidence.Flaw, at instant: Int64
    ) -> World.Evidence {
        let storefront = storefront(of: cart.account)
        let pretence = World.Pretence(
            transactionId: "9\(random.number(100_000_000_000_000...999_999_999_999_999))",
            product: cart.product,
            price: storefront.price(of: cart.product, quantity: cart.quantity),
            storefront: storefront, token: token(of: cart), purchaseDate: instant / 1000 * 1000)
        return World.Evidence(
            form: .transaction, transaction: nil, signedDate: instant, flaw: flaw,
            pretence: pretence)
    }

    /// The friend sends the buyer's genuine proof for an order of their own, or for none.
    mutating func replay(_ index: Int, at instant: Int64) {
        guard life.transactions[index].product.kind == .consumable, strikes(.receiptReplayed)
        else { return }
        let later = after(instant, Span.hour...Span.day)
        guard happens(later) else { return }
        trace(
            .receiptReplayed, at: later, order: life.transactions[index].order, transaction: index)
        let bought = life.transactions[index]
        var cart = Cart(
            order: nil, account: friend, installation: installation(of: friend),
            product: bought.product, quantity: bought.quantity)
        if ordersLeft > 0 {
            cart.order = order(bought.product, quantity: bought.quantity, by: friend, at: later)
            attempt(cart, at: later + 3_000)
        }
        let username = username(of: cart)
        let date = bought.purchaseDate
        report(
            "storekit.purchased", by: friend, on: cart.installation, at: later + 9_000,
            order: cart.order, transaction: index
        ) {
            $0.username = username
            $0.product = bought.product
            $0.quantity = bought.quantity
            $0.transactionId = bought.id
            $0.originalTransactionId = bought.originalId
            $0.transactionDate = date
            $0.evidence = World.Evidence(
                form: .transaction, transaction: index, signedDate: date + 2_000)
        }
        grievances.append(
            Grievance(
                .replayed, by: friend, order: cart.order, transaction: index, at: later + 9_000))
    }
}
