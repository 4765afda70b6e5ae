extension DeliveryFacts {
    /// What it delivers: the quantity that succeeded, else what was asked for; 1 where nobody said.
    var quantity: Int64 {
        max(1, succeededTerms.told?.quantity ?? requestedTerms.told?.quantity ?? 1)
    }

    var productId: String? { succeededTerms.told?.productId ?? requestedTerms.told?.productId }

    /// What stands of it, less what was taken back.
    var standing: Int64 {
        guard succeeded.first != nil, reversedWhole.stamp == nil else { return 0 }
        return max(0, quantity - max(0, reversedQuantity.value ?? 0))
    }

    var isReversed: Bool { reversed.first != nil }

    var account: String? { earliestKey(accounts) }

    /// Until when the request is open: milliseconds since 1970 UTC; `nil` when it was answered.
    func openUntil(_ policy: Policy) -> Int64? {
        guard let asked = requested.last, succeeded.first == nil, reversed.first == nil else {
            return nil
        }
        if let failed = failed.last, failed > asked { return nil }
        return shifted(asked.receivedAt, by: policy.deliveryRequestOpen)
    }

    /// When it began, for sorting.
    var begun: Stamp? {
        [requested.first, succeeded.first, failed.first, reversed.first].compactMap { $0 }.min()
    }

    func covers(_ product: String?) -> Bool {
        guard let productId, let product else { return true }
        return sameBytes(productId, product)
    }
}

/// A part of a delivery that falls on a charge.
struct Share {
    let deliveryId: String
    let facts: DeliveryFacts
    /// What stands of it for this charge.
    let standing: Int64
}

/// How the deliveries of one order fall on its charges: first those that name a transaction, then
/// those that name only the order, poured into what is missing by purchase date and id.
struct OrderShares {
    private(set) var byCharge: [String: [Share]] = [:]
    /// What names the order and falls on no charge.
    private(set) var surplus: [Share] = []

    init(_ number: String, in file: CaseFile) {
        guard let order = file.order(number) else { return }
        let charges = file.charges(linkedTo: number)
        for charge in charges { byCharge[charge.id] = file.directShares(of: charge) }
        let unnamed = order.deliveries.keys
            .compactMap { id in file.delivery(id).map { (id: id, facts: $0) } }
            .filter { $0.facts.transactions.isEmpty }
            .sorted { left, right in
                let (a, b) = (left.facts.begun, right.facts.begun)
                if let a, let b, a != b { return a < b }
                return bytesPrecede(left.id, right.id)
            }
        for delivery in unnamed { pour(delivery.id, delivery.facts, into: charges) }
    }

    private mutating func pour(
        _ id: String, _ facts: DeliveryFacts, into charges: [TransactionReading]
    ) {
        var rest = facts.standing
        let fitting = charges.filter { facts.covers($0.snapshot.productId) }
        for charge in fitting {
            let room = charge.quantity - saturatingSum((byCharge[charge.id] ?? []).map(\.standing))
            guard room > 0 else { continue }
            // A request that has not succeeded falls on the first charge that lacks something.
            let part = min(room, rest)
            byCharge[charge.id, default: []].append(
                Share(deliveryId: id, facts: facts, standing: part))
            rest -= part
            if rest == 0 { return }
        }
        if rest > 0 { surplus.append(Share(deliveryId: id, facts: facts, standing: rest)) }
    }
}

extension CaseFile {
    /// The charges whose best link is the order, by purchase date and id.
    func charges(linkedTo number: String) -> [TransactionReading] {
        transactionsUnder(order: number).compactMap { reading($0) }
            .filter { $0.isCharge && $0.isLinked(to: number) }
            .sorted { $0.purchaseOrder < $1.purchaseOrder }
    }

    /// Every transaction that stands under an order number: named for it, carrying its token,
    /// renewing or restored by one that does.
    func transactionsUnder(order number: String) -> [String] {
        guard let facts = order(number) else { return transactionsWith(tokens: [number]) }
        var ids = FactsMap<Earliest>()
        for id in facts.transactions.keys { ids.tell(id, Earliest()) }
        for id in transactionsWith(tokens: facts.tokens.keys + [number]) {
            ids.tell(id, Earliest())
        }
        for delivery in facts.deliveries.keys.compactMap({ delivery($0) }) {
            for id in delivery.transactions.keys { ids.tell(id, Earliest()) }
        }
        for id in ids.keys {
            guard let reading = reading(id) else { continue }
            for original in reading.facts.originals.keys + [reading.originalId] {
                ids.tell(original, Earliest())
                for period in subscription(original)?.transactions.keys ?? [] {
                    ids.tell(period, Earliest())
                }
            }
        }
        return ids.keys
    }

    private func transactionsWith(tokens: [String]) -> [String] {
        tokens.flatMap { token($0)?.transactions.keys ?? [] }
    }

    /// The deliveries that name the transaction itself.
    func directShares(of reading: TransactionReading) -> [Share] {
        reading.facts.deliveries.keys.compactMap { id in
            guard let facts = delivery(id), facts.covers(reading.snapshot.productId) else {
                return nil
            }
            return Share(deliveryId: id, facts: facts, standing: facts.standing)
        }
    }

    /// Every delivery that falls on a charge.
    func shares(of reading: TransactionReading) -> [Share] {
        guard let number = reading.links.best?.orderNumber,
            let shares = shares(ofOrder: number).byCharge[reading.id]
        else { return directShares(of: reading) }
        return shares
    }
}
