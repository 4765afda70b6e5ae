internal import JSON

/// The states of a customer's subscriptions, as the last notification of each told it; where none
/// did, as its dates say at the world's end.
struct SubscriptionStatuses {
    let world: ServedWorld
    let bundle: String
    /// Only these states, unless empty.
    let wanted: Set<Int64>

    private struct Subscription {
        let last: ServedTransaction
        let status: Int64
        let signedRenewalInfo: String
    }

    /// Apple's answer. `jws` gives a transaction as it is signed now.
    func answer(
        of transactions: [ServedTransaction], jws: (ServedTransaction) -> String
    ) -> [UInt8] {
        let found = subscriptions(transactions).filter {
            wanted.isEmpty || wanted.contains($0.status)
        }
        let groups = Set(found.compactMap(\.last.subscriptionGroup)).sorted()
        var writer = JSONWriter()
        writer.object { json in
            json.member("environment", "Production")
            json.member("bundleId", bundle)
            json.member("appAppleId", world.appAppleIds[bundle])
            json.name("data")
            json.array(groups) { json, group in
                json.object { json in
                    json.member("subscriptionGroupIdentifier", group)
                    json.name("lastTransactions")
                    json.array(found.filter { $0.last.subscriptionGroup == group }) {
                        write($1, jws($1.last), &$0)
                    }
                }
            }
        }
        return writer.bytes
    }

    private func write(_ subscription: Subscription, _ jws: String, _ json: inout JSONWriter) {
        json.object {
            $0.member("originalTransactionId", subscription.last.originalId)
            $0.member("status", subscription.status)
            $0.member("signedTransactionInfo", jws)
            $0.member("signedRenewalInfo", subscription.signedRenewalInfo)
        }
    }

    /// One for each original transaction, in the order of their ids.
    private func subscriptions(_ transactions: [ServedTransaction]) -> [Subscription] {
        let renewable = transactions.filter { $0.subscriptionGroup != nil }
        let byOriginal = Dictionary(grouping: renewable, by: \.originalId)
        return byOriginal.sorted { $0.key < $1.key }.compactMap { _, periods in
            periods.max { ($0.purchaseDate, $0.id) < ($1.purchaseDate, $1.id) }.map(subscription)
        }
    }

    private func subscription(_ last: ServedTransaction) -> Subscription {
        let told = world.notifications.filter {
            $0.originalTransactionId == last.originalId && $0.bundleId == bundle
        }.max { $0.signedDate < $1.signedDate }
        let status = told?.status ?? state(of: last)
        return Subscription(
            last: last, status: status,
            signedRenewalInfo: told?.signedRenewalInfo ?? renewal(last, status))
    }

    private func state(of last: ServedTransaction) -> Int64 {
        if last.revocationDate != nil { return 5 }
        return (last.expiresDate ?? 0) > world.end ? 1 : 2
    }

    private func renewal(_ last: ServedTransaction, _ status: Int64) -> String {
        let apple = AppleSigner(
            chain: world.chain, bundleId: bundle, appAppleId: world.appAppleIds[bundle] ?? 0)
        let signed = apple.renewal(
            RenewalFields(
                originalTransactionId: last.originalId, productId: last.productId,
                signedDate: world.end
            ) {
                $0.autoRenewStatus = status == 1 ? 1 : 0
                $0.renewalDate = last.expiresDate
            })
        return String(decoding: signed, as: UTF8.self)
    }
}
