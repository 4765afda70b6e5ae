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

    /// Deletes a piece; says whether it was there.
    public func delete(_ digest: [UInt8]) async throws -> Bool {
        try await log.pool.withConnection { connection in
            try connection.query(.quarantineDelete, [.bytea(digest)]).affectedCount == 1
        }
    }

    /// Deletes the oldest pieces that are past their days, at most 1,000.
    /// - Returns: how many.
    public func prune() async throws -> Int {
        try await log.pool.withConnection { connection in
            try connection.query(
                .quarantinePrune,
                [.text(nil), .int32(Int32(limits.daysMax)), .int64(Quarantine.pruneMax)]
            ).affectedCount
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
