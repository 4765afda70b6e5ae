internal import EventLog
internal import PostgreSQL

/// An event that the views could not take over.
package struct ProjectionFailure: Sendable, Equatable {
    /// Where it stands in the log.
    package let position: Int64
    /// The kind of error; nothing of the event.
    package let error: String
    /// How often it was tried.
    package let attempts: Int
    /// Whether it is to be tried again now.
    package let isDue: Bool
}

/// How far the views are.
package struct ProjectionStatus: Sendable, Equatable {
    /// The last event they hold; 0 for none.
    package let position: Int64
    /// Where the log ends.
    package let logPosition: Int64
    /// What was set aside; at most `ViewProjector.failuresMax`.
    package let failures: [ProjectionFailure]
}

extension ViewProjector {
    /// Most failures that are listed or tried again at once.
    package static let failuresMax = 1000

    /// How far the views are, and what was set aside.
    package func status() async throws -> ProjectionStatus {
        try await log.pool.withConnection { connection in
            let row = try connection.query(.viewReadCheckpoint, [.text(Self.name)]).first
            return ProjectionStatus(
                position: try row?.value("position") ?? 0,
                logPosition: try EventLog.head(on: connection).size,
                failures: try Self.failures(on: connection))
        }
    }

    func failures() async throws -> [ProjectionFailure] {
        try await log.pool.withConnection { try Self.failures(on: $0) }
    }

    private static func failures(on connection: isolated Connection) throws -> [ProjectionFailure] {
        try connection.query(.viewFailures, [.int64(Int64(failuresMax))]).map { row in
            ProjectionFailure(
                position: try row.value("position"), error: try row.value("error"),
                attempts: try row.value("attempts"), isDue: try row.value("is_due"))
        }
    }

    /// Empties the views, so that the next run makes them anew from the log.
    package func reset() async throws {
        try await log.pool.withConnection { connection in
            try connection.transaction { connection in
                _ = try connection.query(.viewLockCheckpoint, [.text(Self.name)])
                _ = try connection.query(.viewReset, [.text(Self.name)])
            }
        }
    }
}
