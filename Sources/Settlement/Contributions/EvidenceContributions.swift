internal import JSON

/// What signed evidence proves, whatever road it came by.
extension Contributions {
    mutating func evidence() {
        for part in parts {
            if let proven = part.transaction(in: event) {
                proof(of: proven.key, proven.snapshot, part)
            }
            if let renewal = part.renewal(in: event) {
                let newest = Newest(renewal.snapshot, digest: part.digest, stamp: stamp)
                subscription(renewal.key) { subscription in
                    subscription.renewals.tell(renewal.snapshot.environment ?? "", newest)
                }
            }
            if part.kind == "app-transaction", part.isVerified { customer(part) }
        }
    }

    private mutating func proof(
        of key: EntityKey, _ snapshot: TransactionSnapshot, _ part: SignedPart
    ) {
        let told = now
        let newest = Newest(snapshot, digest: part.digest, stamp: stamp)
        let sender = isFromDevice ? event.account : nil
        transaction(key) { transaction in
            transaction.snapshots.tell(snapshot.environment ?? "", newest)
            transaction.verified = told
            transaction.digests = BoundedSet(part.digest, told)
            if let token = snapshot.appAccountToken { transaction.tokens.tell(token, told) }
            if let sender { transaction.senders.tell(sender, told) }
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

    /// A signed app transaction tells which of Apple's customers the sender is.
    private mutating func customer(_ part: SignedPart) {
        guard isFromDevice, let sender = event.account,
            let customer = part.payload?["appTransactionId"]?.name
        else { return }
        let told = now
        account(.account(part.bundle ?? bundle, sender)) { $0.customers.tell(customer, told) }
    }

    private var isFromDevice: Bool { event.type.utf8.starts(with: "storekit.".utf8) }
}
