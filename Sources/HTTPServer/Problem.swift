internal import JSON

/// What went wrong, as a client may know it: a problem document (RFC 9457).
public struct Problem: Error, Sendable, Equatable {
    /// Which of the registered problems it is.
    public let kind: ProblemKind
    /// What is wrong with this request; no personal data.
    public let detail: String?
    /// After how many seconds another try makes sense.
    public let retryAfterSeconds: Int?

    /// A problem of that kind.
    public init(_ kind: ProblemKind, _ detail: String? = nil, retryAfterSeconds: Int? = nil) {
        self.kind = kind
        self.detail = detail
        self.retryAfterSeconds = retryAfterSeconds
    }

    /// The document: `type`, `title`, `status`, `detail`.
    public var document: [UInt8] {
        var writer = JSONWriter()
        writer.object { json in
            json.member("type", kind.type)
            json.member("title", kind.title)
            json.member("status", kind.status)
            if let detail { json.member("detail", detail) }
        }
        return writer.bytes
    }

    /// The answer that carries the document.
    public var response: HTTPResponse {
        var response = HTTPResponse(
            status: kind.status, contentType: "application/problem+json", body: document)
        if let retryAfterSeconds {
            response.fields.append("Retry-After", String(retryAfterSeconds))
        }
        return response
    }
}
