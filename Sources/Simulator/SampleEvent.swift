internal import AppStoreModel
internal import JSON

/// One thing that was received, and the line it becomes.
struct SampleEvent: Sendable {
    let source: String
    let type: String
    let id: String
    let receivedAt: Int64
    /// When its producer says it happened; `nil` for Apple's, who sign their own instant.
    let time: Int64?
    /// JSON; of a notification the body that Apple posts.
    let data: [UInt8]

    /// As a CloudEvent with the instant at which it was received.
    var cloudEvent: [UInt8] {
        var writer = JSONWriter()
        writer.object { json in
            json.member("specversion", "1.0")
            json.member("source", source)
            json.member("id", id)
            json.member("type", type)
            if let time { json.member("time", RFC3339.text(time)) }
            json.member("recordedtime", RFC3339.text(receivedAt))
            json.member("datacontenttype", "application/json")
            json.name("data")
            json.raw(data)
        }
        return writer.bytes
    }
}
