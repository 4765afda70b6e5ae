internal import JSON

/// What signed evidence proves, whatever road it came by.
extension Contributions {
    mutating func evidence() {
        for part in parts {
            if let proven = part.transaction(in: event) {
                let notice = notice(around: part)
                proof(of: proven, part) { transaction, newest in
                    transaction.snapshots.tell(proven.snapshot.environment ?? "", newest)
                    transaction.tell(notice)
                }
            }
            for proven in part.receiptEntries(in: event) {
                // A receipt lists what an Apple account bought, on whatever accounts of ours: it
                // finds a charge and makes nobody its owner (domain, section 2).
                let isNamed = sameBytes(event.identifier("transactionId"), proven.key.id)
                proof(of: proven, part, isSender: isNamed) { transaction, newest in
                    transaction.entries.tell(proven.snapshot.environment ?? "", newest)
                }
            }
            if let renewal = part.renewal(in: event) {
                let newest = Newest(renewal.snapshot, digest: part.digest, stamp: stamp)
                subscription(renewal.key) { subscription in
                    subscription.renewals.tell(renewal.snapshot.environment ?? "", newest)
                }
            }
            if part.kind == "app-transaction", part.isVerified { customer(part) }
        }
        for line in event.unsignedLines { hint(line) }
    }

    private mutating func proof(
        of proven: Proven, _ part: SignedPart, isSender: Bool = true,
        _ speak: (inout TransactionFacts, Newest<TransactionSnapshot>) -> Void
    ) {
        let (key, snapshot) = (proven.key, proven.snapshot)
        let told = now
        let newest = Newest(snapshot, digest: part.digest, stamp: stamp)
        let sender = isFromDevice ? event.account : nil
        transaction(key) { transaction in
            speak(&transaction, newest)
            if let original = snapshot.originalTransactionId {
                transaction.roots.tell(original, told)
            }
            transaction.verified = told
            transaction.digests = BoundedSet(part.digest, told)
            if let token = snapshot.appAccountToken { transaction.tokens.tell(token, told) }
            if let sender, isSender { transaction.senders.tell(sender, told) }
        }
        if let token = snapshot.appAccountToken {
            self.token(.token(key.bundle, token)) { $0.transactions.tell(key.id, told) }
        }
        if let original = snapshot.originalTransactionId,
            snapshot.isAutoRenewable || !sameBytes(original, key.id)
        {
            subscription(.subscription(key.bundle, original)) { $0.transactions.tell(key.id, told) }
        }
        if let sender {
            var sent = SentTransaction()
            sent.verified = told
            if let customer = snapshot.appTransactionId {
                sent.customer = FirstTold(customer, stamp)
            }
            account(.account(key.bundle, sender)) { $0.transactions.tell(key.id, sent) }
        }
    }

    /// What the verified notification around a transaction says of money given back.
    private func notice(around part: SignedPart) -> (type: String, Newest<DisputeNotice>)? {
        guard
            let outer = parts.first(where: {
                $0.digest == part.outerDigest && $0.kind == "notification" && $0.isVerified
            }), let type = outer.payload?["notificationType"]?.string,
            DisputeNotice.types.contains(type)
        else { return nil }
        var notice = DisputeNotice()
        notice.signedDate = outer.payload?["signedDate"]?.int64
        notice.reason = outer.payload?.at("data", "consumptionRequestReason")?.string
        return (type, Newest(notice, digest: outer.digest, stamp: stamp))
    }

    /// A line that nobody signed helps to find a transaction, and fills what the signed left out.
    private mutating func hint(_ line: UnsignedLine) {
        let told = now
        let newest = Newest(line.snapshot, digest: line.digest, stamp: stamp)
        transaction(line.key) { transaction in
            transaction.lines.tell(line.snapshot.environment ?? "", newest)
            if let token = line.snapshot.appAccountToken { transaction.tokens.tell(token, told) }
        }
        if let token = line.snapshot.appAccountToken {
            self.token(.token(line.key.bundle, token)) { $0.transactions.tell(line.key.id, told) }
        }
    }

    /// A signed app transaction tells which of Apple's customers the sender is.
    private mutating func customer(_ part: SignedPart) {
        guard isFromDevice, let sender = event.account,
            let customer = part.payload?["appTransactionId"]?.name
        else { return }
        let told = now
        account(.account(part.bundle ?? bundle, sender)) { $0.customers.tell(customer, told) }
    }

    private var isFromDevice: Bool {
        (event.rejudged?.type ?? event.type).utf8.starts(with: "storekit.".utf8)
    }
}

extension TransactionFacts {
    fileprivate mutating func tell(_ notice: (type: String, Newest<DisputeNotice>)?) {
        guard let notice else { return }
        notices.tell(notice.type, notice.1)
    }
}
