public import PostgreSQL

/// What a command was decided upon: that the log held nothing new about its subject after a
/// position. It is checked while the log's head is locked, so of two commands one comes first.
public struct ExpectedPosition: Sendable {
    /// Up to which position whoever decided had looked.
    public let position: Int64
    /// The log's epoch then; `nil` where whoever decided did not ask. Positions of two epochs are
    /// not the same events, so a command of another epoch is outrun.
    public let epoch: Int64?
    /// The positions after `position` of events about the same, a bounded number of them.
    public let newer: @Sendable (isolated Connection, _ after: Int64) throws -> [Int64]

    /// - Parameters:
    ///   - position: up to where the log was looked at.
    ///   - epoch: the log's, as `LogHead` told it with the position.
    ///   - newer: finds what came after it, on a connection that sees all up to the locked head. It
    ///     must be fast: all appends wait for it.
    public init(
        nothingNewSince position: Int64, epoch: Int64? = nil,
        newer: @escaping @Sendable (isolated Connection, _ after: Int64) throws -> [Int64]
    ) {
        self.position = position
        self.epoch = epoch
        self.newer = newer
    }

    /// That no event after the position names one of these in its columns.
    /// - Parameters:
    ///   - epoch: the log's, as `LogHead` told it with the position.
    ///   - keys: order number, transaction and original transaction count.
    ///   - subject: as the column `subject`.
    public init(
        nothingNewSince position: Int64, epoch: Int64? = nil, keys: EventKeys,
        subject: String? = nil
    ) {
        self.init(nothingNewSince: position, epoch: epoch) { connection, after in
            let rows = try connection.query(
                .logTailPositions,
                [
                    .int64(after), .byteas([keys.orderNumber].compactMap(\.self)),
                    .byteas([keys.transactionId].compactMap(\.self)),
                    .byteas([keys.originalTransactionId].compactMap(\.self)),
                    .texts([subject].compactMap(\.self)), .int64(Self.positionsMax),
                ])
            return try rows.map { try $0.value(at: 0) }
        }
    }

    private static let positionsMax: Int64 = 100
}

/// What became of a command.
public enum CommandOutcome: Sendable, Equatable {
    /// Its events are in the log, or were before.
    case appended([AppendOutcome])
    /// Nothing was appended: events about the same, at these positions, came after the one up to
    /// which it had been decided. No positions: the log is of another epoch than it was then.
    case outrun(by: [Int64])
}

/// Events that are appended together or not at all.
struct AppendRun: Sendable {
    var events: [PreparedEvent]
    var expectation: ExpectedPosition?
}
