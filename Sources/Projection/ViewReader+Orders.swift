internal import EventLog
internal import PostgreSQL
internal import Settlement

extension ViewReader {
    /// Everything under a name: an `applicationUsername`, an account, a transaction id, an original
    /// transaction id, an `appAccountToken` or the order id of Apple's e-mail.
    package func report(on name: String) async throws -> OrderReport {
        try await read { evaluator, connection in
            try OrderReportMaker(evaluator: evaluator, name: name).make(on: connection)
        }
    }
}

/// Makes a report: what the name names, the orders and the charges without one.
private struct OrderReportMaker {
    let evaluator: Evaluator
    let name: String

    private static let namesMax = 100

    func make(on connection: isolated Connection) throws -> OrderReport {
        var matches: [OrderReport.Match] = []
        var orders: [EntityKey: String?] = [:]
        var orphans: [EntityKey: (ChargeAnswer, Answer)] = [:]
        for (name, kind, question) in try questions(on: connection) {
            let answer = try evaluator.answer(question, on: connection)
            matches.append(
                OrderReport.Match(
                    kind: kind, value: name.value, bundle: name.bundle,
                    verdict: try proven(answer.verdict, on: connection)))
            for number in answer.orders {
                orders[.order(name.bundle, number)] = question.claimant
            }
            for charge in answer.charges where charge.link == nil {
                orphans[.transaction(name.bundle, charge.transactionId)] = (charge, answer)
            }
        }
        let orderKeys = orders.keys.sorted().prefix(OrderReport.entriesMax)
        let orphanKeys = orphans.keys.sorted().prefix(OrderReport.entriesMax)
        return OrderReport(
            name: name, matches: matches,
            orders: try orderKeys.map { key in
                try order(key, claimant: orders[key] ?? nil, on: connection)
            },
            orphans: try orphanKeys.compactMap { key in
                try orphans[key].map { try orphan(key, $0.0, $0.1, on: connection) }
            },
            isCut: orderKeys.count < orders.count || orphanKeys.count < orphans.count,
            coverage: Coverage(), logPosition: evaluator.source.position,
            acceptsEveryBundle: !evaluator.settings.isConfigured)
    }

    // MARK: What the name names

    private typealias Asked = (name: TimelineRow.Name, kind: String, question: Question)

    private func questions(on connection: isolated Connection) throws -> [Asked] {
        let spellings = Set([name, OrderNumber.folded(name)]).sorted()
        let names = try Timeline.names(
            spellings, upTo: evaluator.source.position, limit: Self.namesMax, on: connection)
        let asked = names.compactMap { name in
            Self.question(name).map { Asked(name, $0.kind, $0.question) }
        }.sorted { left, right in
            (Self.rank(left), left.name.bundle) < (Self.rank(right), right.name.bundle)
        }
        // One thing may be found under two kinds: a consumable is its own original transaction.
        return asked.enumerated().filter { index, entry in
            !asked[..<index].contains { $0.question == entry.question }
        }.map(\.element)
    }

    /// What a name is likeliest to be comes first (domain, section 6).
    private static func rank(_ asked: Asked) -> Int {
        switch asked.question.subject {
        case .transaction: asked.kind == "transactionId" ? 0 : 1
        case .appleOrder: 2
        case .order: 3
        case .token: 4
        case .account: 5
        }
    }

    private static func question(_ name: TimelineRow.Name) -> (kind: String, question: Question)? {
        switch name.kind {
        case TimelineKey.Kind.order.rawValue: ("order", .order(name.bundle, name.value))
        case TimelineKey.Kind.account.rawValue: ("account", .account(name.bundle, name.value))
        case TimelineKey.Kind.transaction.rawValue:
            ("transactionId", .transaction(name.bundle, name.value))
        case TimelineKey.Kind.originalTransaction.rawValue:
            ("originalTransactionId", .transaction(name.bundle, name.value))
        case TimelineKey.Kind.token.rawValue: ("appAccountToken", .token(name.bundle, name.value))
        case TimelineKey.Kind.appleOrderId.rawValue:
            ("appleOrderId", .appleOrder(name.bundle, name.value))
        default: nil
        }
    }

    // MARK: Entries

    private func order(
        _ key: EntityKey, claimant: String?, on connection: isolated Connection
    ) throws -> OrderReport.Order {
        let answer = try evaluator.answer(
            .order(key.bundle, key.id, claimant: claimant), on: connection)
        let (entries, hasMore) = try timeline([key], answer.charges, on: connection)
        return OrderReport.Order(
            number: key.id, bundle: key.bundle, answer: answer,
            verdict: try proven(answer.verdict, on: connection), timeline: entries,
            hasMoreEvents: hasMore)
    }

    private func orphan(
        _ key: EntityKey, _ charge: ChargeAnswer, _ answer: Answer,
        on connection: isolated Connection
    ) throws -> OrderReport.Orphan {
        let own = try evaluator.answer(
            .transaction(key.bundle, key.id, claimant: answer.question.claimant), on: connection)
        return OrderReport.Orphan(
            bundle: key.bundle, charge: own.charges.first { $0.transactionId == key.id } ?? charge,
            answer: own, verdict: try proven(own.verdict, on: connection),
            timeline: try timeline([key], [charge], on: connection).entries)
    }

    /// The events of things and of their charges, with what was delivered for those.
    private func timeline(
        _ keys: [EntityKey], _ charges: [ChargeAnswer], on connection: isolated Connection
    ) throws -> (entries: [OrderReport.TimelineEntry], hasMore: Bool) {
        let bundle = keys.first?.bundle ?? ""
        let linked = charges.flatMap { charge in
            [
                EntityKey.transaction(bundle, charge.transactionId),
                .subscription(bundle, charge.originalTransactionId),
            ] + charge.deliveries.map { .delivery(bundle, $0.deliveryId) }
        }
        let names = Set((keys + linked).map(TimelineRow.Name.init))
        let positions = try Timeline.positions(
            of: Array(names), upTo: evaluator.source.position, limit: OrderReport.timelineMax + 1,
            on: connection)
        let entries = try EventLog.read(
            positions: Array(positions.prefix(OrderReport.timelineMax)), on: connection
        ).map { event in
            OrderReport.TimelineEntry(
                position: event.position, type: event.type, source: event.source,
                receivedAt: event.receivedAt, recordedAt: event.recordedAt,
                transactionId: event.keys.transactionId.map { String(decoding: $0, as: UTF8.self) })
        }
        return (entries, positions.count > OrderReport.timelineMax)
    }

    private func proven(_ verdict: Verdict, on connection: isolated Connection) throws
        -> OrderReport.ProvenVerdict
    {
        try evaluator.proven(verdict, on: connection)
    }
}

extension Evaluator {
    /// A verdict with the positions of its proof.
    func proven(_ verdict: Verdict, on connection: isolated Connection) throws
        -> OrderReport.ProvenVerdict
    {
        let keys = verdict.proof.compactMap(EventKey.init(bytes:))
        let positions = try EventLog.positions(eventKeys: keys, on: connection)
        return OrderReport.ProvenVerdict(verdict: verdict, proof: positions.values.sorted())
    }
}
