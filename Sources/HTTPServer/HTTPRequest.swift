/// A request whose framing is beyond doubt, with its whole content.
public struct HTTPRequest: Sendable {
    /// What is asked for.
    public let method: HTTPMethod
    /// On what: path and query.
    public let target: RequestTarget
    /// The header fields as they came.
    public let fields: HTTPFields
    /// The content; empty if there is none.
    public let body: [UInt8]

    init(head: RequestHead, body: [UInt8]) {
        method = head.method
        target = head.target
        fields = head.fields
        self.body = body
    }
}
