/// What clients send, and what the way to the server does to it.
extension LifeBuilder {
    /// Something that the client calls the server for.
    mutating func report(
        _ type: String, by account: Int, on installation: Int, at instant: Int64,
        order: Int? = nil, transaction: Int? = nil,
        _ fill: (inout World.DeviceReport) -> Void
    ) {
        guard happens(instant) else { return }
        sequences[installation] += 1
        var report = World.DeviceReport(
            account: account, installation: installation, sequence: sequences[installation])
        report.isOfTheFuture = life.installations[installation].isOfTheFuture
        fill(&report)
        let id = "\(life.installations[installation].id)/\(report.sequence)"
        let time = instant + device(of: installation).clockError
        if abs(device(of: installation).clockError) > 300 * Span.day {
            trace(.wrongClock, at: instant, order: order, transaction: transaction, event: id)
        }
        if report.isOfTheFuture {
            trace(.futureVocabulary, at: instant, order: order, transaction: transaction, event: id)
        }
        for receivedAt in arrivals(of: id, sentAt: instant, order, transaction) {
            arrive(
                type, from: "device", id: id, at: receivedAt, time: time, order: order,
                transaction: transaction, .device(report))
        }
    }

    /// When an event gets through: once, never, late or twice.
    private mutating func arrivals(
        of event: String, sentAt instant: Int64, _ order: Int?, _ transaction: Int?
    ) -> [Int64] {
        if strikes(.eventLost) {
            trace(.eventLost, at: instant, order: order, transaction: transaction, event: event)
            return []
        }
        var arrival = after(instant, 80...2_500)
        if strikes(.eventDelayed) {
            trace(.eventDelayed, at: instant, order: order, transaction: transaction, event: event)
            arrival = after(arrival, Span.day...9 * Span.day)
        } else if strikes(.eventReordered) {
            trace(.eventReordered, at: instant, order: order, transaction: transaction, event: event)
            arrival = after(arrival, Span.minute...5 * Span.minute)
        }
        guard strikes(.eventDuplicated) else { return [arrival] }
        trace(.eventDuplicated, at: instant, order: order, transaction: transaction, event: event)
        return [arrival, after(arrival, Span.second...2 * Span.minute)]
    }

    // MARK: StoreKit's callbacks

    /// `storekit.purchasing`, `.deferred` or `.failed`: the customer tries to buy.
    mutating func attempt(
        _ cart: Cart, _ type: String = "storekit.purchasing", at instant: Int64,
        errorCode: Int64? = nil
    ) {
        let username = username(of: cart)
        if life.installations[cart.installation].isOfTheFuture {
            report(
                "storekit.sheet-presented", by: cart.account, on: cart.installation,
                at: instant - 900, order: cart.order
            ) { $0.product = cart.product }
        }
        report(
            type, by: cart.account, on: cart.installation, at: instant, order: cart.order
        ) {
            $0.username = username
            $0.product = cart.product
            $0.quantity = cart.quantity
            $0.errorCode = errorCode
        }
    }

    /// What the app puts into `applicationUsername` while it still knows the order.
    func username(of cart: Cart) -> String? {
        switch life.app.numbering {
        case .uuid, .plain: cart.order.map { life.orders[$0].number }
        case .account: life.accounts[cart.account].id
        }
    }

    /// What arrives in `applicationUsername` when it was lost.
    mutating func lostUsername() -> String? {
        guard random.percent(50) else { return nil }
        return random.pick([
            "", " ", "nil", "(nil)", "null", "(null)", "<null>", "undefined", "None",
            "苹果返回透传参数为nil",
        ])
    }

    /// `storekit.purchased` (or `.restored`) of a transaction, with a proof unless the app has none.
    mutating func callback(
        _ index: Int, _ type: String = "storekit.purchased", by account: Int, on installation: Int,
        username: String?, proof: World.Evidence?, at instant: Int64
    ) {
        let transaction = life.transactions[index]
        let date = transaction.purchaseDate + device(of: installation).clockError
        report(
            type, by: account, on: installation, at: instant, order: transaction.order,
            transaction: index
        ) {
            $0.username = username
            $0.product = transaction.product
            $0.quantity = transaction.quantity
            $0.transactionId = transaction.id
            $0.originalTransactionId = transaction.originalId
            $0.transactionDate = date
            $0.evidence = proof
        }
    }

    /// `storekit.finished`.
    mutating func finish(
        _ index: Int, by account: Int, on installation: Int, username: String?,
        acknowledged: Bool?, at instant: Int64
    ) {
        let transaction = life.transactions[index]
        report(
            "storekit.finished", by: account, on: installation, at: instant,
            order: transaction.order, transaction: index
        ) {
            $0.username = username
            $0.product = transaction.product
            $0.transactionId = transaction.id
            $0.acknowledgedByServer = acknowledged
        }
    }

    /// The proof that a client has of a transaction: StoreKit 2 the signed transaction; StoreKit 1
    /// the app's receipt, which many clients do not send.
    mutating func proof(
        of index: Int, on installation: Int, at instant: Int64
    ) -> World.Evidence? {
        let isReceipt = device(of: installation).storeKit == 1
        if isReceipt, random.percent(50) { return nil }
        var evidence = World.Evidence(
            form: isReceipt ? .receipt : .transaction, transaction: index,
            signedDate: isReceipt ? instant / 1000 * 1000 : instant)
        if isReceipt { evidence.others = receiptEntries(beside: index, at: instant) }
        if strikes(.evidenceTruncated) {
            evidence.flaw = .truncated
            trace(
                .evidenceTruncated, at: instant, order: life.transactions[index].order,
                transaction: index)
        }
        return evidence
    }

    /// What else a receipt lists: all that the Apple account bought but consumables, at most 20.
    private func receiptEntries(beside index: Int, at instant: Int64) -> [Int] {
        let mine = life.transactions[index]
        let others = life.transactions.indices.filter { other in
            let transaction = life.transactions[other]
            return other != index && transaction.appleAccount == mine.appleAccount
                && transaction.environment == mine.environment
                && transaction.product.kind != .consumable && transaction.purchaseDate <= instant
        }
        return Array(others.suffix(20))
    }
}
