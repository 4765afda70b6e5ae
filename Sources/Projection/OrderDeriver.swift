internal import PostgreSQL
internal import Settlement

/// Derives what people read in `orders` and `charges` from the facts. A cache: an answer is always
/// made from the facts themselves.
struct OrderDeriver {
    let settings: Settings
    let now: Int64
    /// How far the views reach.
    let position: Int64

    /// Most orders derived at once, between two writes.
    private static let pageMax = 500

    /// Derives what events changed: the charges, and the orders that they point at, step by step.
    /// Orders that could lack one of the charges become due.
    /// - Parameters:
    ///   - changed: what the events contributed.
    ///   - merged: the stored facts of the same entities.
    func derive(
        changed: [EntityKey: Facts], merged: [EntityKey: Facts],
        on connection: isolated Connection
    ) throws {
        let charges = merged.compactMap { ChargeRow($0, $1, settings: settings) }
        try store(charges.sorted { $0.key < $1.key }, on: connection)
        var affected = AffectedOrders(by: changed, settings: settings)
        affected.visit(merged, read: Array(merged.keys))
        for _ in 0..<AffectedOrders.roundsMax where !affected.follows.isEmpty {
            let keys = affected.follows
            affected.visit(try FactStore.load(keys, on: connection), read: keys)
        }
        try derive(affected.orders.sorted(), on: connection)
        try markDue(affected.ranges.sorted(), on: connection)
    }

    /// Derives orders.
    func derive(_ orders: [EntityKey], on connection: isolated Connection) throws {
        let evaluator = Evaluator(
            source: StoredFacts(position: position), settings: settings, now: now)
        for start in stride(from: 0, to: orders.count, by: Self.pageMax) {
            let page = orders[start..<min(start + Self.pageMax, orders.count)]
            let answers = try page.map { key in
                (key, try evaluator.answer(.order(key.bundle, key.id), on: connection))
            }
            try store(answers, on: connection)
        }
    }

    private func store(
        _ answers: [(key: EntityKey, answer: Answer)], on connection: isolated Connection
    )
        throws
    {
        guard !answers.isEmpty else { return }
        _ = try connection.query(
            .viewStoreOrders,
            [
                .byteas(answers.map { Array($0.key.bundle.utf8) }),
                .byteas(answers.map { Array($0.key.id.utf8) }),
                .texts(answers.map(\.answer.status.headline.rawValue)),
                .texts(answers.map(\.answer.verdict.code.rawValue)),
                .texts(answers.map(\.answer.verdict.action.code.rawValue)),
                .int32s(answers.map { Int32(clamping: $0.answer.charges.count) }),
                .texts(answers.map { Self.remarks($0.answer.verdict) }),
                // An instant that is not later would be due for ever.
                .timestamps(
                    answers.map { entry in
                        entry.answer.reviewAt.map {
                            Timestamp(milliseconds: clamped(max($0, now + 1)))
                        }
                    }),
            ])
    }

    /// The codes of the remarks that the row can keep right, each once.
    private static func remarks(_ verdict: Verdict) -> String {
        let codes = Set(verdict.remarks.map(\.code).filter(\.isFollowed))
        return RemarkCode.allCases.filter(codes.contains).map(\.rawValue).joined(separator: " ")
    }

    private func store(_ charges: [ChargeRow], on connection: isolated Connection) throws {
        guard !charges.isEmpty else { return }
        let bytes = { (text: String) in Array(text.utf8) }
        _ = try connection.query(
            .viewStoreCharges,
            [
                .byteas(charges.map { bytes($0.key.bundle) }),
                .byteas(charges.map { bytes($0.key.id) }),
                .byteas(charges.map { $0.originalTransactionId.map(bytes) }),
                .byteas(charges.map { $0.productId.map(bytes) }),
                .int64s(charges.map(\.quantity)), .int64s(charges.map(\.price)),
                .byteas(charges.map { $0.currency.map(bytes) }),
                .byteas(charges.map { $0.environment.map(bytes) }),
                .byteas(charges.map { $0.ownership.map(bytes) }),
                .timestamps(charges.map { Self.timestamp($0.purchaseDate) }),
                .timestamps(charges.map { Self.timestamp($0.revocationDate) }),
                .bools(charges.map(\.isCharge)),
            ])
    }

    /// Orders without a charge that tried to buy in one of the ranges are due again.
    private func markDue(_ ranges: [CandidateRange], on connection: isolated Connection) throws {
        guard !ranges.isEmpty else { return }
        _ = try connection.query(
            .viewMarkUnchargedOrders,
            [
                .texts(ranges.map(\.kind.rawValue)), .byteas(ranges.map { Array($0.bundle.utf8) }),
                .byteas(ranges.map { Array($0.productId.utf8) }),
                .timestamps(ranges.map { Self.timestamp($0.from) }),
                .timestamps(ranges.map { Self.timestamp($0.to) }),
                .timestamp(milliseconds: clamped(now)),
            ])
    }

    /// Every order is due, and every charge derived anew: other rules may read any of them
    /// otherwise.
    func rulesChanged(on connection: isolated Connection) throws {
        _ = try connection.query(.viewMarkAllOrders, [.timestamp(milliseconds: clamped(now))])
        var last = EntityKey.transaction("", "")
        while true {
            let keys = try connection.query(
                .viewPageCharges,
                [
                    .bytea(Array(last.bundle.utf8)), .bytea(Array(last.id.utf8)),
                    .int64(Int64(Self.pageMax)),
                ]
            ).map { EntityKey.transaction(try $0.text("bundle"), try $0.text("transaction_id")) }
            guard let end = keys.last else { return }
            let facts = try FactStore.load(keys, on: connection)
            try store(facts.compactMap { ChargeRow($0, $1, settings: settings) }, on: connection)
            last = end
        }
    }

    private static func timestamp(_ milliseconds: Int64?) -> Timestamp? {
        milliseconds.map { Timestamp(milliseconds: clamped($0)) }
    }
}
