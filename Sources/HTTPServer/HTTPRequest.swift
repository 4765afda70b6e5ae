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

    /// A request that came over no connection.
    /// - Parameter target: path and query as they would stand in the request line.
    /// - Throws: `Problem` for a target that the framing guard refuses.
    public init(
        _ method: HTTPMethod, _ target: String, fields: HTTPFields = HTTPFields(),
        body: [UInt8] = []
    ) throws {
        self.method = method
        self.target = try RequestTarget(Array(target.utf8)[...])
        self.fields = fields
        self.body = body
    }

    init(head: RequestHead, body: [UInt8]) {
        method = head.method
        target = head.target
        fields = head.fields
        self.body = body
    }
}
