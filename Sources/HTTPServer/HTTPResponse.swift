/// An answer, whole.
public struct HTTPResponse: Sendable, Equatable {
    /// The status code, from 200 to 599.
    public var status: Int
    /// Without `Content-Length`, `Connection` and `Date`, which the server adds.
    public var fields: HTTPFields
    /// The content.
    public var body: [UInt8]

    /// An answer with content.
    public init(status: Int = 200, contentType: String, body: [UInt8]) {
        self.status = status
        fields = HTTPFields(["Content-Type": contentType])
        self.body = body
    }

    /// An answer with no content.
    public init(status: Int) {
        self.status = status
        fields = HTTPFields()
        body = []
    }

    /// An answer in JSON.
    public static func json(_ body: [UInt8], status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, contentType: "application/json", body: body)
    }
}
