internal import PostgreSQL
internal import Settlement

/// Derives the rows of `entitlements` and `disputes` from the facts of transactions and
/// subscriptions. A cache, as `orders` and `charges` are.
struct HoldingsDeriver {
    let settings: Settings
    /// Milliseconds since 1970 UTC.
    let now: Int64

    /// Derives what may have changed with these facts.
    func derive(touched: [EntityKey: Facts], on connection: isolated Connection) throws {
        let ids = Set(touched.flatMap { entitlementKeys(of: $0, $1) })
        try deriveEntitlements(ids.sorted(), on: connection)
        try deriveDisputes(touched.filter { $0.key.kind == .transaction }, on: connection)
    }

    /// Derives what time alone has changed.
    /// - Returns: how many of either kind, the greater number.
    func deriveDue(limit: Int, on connection: isolated Connection) throws -> Int {
        let due: [Parameter] = [.timestamp(milliseconds: clamped(now)), .int64(Int64(limit))]
        let entitlements = try connection.query(.viewDueEntitlements, due).map { row in
            EntityKey.transaction(try row.text("bundle"), try row.text("entitlement_id"))
        }
        try deriveEntitlements(entitlements, on: connection)
        let disputes = try connection.query(.viewDueDisputes, due).map { row in
            EntityKey.transaction(try row.text("bundle"), try row.text("transaction_id"))
        }
        try deriveDisputes(try FactStore.load(disputes, on: connection), on: connection)
        return max(entitlements.count, disputes.count)
    }

    // MARK: Entitlements

    private func deriveEntitlements(_ keys: [EntityKey], on connection: isolated Connection) throws
    {
        guard !keys.isEmpty else { return }
        let families = keys.map { EntityKey.subscription($0.bundle, $0.id) }
        var facts = try FactStore.load(keys + families, on: connection)
        let members = zip(keys, families).map { key, family in
            membersOf(subscription: facts[family], bundle: key.bundle)
        }
        let wanted = Set(members.joined()).subtracting(facts.keys).sorted()
        facts.merge(try FactStore.load(wanted, on: connection)) { known, _ in known }
        var rows: [(key: EntityKey, row: HoldingRow<Entitlement>)] = []
        for (index, key) in keys.enumerated() {
            var known: [EntityKey: Facts] = [:]
            for own in [key, families[index]] + members[index] { known[own] = facts[own] }
            rows.append((key, entitlementRow(key, known, settings: settings, now: now)))
        }
        try store(rows, on: connection)
    }

    private func store(
        _ rows: [(key: EntityKey, row: HoldingRow<Entitlement>)],
        on connection: isolated Connection
    ) throws {
        let gone = rows.filter { $0.row.value == nil }.map(\.key)
        try delete(gone, .viewDeleteEntitlements, on: connection)
        let held = rows.compactMap { key, row in row.value.map { (key, $0, row.reviewAt) } }
        guard !held.isEmpty else { return }
        let told = held.map(\.1)
        _ = try connection.query(
            .viewStoreEntitlements,
            [
                .byteas(held.map { Array($0.0.bundle.utf8) }),
                .byteas(held.map { Array($0.0.id.utf8) }),
                .byteas(told.map { Array($0.transactionId.utf8) }),
                .byteas(told.map { $0.productId.map { Array($0.utf8) } }),
                .texts(told.map(\.kind.rawValue)), .texts(told.map(\.basis.rawValue)),
                .texts(told.map(\.state.rawValue)), .int64s(told.map(\.quantity)),
                .timestamps(told.map { timestamp($0.since) }),
                .timestamps(told.map { timestamp($0.until) }), .bools(told.map(\.willRenew)),
                .byteas(told.map { $0.nextProductId.map { Array($0.utf8) } }),
                .timestamps(held.map { review($0.2) }),
            ])
    }

    // MARK: Disputes

    private func deriveDisputes(_ facts: [EntityKey: Facts], on connection: isolated Connection)
        throws
    {
        let rows = facts.sorted { $0.key < $1.key }.map { key, facts in
            (key: key, row: disputeRow(key, facts, settings: settings, now: now))
        }
        let gone = rows.filter { $0.row.value == nil }.map(\.key)
        try delete(gone, .viewDeleteDisputes, on: connection)
        let held = rows.compactMap { key, row in row.value.map { (key, $0, row.reviewAt) } }
        guard !held.isEmpty else { return }
        let told = held.map(\.1)
        _ = try connection.query(
            .viewStoreDisputes,
            [
                .byteas(held.map { Array($0.0.bundle.utf8) }),
                .byteas(held.map { Array($0.0.id.utf8) }), .texts(told.map(\.state.rawValue)),
                .byteas(told.map { $0.reason.map { Array($0.utf8) } }),
                .bools(told.map(\.isOverdue)),
                .timestamps(told.map { timestamp($0.requestedAt) }),
                .timestamps(told.map { timestamp($0.dueAt) }),
                .timestamps(told.map { timestamp($0.answeredAt) }),
                .timestamps(told.map { timestamp($0.grantedAt) }),
                .timestamps(told.map { timestamp($0.declinedAt) }),
                .timestamps(told.map { timestamp($0.reversedAt) }),
                .timestamps(held.map { review($0.2) }),
            ])
    }

    // MARK: Parts

    private func delete(
        _ keys: [EntityKey], _ statement: Statement, on connection: isolated Connection
    ) throws {
        guard !keys.isEmpty else { return }
        _ = try connection.query(
            statement,
            [.byteas(keys.map { Array($0.bundle.utf8) }), .byteas(keys.map { Array($0.id.utf8) })])
    }

    /// An instant that is not later would be due for ever.
    private func review(_ instant: Int64?) -> Timestamp? {
        timestamp(instant.map { max($0, now + 1) })
    }

    private func timestamp(_ milliseconds: Int64?) -> Timestamp? {
        milliseconds.map { Timestamp(milliseconds: clamped($0)) }
    }
}
