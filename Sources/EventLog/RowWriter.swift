internal import PostgreSQL

/// Writes the rows of a group after the head, their evidence and their leaves.
struct RowWriter {
    /// From how many rows on a COPY is faster than arrays.
    static let copyMin = 48

    private let head: HeadLock
    private let rows: [PreparedEvent]
    private let leaves: [[UInt8]]

    init(_ rows: [PreparedEvent], after head: HeadLock) {
        self.head = head
        self.rows = rows
        leaves = rows.enumerated().map { index, row in
            row.leafEncoding.leaf(
                position: head.size + 1 + Int64(index), recordedAt: head.instant.milliseconds)
        }
    }

    /// Writes all, and has it told on the channel once the transaction is committed.
    func write(tellingOn channel: String, on connection: isolated Connection) throws {
        try writeEvidence(on: connection)
        let written =
            rows.count < Self.copyMin
            ? try connection.query(.logInsert, arrays).affectedCount
            : try connection.copyIn(.logCopyIn) { writer in
                for index in rows.indices { try writer.row(values(of: index)) }
            }
        guard written == rows.count else {
            throw EventLogError.damaged(position: head.size + 1, "rows were lost on their way in")
        }
        var tree = TreeWriter(head.edge)
        for leaf in leaves { tree.append(leaf) }
        try tree.write(tellingOn: channel, on: connection)
    }

    private func position(_ index: Int) -> Int64 { head.size + 1 + Int64(index) }

    private func writeEvidence(on connection: isolated Connection) throws {
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

    /// The columns of one row, as `log-copy-in.sql` names them.
    private func values(of index: Int) -> [Parameter] {
        let row = rows[index]
        let columns = row.columns
        return [
            .int64(position(index)), .timestamp(milliseconds: columns.receivedAt),
            .timestamp(head.instant), .timestamp(milliseconds: columns.time),
            .bytea(columns.eventKey.bytes), .text(columns.source), .text(columns.id),
            .text(columns.type), .text(columns.subject), .text(columns.actor),
            .bytea(columns.keys.orderNumber), .bytea(columns.keys.transactionId),
            .bytea(columns.keys.originalTransactionId), .bytea(columns.keys.bundleId),
            .bytea(columns.keys.environment), .bytea(leaves[index]),
            .bytea(columns.personalDigest), .bytea(row.salt), .byteas(columns.evidence),
            .int32s(columns.places.map(\.number)), .bytea(columns.body), .bytea(columns.parts),
            .bytea(row.personal.encoded),
        ]
    }

    /// One array a column, as `log-insert.sql` wants them.
    private var arrays: [Parameter] {
        let columns = rows.map(\.columns)
        return [
            .timestamp(head.instant), .int64s(rows.indices.map(position)),
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
