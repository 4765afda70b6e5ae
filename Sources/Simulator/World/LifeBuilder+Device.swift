/// What a client sent, before it has a number and arrives.
struct SentReport {
    let at: Int64
    let type: String
    let order: Int?
    let transaction: Int?
    var report: World.DeviceReport
}

/// What clients send, and what the way to the server does to it.
extension LifeBuilder {
    /// Something that the client calls the server for.
    mutating func report(
        _ type: String, by account: Int, on installation: Int, at instant: Int64,
        order: Int? = nil, transaction: Int? = nil,
        _ fill: (inout World.DeviceReport) -> Void
    ) {
        guard happens(instant) else { return }
        var report = World.DeviceReport(account: account, installation: installation, sequence: 0)
        report.isOfTheFuture = life.installations[installation].isOfTheFuture
        fill(&report)
        sent.append(
            SentReport(
                at: instant, type: type, order: order, transaction: transaction, report: report))
    }

    /// Numbers what each installation sent, in the order of its own time, and lets it arrive.
    mutating func sendReports() {
        var sequences = Array(repeating: Int64(0), count: life.installations.count)
        var last = Array(repeating: Int64.min, count: life.installations.count)
        for index in sent.indices.sorted(by: { (sent[$0].at, $0) < (sent[$1].at, $1) }) {
            let installation = sent[index].report.installation
            sequences[installation] += 1
            sent[index].report.sequence = sequences[installation]
            // One after the other, unless something strikes.
            let arrival = max(after(sent[index].at, 80...2_500), last[installation] + 1)
            last[installation] = arrival
            send(sent[index], arriving: arrival)
        }
    }

    private mutating func send(_ sent: SentReport, arriving arrival: Int64) {
        let id = "\(life.installations[sent.report.installation].id)/\(sent.report.sequence)"
        let clockError = device(of: sent.report.installation).clockError
        if abs(clockError) > 300 * Span.day { trace(.wrongClock, sent, id) }
        if sent.report.isOfTheFuture { trace(.futureVocabulary, sent, id) }
        for receivedAt in arrivals(of: id, sent, arriving: arrival) {
            arrive(
                sent.type, from: "device", id: id, at: receivedAt, time: sent.at + clockError,
                order: sent.order, transaction: sent.transaction, .device(sent.report))
        }
    }

    /// When an event gets through: once, never, late or twice.
    private mutating func arrivals(
        of event: String, _ sent: SentReport, arriving arrival: Int64
    ) -> [Int64] {
        if strikes(.eventLost) {
            trace(.eventLost, sent, event)
            return []
        }
        var arrival = arrival
        if strikes(.eventDelayed) {
            trace(.eventDelayed, sent, event)
            arrival = after(arrival, Span.day...9 * Span.day)
        } else if strikes(.eventReordered) {
            trace(.eventReordered, sent, event)
            arrival = after(arrival, Span.minute...5 * Span.minute)
        }
        guard strikes(.eventDuplicated) else { return [arrival] }
        trace(.eventDuplicated, sent, event)
        return [arrival, after(arrival, Span.second...2 * Span.minute)]
    }

    private mutating func trace(_ fault: World.Fault, _ sent: SentReport, _ event: String) {
        trace(
            fault, at: sent.at, order: sent.order, transaction: sent.transaction, event: event)
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

    /// `storekit.purchased` (or `.restored`) of a transaction, with a proof if the app has one.
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
