/// Keeping the record of what passed the service's door.
extension Knowledge {
    mutating func take(_ arrival: World.Arrival) {
        let stamp = ArrivalStamp(arrival)
        switch arrival.content {
        case .settings, .consented: break
        case .registered(let account): change(account: account) { $0.registered = stamp }
        case .orderCreated(let order): platform(order, stamp) { $0.created = stamp }
        case .orderCancelled(let order): platform(order, stamp) { $0.cancelled = stamp }
        case .paymentLinked(let order, let transaction):
            let number = number(of: order)
            let id = life.transactions[transaction].id
            platform(order, stamp) { $0.transactions.insert(id) }
            change(transaction: id) { $0.platformNames.tell(number, stamp) }
        case .device(let report):
            device(arrival.type, report, stamp)
        case .notification(let index): notification(index, stamp)
        case .delivery(let index): delivery(arrival.type, index, stamp)
        case .goodwill(let index): deliveries[index, default: KnownDelivery()].isGoodwill = true
        case .claimOpened(let claim): claims.append(claim)
        case .claimEvidence(let claim):
            claimEvidence(claim, stamp)
        }
    }

    // MARK: Entities

    /// The number of an order as it is compared.
    func number(of order: Int) -> String { life.orders[order].token ?? life.orders[order].number }

    mutating func change(
        order number: String, at stamp: ArrivalStamp, _ tell: (inout KnownOrder) -> Void
    ) {
        var known = orders[number] ?? KnownOrder()
        tell(&known)
        known.firstSeen = min(known.firstSeen, stamp.receivedAt)
        known.lastSeen = max(known.lastSeen, stamp.receivedAt)
        orders[number] = known
    }

    mutating func change(transaction id: String, _ tell: (inout KnownTransaction) -> Void) {
        tell(&transactions[id, default: KnownTransaction(index: indices[id])])
    }

    mutating func change(account: Int, _ tell: (inout KnownAccount) -> Void) {
        tell(&accounts[life.accounts[account].id, default: KnownAccount()])
    }

    // MARK: The platform and its delivery server

    private mutating func platform(
        _ order: Int, _ stamp: ArrivalStamp, _ tell: (inout KnownOrder) -> Void
    ) {
        let number = number(of: order)
        let account = life.orders[order].account
        let name = life.accounts[account].id
        change(order: number, at: stamp) {
            $0.platformAccounts.tell(name, stamp)
            tell(&$0)
        }
        change(account: account) { $0.orders.insert(number) }
    }

    private mutating func delivery(_ type: String, _ index: Int, _ stamp: ArrivalStamp) {
        let told = life.deliveries[index]
        var known = deliveries[index] ?? KnownDelivery()
        switch type {
        case "delivery.requested": known.requested = stamp
        case "delivery.succeeded": known.succeeded = stamp
        case "delivery.failed": known.failed = stamp
        default: known.reversed = stamp
        }
        if told.grant == "goodwill" { known.isGoodwill = true }
        deliveries[index] = known
        if let order = told.order {
            change(order: number(of: order), at: stamp) { $0.deliveries.insert(index) }
        }
        if let transaction = told.transaction {
            change(transaction: life.transactions[transaction].id) {
                $0.deliveries.insert(index)
            }
        }
        change(account: told.account) { $0.deliveries.insert(index) }
    }

    // MARK: Apple

    private mutating func notification(_ index: Int, _ stamp: ArrivalStamp) {
        let told = life.notifications[index]
        guard let transaction = told.transaction else { return }
        prove(transaction, as: told.signedDate, stamp)
        guard let state = told.renewal else { return }
        let original = life.transactions[transaction].originalId
        if let known = renewals[original], known.signedDate >= told.signedDate { return }
        renewals[original] = (told.signedDate, state)
    }

    /// A good signature over a transaction, as of an instant. Who sends a receipt is the sender of
    /// the purchase that the client names with it, and of no other that it lists.
    private mutating func prove(
        _ index: Int, as signedDate: Int64, isReceipt: Bool = false, _ stamp: ArrivalStamp,
        sender: Int? = nil, named: String? = nil
    ) {
        let id = life.transactions[index].id
        let account = sender.map { life.accounts[$0].id }
        change(transaction: id) { known in
            if isReceipt {
                known.receiptDate = max(known.receiptDate ?? .min, signedDate)
            } else {
                known.signedDate = max(known.signedDate ?? .min, signedDate)
            }
            known.verified = min(known.verified ?? stamp, stamp)
            if let account, !isReceipt || id == named { known.senders.tell(account, stamp) }
            if let account, isReceipt { known.bearers.insert(account) }
        }
        if let sender { change(account: sender) { $0.transactions.insert(id) } }
    }

    // MARK: Devices

    private mutating func device(
        _ type: String, _ report: World.DeviceReport, _ stamp: ArrivalStamp
    ) {
        guard let state = state(of: type, report) else { return }
        let name = Self.name(report.username)
        let attempt = KnownAttempt(
            state: state, installation: report.installation, sequence: report.sequence,
            stamp: stamp, product: report.product?.id(in: life.app))
        let ids = named(by: report)
        if let name { underName(name, attempt, report, ids) }
        for id in ids { underTransaction(id, attempt, report, name) }
        change(account: report.account) { $0.transactions.formUnion(ids) }
        offer(report.evidence, under: name, account: report.account, stamp)
        if let evidence = report.evidence {
            prove(evidence, stamp, sender: report.account, named: report.transactionId)
        }
    }

    private func state(of type: String, _ report: World.DeviceReport) -> KnownAttempt.State? {
        switch type {
        case "storekit.purchasing": .purchasing
        case "storekit.deferred": .deferred
        case "storekit.failed": report.errorCode == 2 ? .cancelled : .failed
        case "storekit.purchased": .purchased
        case "storekit.restored": .restored
        case "storekit.finished": .finished
        // The queue's length, products asked for, and whatever a future client tells.
        default: nil
        }
    }

    /// The transactions that a client names: in plain, and in a signed transaction that can be
    /// read.
    private func named(by report: World.DeviceReport) -> Set<String> {
        var ids = Set([report.transactionId].compactMap { $0 })
        guard let evidence = report.evidence, evidence.form == .transaction else { return ids }
        if let id = judged(evidence).transactionId {
            ids.insert(id)
        }
        return ids
    }

    private mutating func underName(
        _ name: String, _ attempt: KnownAttempt, _ report: World.DeviceReport, _ ids: Set<String>
    ) {
        guard !namesAreAccounts else {
            accounts[name, default: KnownAccount()].attempts.append(attempt)
            accounts[name]?.transactions.formUnion(ids)
            return
        }
        let account = life.accounts[report.account].id
        change(order: name, at: attempt.stamp) { order in
            order.attempts.append(attempt)
            if let product = attempt.product { order.products.insert(product) }
            order.transactions.formUnion(ids)
            order.deviceAccounts.tell(account, attempt.stamp)
        }
        change(account: report.account) { $0.orders.insert(name) }
    }

    private mutating func underTransaction(
        _ id: String, _ attempt: KnownAttempt, _ report: World.DeviceReport, _ name: String?
    ) {
        let account = life.accounts[report.account].id
        let isAccount = namesAreAccounts
        change(transaction: id) { known in
            known.reporters.insert(account)
            known.installations.insert(report.installation)
            if let original = report.originalTransactionId, original != id {
                known.originals.tell(original, attempt.stamp)
            }
            switch attempt.state {
            case .purchased, .finished: known.isReported = true
            case .purchasing, .deferred, .cancelled, .failed, .restored: break
            }
            guard let name else { return }
            if isAccount {
                known.usernames.tell(name, attempt.stamp)
            } else {
                known.deviceNames.tell(name, attempt.stamp)
            }
        }
    }

    // MARK: Proofs

    private mutating func claimEvidence(_ index: Int, _ stamp: ArrivalStamp) {
        let claim = life.claims[index]
        guard let evidence = claim.evidence else { return }
        // An upload names its claim and the account, no order.
        offer(evidence, under: nil, account: claim.account, stamp)
        prove(evidence, stamp, sender: nil)
    }

    /// What good material proves.
    private mutating func prove(
        _ evidence: World.Evidence, _ stamp: ArrivalStamp, sender: Int?, named: String? = nil
    ) {
        guard evidence.flaw == nil, let index = evidence.transaction else { return }
        switch evidence.form {
        case .transaction: prove(index, as: evidence.signedDate, stamp, sender: sender)
        case .receipt:
            for entry in [index] + evidence.others {
                prove(
                    entry, as: evidence.signedDate, isReceipt: true, stamp, sender: sender,
                    named: named)
            }
        }
    }

    /// Keeps a proof under the name that it was offered with, else under the account.
    private mutating func offer(
        _ evidence: World.Evidence?, under name: String?, account: Int, _ stamp: ArrivalStamp
    ) {
        guard let evidence else { return }
        let offer = judged(evidence)
        switch name {
        case let name? where namesAreAccounts:
            accounts[name, default: KnownAccount()].offers.append(offer)
        case let name?: change(order: name, at: stamp) { $0.offers.append(offer) }
        case nil: change(account: account) { $0.offers.append(offer) }
        }
    }

    private func judged(_ evidence: World.Evidence) -> KnownOffer {
        let id =
            evidence.pretence?.transactionId
            ?? evidence.transaction.map { life.transactions[$0].id }
        return switch evidence.flaw {
        case .forged, .resigned: KnownOffer(judgement: .forgery, transactionId: id)
        case .truncated: KnownOffer(judgement: .unreadable, transactionId: nil)
        case nil: KnownOffer(judgement: .verified, transactionId: id)
        }
    }

    /// What clients send when there is no order number (domain, section 1).
    private static let placeholders: Set<String> = [
        "", "nil", "(nil)", "null", "(null)", "<null>", "undefined", "None", "苹果返回透传参数为nil",
    ]

    /// The number that was told, as it is compared; `nil` for a placeholder.
    static func name(_ told: String?) -> String? {
        guard let told else { return nil }
        let trimmed = String(told.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        if placeholders.contains(trimmed) { return nil }
        return isUUID(told) ? told.lowercased() : told
    }

    private static func isUUID(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12]
            && groups.allSatisfy { $0.allSatisfy { $0.isHexDigit && $0.isASCII } }
    }
}
