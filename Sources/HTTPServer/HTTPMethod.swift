/// The methods that are served (RFC 9110, section 9; RFC 5789). Others are answered with 501.
public enum HTTPMethod: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"

    /// Whether a request of this method may carry content. For GET and HEAD it means nothing
    /// (RFC 9110, section 9.3.1), and servers disagree about where it ends, so it is refused.
    var allowsContent: Bool {
        switch self {
        case .get, .head: false
        case .post, .put, .patch, .delete, .options: true
        }
    }
}
