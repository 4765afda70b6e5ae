package import EventLog
internal import PostgreSQL
package import Settlement

/// Policy and settings as the log holds them: commands, folded in its order.
package enum SettingsReader {
    private static let pageMax = 1000

    /// What holds now.
    package static func current(of log: EventLog) async throws -> Settings {
        try await log.pool.withConnection { try settings(upTo: .max, on: $0) }
    }

    /// What held at a position.
    static func settings(upTo position: Int64, on connection: isolated Connection) throws
        -> Settings
    {
        var settings = Settings()
        var last: Int64 = 0
        while true {
            let events = try EventLog.read(
                types: Settings.eventTypes, after: last, limit: pageMax, on: connection)
            for event in events where event.position <= position {
                // One that cannot be read changes nothing; the projector sets it aside and says so.
                guard let readable = try? SettlementEvent(event) else { continue }
                settings.apply(readable)
            }
            guard let end = events.last?.position, end < position else { return settings }
            last = end
        }
    }
}
