internal import PostgreSQL

extension Quarantine {
    /// What is in it, oldest first, after a piece or from the start.
    /// - Parameter limit: 1 to 10,000.
    public func items(after last: QuarantinedItem? = nil, limit: Int = 1_000) async throws
        -> [QuarantinedItem]
    {
        let limit = Int64(min(max(limit, 1), 10_000))
        let keptAt = last?.keptAt ?? EventLimits.instants.lowerBound
        let digest = last?.digest ?? []
        return try await log.pool.withConnection { connection in
            try connection.query(
                .quarantineList,
                [.timestamp(milliseconds: keptAt), .bytea(digest), .int64(limit)]
            ).map(QuarantinedItem.init(row:))
        }
    }

    /// The bytes of a piece; `nil` if it is not there.
    public func bytes(_ digest: [UInt8]) async throws -> [UInt8]? {
        try await log.pool.withConnection { connection in
            try connection.query(.quarantineBytes, [.bytea(digest)]).first?.value("bytes")
        }
    }

    /// What is known of a piece; `nil` if it is not there.
    public func item(_ digest: [UInt8]) async throws -> QuarantinedItem? {
        try await log.pool.withConnection { connection in
            try connection.query(.quarantineItem, [.bytea(digest)]).first
                .map(QuarantinedItem.init(row:))
        }
    }

    /// Deletes a piece and tells the log who did it and why, both or neither.
    /// - Returns: whether it was there; the log is told nothing where it was not.
    public func drop(_ digest: [UInt8], _ act: AdminAct) async throws -> Bool {
        try await release(digest, as: [], act) != nil
    }

    /// Lets a piece into the log as events, out of the quarantine, and tells who did it and why:
    /// all of it or nothing. Whoever comes second finds nothing to release.
    /// - Parameter events: what a door made of the bytes; at most 999.
    /// - Returns: the outcome of each event; `nil` if the piece is not there.
    public func release(_ digest: [UInt8], as events: [NewEvent], _ act: AdminAct) async throws
        -> [AppendOutcome]?
    {
        let told = try act.event()
        return try await StalledAppends(log.pool.options).watch {
            try await log.pool.withConnection { connection in
                try connection.transaction { connection in
                    // The door's row before the log's head, as everywhere.
                    let deleted = try connection.query(.quarantineDelete, [.bytea(digest)])
                    guard deleted.affectedCount == 1 else { return nil }
                    return Array(try log.append(events + [told], on: connection).dropLast())
                }
            }
        }
    }

    /// Deletes the oldest pieces that are past their days, at most 1,000.
    /// - Returns: how many.
    public func prune() async throws -> Int {
        try await log.pool.withConnection { connection in
            try connection.transaction { connection in
                try connection.query(
                    .quarantinePrune,
                    [.text(nil), .int32(Int32(limits.daysMax)), .int64(Quarantine.pruneMax)]
                ).affectedCount
            }
        }
    }

    /// How much each door refused, for each reason.
    public func counts() async throws -> [RefusalCount] {
        try await log.pool.withConnection { connection in
            try connection.query(.quarantineCounts).map { row in
                RefusalCount(
                    door: try row.value("door"), reason: try row.value("reason"),
                    refused: try row.value("refused"), recorded: try row.value("logged"),
                    kept: try row.value("kept"))
            }
        }
    }
}

extension QuarantinedItem {
    fileprivate init(row: Row) throws {
        self.init(
            digest: try row.value("digest"), door: try row.value("door"),
            reason: try row.value("reason"), detail: try row.value("detail"),
            receivedAt: try row.value("received_at", as: Timestamp.self).milliseconds,
            keptAt: try row.value("kept_at", as: Timestamp.self).milliseconds,
            size: try row.value("size"))
    }
}
