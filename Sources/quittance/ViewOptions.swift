internal import AppStoreModel
internal import EventLog
internal import PostgreSQL
internal import Projection

/// Which moment a reading command looks at.
enum ViewOptions {
    static let asOf = Option(
        name: "as-of", value: "INSTANT|POSITION",
        summary: "as it was known then: an RFC 3339 instant or a position of the log")

    /// A reader for the moment asked for. The views are brought up to the log first, so that nobody
    /// is told of yesterday; where the database is read-only the lag is said.
    static func reader(_ arguments: Arguments) async throws -> ViewReader {
        let asked = try arguments.value("as-of").map(moment)
        let database = try Database(arguments)
        let log = try await database.openLog()
        let projector = ViewProjector(
            log: log, options: database.asWriter, now: currentMilliseconds)
        do {
            try await projector.catchUp()
        } catch let error as PostgreSQLError where error.code == .readOnly {
            let status = try await projector.status()
            Terminal.say(
                "\(error.description): the views stay at position \(status.position), "
                    + "\(status.logPosition - status.position) behind the log")
        }
        for failure in try await projector.status().failures {
            Terminal.say("the event at position \(failure.position) is set aside and not counted")
        }
        return ViewReader(log: log, moment: asked ?? .now(currentMilliseconds()))
    }

    private static func moment(_ text: String) throws -> ViewReader.Moment {
        if let position = Int64(text), position > 0 { return .position(position) }
        guard let instant = RFC3339.milliseconds(text) else {
            throw UsageError(
                "--as-of is neither a position nor an instant such as "
                    + "2026-03-14T12:00:00Z")
        }
        return .instant(instant)
    }
}
