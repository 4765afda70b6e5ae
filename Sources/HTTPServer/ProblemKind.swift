/// The registry of problems (RFC 9457, section 4): every problem that is ever told to a client.
public enum ProblemKind: String, Sendable, CaseIterable {
    // The request's framing.
    case malformedRequest = "malformed-request"
    case headTimeout = "head-timeout"
    case lengthRequired = "length-required"
    case contentTooLarge = "content-too-large"
    case targetTooLong = "target-too-long"
    case expectationFailed = "expectation-failed"
    case headTooLarge = "head-too-large"
    case methodNotImplemented = "method-not-implemented"
    case codingNotImplemented = "coding-not-implemented"
    case versionNotSupported = "version-not-supported"
    // Routing.
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    // What a handler finds.
    case invalidRequest = "invalid-request"
    case conflict = "conflict"
    case internalError = "internal-error"
    case handlerTimeout = "handler-timeout"
    case overloaded = "overloaded"
    case shuttingDown = "shutting-down"

    /// The member `type`: a path on the server that gave it.
    public var type: String { "/problems/\(rawValue)" }

    /// The status code that goes with it.
    public var status: Int {
        switch self {
        case .malformedRequest, .invalidRequest: 400
        case .notFound: 404
        case .methodNotAllowed: 405
        case .headTimeout: 408
        case .conflict: 409
        case .lengthRequired: 411
        case .contentTooLarge: 413
        case .targetTooLong: 414
        case .expectationFailed: 417
        case .headTooLarge: 431
        case .internalError: 500
        case .methodNotImplemented, .codingNotImplemented: 501
        case .handlerTimeout, .overloaded, .shuttingDown: 503
        case .versionNotSupported: 505
        }
    }

    /// The same for every occurrence.
    public var title: String {
        switch self {
        case .malformedRequest: "The request is not well-formed HTTP"
        case .headTimeout: "The head of the request took too long to arrive"
        case .lengthRequired: "Content needs a Content-Length"
        case .contentTooLarge: "The content is longer than allowed"
        case .targetTooLong: "The request target is longer than allowed"
        case .expectationFailed: "The expectation cannot be met"
        case .headTooLarge: "The header fields are larger than allowed"
        case .methodNotImplemented: "The method is not implemented"
        case .codingNotImplemented: "The transfer coding is not implemented"
        case .versionNotSupported: "Only HTTP/1.0 and HTTP/1.1 are spoken here"
        case .notFound: "There is nothing at this path"
        case .methodNotAllowed: "The path does not allow the method"
        case .invalidRequest: "The request does not say what it must"
        case .conflict: "The request contradicts an earlier one"
        case .internalError: "The server failed"
        case .handlerTimeout: "The answer took too long"
        case .overloaded: "The server has too much to do"
        case .shuttingDown: "The server is shutting down"
        }
    }
}
