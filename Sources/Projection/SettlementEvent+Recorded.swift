package import EventLog
internal import JSON
package import Settlement

extension SettlementEvent {
    /// The event as the domain sees it: personal values in their places, signed parts as judged.
    /// - Throws: `EventLogError` for a damaged row, `JSONError` for a body that is not JSON.
    package init(_ event: RecordedEvent) throws {
        let body = try JSONValue(parsing: event.readableBody(), limits: Self.limits)
        let parts = try event.readableParts()
        let judged = parts.isEmpty ? [] : try JSONValue(parsing: parts, limits: Self.limits).array
        var data = body["data"] ?? JSONValue(.null)
        var rejudged: Rejudged?
        if event.type == ReverifiedEvent.type, let first = data["of"],
            let type = first["type"]?.string, let receivedAt = first["receivedAt"]?.int64
        {
            rejudged = Rejudged(type: type, receivedAt: receivedAt)
            data = data.at("received", "data") ?? JSONValue(.null)
        }
        self.init(
            key: event.eventKey.bytes, source: event.source, type: event.type,
            receivedAt: event.receivedAt, data: data, parts: judged ?? [], rejudged: rejudged)
    }

    /// Wider than any door's, since the service wraps what it received once more.
    private static var limits: JSONLimits { JSONLimits(bytesMax: 64 << 20, depthMax: 80) }
}
