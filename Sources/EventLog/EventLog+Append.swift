public import PostgreSQL

extension EventLog {
    /// What one transaction takes at most.
    enum Group {
        static let eventsMax = 1_000
        static let bytesMax = 32 << 20
    }

    /// How often a group is tried again after its connection broke.
    private static let connectionAttemptsMax = 5

    /// Appends events; each is in the log once, however often it is sent.
    ///
    /// Up to 1,000 events of together 32 MiB are one transaction; more are split into several, one
    /// after the other. After an error those before it are stored; the whole call may be made again.
    /// - Returns: the outcome of each event, in their order.
    /// - Throws: `EventLogError.invalidEvent`, `.unsafeDurability`, `PostgreSQLError`.
    public func append(_ events: [NewEvent]) async throws -> [AppendOutcome] {
        var outcomes: [AppendOutcome] = []
        outcomes.reserveCapacity(events.count)
        var group: [PreparedEvent] = []
        var byteCount = 0
        for (index, event) in events.enumerated() {
            let prepared = try Self.prepare(event, index: index)
            let isFull =
                group.count == Group.eventsMax || byteCount + prepared.byteCount > Group.bytesMax
            if isFull, !group.isEmpty {
                outcomes += try await appendGroup(group)
                group = []
                byteCount = 0
            }
            group.append(prepared)
            byteCount += prepared.byteCount
        }
        if !group.isEmpty { outcomes += try await appendGroup(group) }
        return outcomes
    }

    private static func prepare(_ event: NewEvent, index: Int) throws(EventLogError)
        -> PreparedEvent
    {
        do {
            return try PreparedEvent(event)
        } catch {
            throw .invalidEvent(index: index, error)
        }
    }

    /// A lost connection leaves open whether COMMIT took place; the keys and salts answer that, so
    /// the group is tried again as it is.
    private func appendGroup(_ group: [PreparedEvent]) async throws -> [AppendOutcome] {
        for attempt in 1..<Self.connectionAttemptsMax {
            do {
                return try await appendOnce(group)
            } catch let error as PostgreSQLError
                where error.isConnectionLost && error.code != .unreachable
            {
                try await Task.sleep(for: .milliseconds(Int.random(in: 20...50) << attempt))
            }
        }
        return try await appendOnce(group)
    }

    private func appendOnce(_ group: [PreparedEvent]) async throws -> [AppendOutcome] {
        try await pool.withConnection { connection in
            try connection.transaction { connection in
                try append(group, on: connection)
            }
        }
    }

    /// Appends within a transaction of the caller's, which holds the head's lock from here on.
    /// - Throws: as `append(_:)`; the transaction must then be rolled back.
    public func append(_ events: [NewEvent], on connection: isolated Connection) throws
        -> [AppendOutcome]
    {
        precondition(events.count <= Group.eventsMax, "too many events for one transaction")
        let group = try events.enumerated().map { try Self.prepare($1, index: $0) }
        return try append(group, on: connection)
    }

    private func append(_ group: [PreparedEvent], on connection: isolated Connection) throws
        -> [AppendOutcome]
    {
        if group.isEmpty { return [] }
        let head = try lockHead(on: connection)
        let plan = try AppendPlan(group, stored: Self.find(group.map(\.key), on: connection))
        let kept = try Self.positions(eventKeys: plan.conflictKeys, on: connection)
        let (rows, outcomes) = try plan.rows(after: head.size, kept: kept)
        if !rows.isEmpty { try write(rows, after: head, on: connection) }
        return outcomes
    }

    /// Locks the head: nobody else appends until the transaction ends.
    func lockHead(on connection: isolated Connection) throws -> HeadLock {
        let head = try HeadLock.take(isDurable: !allowsUnsafeDurability, on: connection)
        guard head.edge.size == head.size else {
            throw EventLogError.treeIncomplete(size: head.size, treeSize: head.edge.size)
        }
        return head
    }

    private static func find(_ keys: [EventKey], on connection: isolated Connection) throws
        -> [EventKey: RecordedEvent]
    {
        let rows = try connection.query(.logFind, [.byteas(keys.map(\.bytes))])
        return Dictionary(
            uniqueKeysWithValues: try rows.map { row in
                let event = try RecordedEvent(row: row)
                return (event.eventKey, event)
            })
    }

    // MARK: Writing

    private func write(
        _ rows: [PreparedEvent], after head: HeadLock, on connection: isolated Connection
    ) throws {
        try Self.writeEvidence(rows, on: connection)
        let leaves = rows.enumerated().map { index, row in
            row.leafEncoding.leaf(
                position: head.size + 1 + Int64(index), recordedAt: head.instant.milliseconds)
        }
        let parameters = Self.parameters(rows, leaves: leaves, after: head)
        let written = try connection.query(.logInsert, parameters).affectedCount
        guard written == rows.count else {
            throw EventLogError.damaged(position: head.size + 1, "rows were lost on their way in")
        }
        var tree = TreeWriter(head.edge)
        for leaf in leaves { tree.append(leaf) }
        try tree.write(tellingOn: ledger.channel, on: connection)
    }

    private static func writeEvidence(_ rows: [PreparedEvent], on connection: isolated Connection)
        throws
    {
        var seen: Set<[UInt8]> = []
        var digests: [[UInt8]] = []
        var bytes: [[UInt8]] = []
        var instants: [Int64] = []
        for row in rows {
            for (digest, evidence) in zip(row.columns.evidence, row.event.evidence)
            where seen.insert(digest).inserted {
                digests.append(digest)
                bytes.append(evidence.bytes)
                instants.append(row.columns.receivedAt)
            }
        }
        if digests.isEmpty { return }
        _ = try connection.query(
            .logInsertEvidence,
            [.byteas(digests), .byteas(bytes), .timestamps(milliseconds: instants)])
    }

    private static func parameters(
        _ rows: [PreparedEvent], leaves: [[UInt8]], after head: HeadLock
    ) -> [Parameter] {
        let columns = rows.map(\.columns)
        let positions = rows.indices.map { head.size + 1 + Int64($0) }
        return [
            .timestamp(head.instant), .int64s(positions),
            .timestamps(milliseconds: columns.map(\.receivedAt)),
            .timestamps(milliseconds: columns.map(\.time)),
            .byteas(columns.map(\.eventKey.bytes)), .texts(columns.map(\.source)),
            .texts(columns.map(\.id)), .texts(columns.map(\.type)),
            .texts(columns.map(\.subject)), .texts(columns.map(\.actor)),
            .byteas(columns.map(\.keys.orderNumber)), .byteas(columns.map(\.keys.transactionId)),
            .byteas(columns.map(\.keys.originalTransactionId)),
            .byteas(columns.map(\.keys.bundleId)), .byteas(columns.map(\.keys.environment)),
            .byteas(leaves), .byteas(columns.map(\.personalDigest)), .byteas(rows.map(\.salt)),
            .texts(columns.map { arrayLiteral($0.evidence) }),
            .texts(columns.map { arrayLiteral($0.places) }), .byteas(columns.map(\.body)),
            .byteas(columns.map(\.parts)), .byteas(rows.map(\.personal.encoded)),
        ]
    }
}
