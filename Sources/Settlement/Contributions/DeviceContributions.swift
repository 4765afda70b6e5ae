internal import JSON

/// What a device tells: a client's word, except for the signed evidence it carries.
extension Contributions {
    mutating func storeKit() {
        let number = event.orderNumber("applicationUsername")
        let ids = namedTransactions
        if let number { deviceOrder(number, ids) }
        for id in ids { deviceTransaction(id, number) }
        deviceInstallation(ids)
        deviceAccount(number, ids)
        offer(under: number)
    }

    /// The transactions that the event names, in plain or in the evidence it carries.
    private var namedTransactions: [String] {
        var ids: [String] = []
        let named = [event.identifier("transactionId")]
        let carried = parts.filter { $0.kind == "transaction" && $0.isOuter }.map(\.transactionId)
        for case let id? in named + carried where !ids.contains(where: { sameBytes($0, id) }) {
            ids.append(id)
        }
        return ids
    }

    private var moments: Moments { Moments(stamp, sequence: event.sequence) }

    private var attempts: Attempts {
        var attempts = Attempts()
        switch event.type {
        case "storekit.purchasing": attempts.purchasing = moments
        case "storekit.purchased": attempts.purchased = moments
        case "storekit.restored": attempts.restored = moments
        case "storekit.deferred": attempts.deferred = moments
        case "storekit.finished": attempts.finished = moments
        default:
            if isCustomersChoice {
                attempts.cancelled = moments
            } else {
                attempts.failed = moments
            }
        }
        return attempts
    }

    /// Code 2 of `SKErrorDomain` is `paymentCancelled`; no other failure is the customer's choice.
    private var isCustomersChoice: Bool {
        event.identifier("errorDomain") == "SKErrorDomain" && event.data["errorCode"]?.int64 == 2
    }

    private mutating func deviceOrder(_ number: String, _ ids: [String]) {
        let told = now
        let attempts = attempts
        let product = event.identifier("productId")
        let installation = event.installation ?? ""
        let account = event.account
        order(number) { order in
            order.attempts.tell(installation, attempts)
            if let product { order.products.tell(product, told) }
            for id in ids { order.transactions.tell(id, told) }
            if let account {
                var mention = AccountMention()
                mention.device = told
                order.accounts.tell(account, mention)
            }
        }
    }

    private mutating func deviceTransaction(_ id: String, _ number: String?) {
        let told = now
        var report = TransactionReport()
        switch event.type {
        case "storekit.purchased": report.purchased = moments
        case "storekit.restored": report.restored = moments
        case "storekit.finished":
            report.finished = moments
            if event.data["acknowledgedByServer"]?.boolean == false { report.unacknowledged = told }
        default: break
        }
        let installation = event.installation ?? ""
        let product = event.identifier("productId")
        let original = event.identifier("originalTransactionId")
        transaction(id) { transaction in
            transaction.reports.tell(installation, report)
            if let product { transaction.products.tell(product, told) }
            if let original, !sameBytes(original, id) { transaction.originals.tell(original, told) }
            if let number {
                var mentions = Mentions()
                mentions.device = told
                transaction.names.tell(number, mentions)
            }
        }
    }

    private mutating func deviceInstallation(_ ids: [String]) {
        guard let name = event.installation else { return }
        let product = event.identifier("productId")
        var installed = InstalledTransaction()
        if let product { installed.product = FirstTold(product, stamp) }
        if event.type == "storekit.purchased" { installed.purchased = moments }
        if event.type == "storekit.finished" { installed.finished = moments }
        var callback = Callback()
        callback.at = now
        if let id = ids.first { callback.transactionId = FirstTold(id, stamp) }
        let isCallback = event.type == "storekit.purchased" || event.type == "storekit.restored"
        let eventName = isCallback ? stamp.name : ""
        installation(name) { installation in
            for id in ids { installation.transactions.tell(id, installed) }
            if isCallback, let product {
                installation.callbacks.tell(product, BoundedSet(eventName, callback))
            }
        }
    }

    private mutating func deviceAccount(_ number: String?, _ ids: [String]) {
        guard let id = event.account else { return }
        let told = now
        account(id) { account in
            if let number {
                var mention = AccountMention()
                mention.device = told
                account.orders.tell(number, mention)
            }
            for id in ids {
                var sent = SentTransaction()
                sent.reported = told
                account.transactions.tell(id, sent)
            }
        }
    }

    // MARK: Evidence offered under a name

    /// Evidence that a device or a claim offers: what it is and how it was judged, under the order
    /// number, or under the account when there is none.
    mutating func offer(under number: String?) {
        let outer = parts.filter { !$0.digest.isEmpty && $0.isOuter }
        guard !outer.isEmpty else { return }
        for part in outer {
            let offered = offeredEvidence(part)
            if let number {
                order(number) { $0.offered.merge(BoundedSet(part.digest, offered)) }
            } else if let account = event.account {
                self.account(account) { $0.offered.merge(BoundedSet(part.digest, offered)) }
            }
        }
    }

    private func offeredEvidence(_ part: SignedPart) -> OfferedEvidence {
        var judgement = Judgement()
        judgement.status = part.status
        judgement.reason = part.reason
        judgement.kind = part.kind
        judgement.bundle = part.bundle
        judgement.environment = part.environment
        judgement.transactionId = part.transactionId
        var offered = OfferedEvidence()
        offered.first = now
        offered.judgement = LastTold(judgement, stamp)
        return offered
    }
}
