/// Answers a request; what it throws becomes a problem document. A `Problem` is told as it is,
/// any other error as `internal-error`, with nothing of it shown.
public typealias HTTPHandler = @Sendable (HTTPRequest) async throws -> HTTPResponse

/// Finds the handler of a method and path.
public struct Router: Sendable {
    /// Answers a request whose path filled the holes of a template.
    public typealias Handler =
        @Sendable (HTTPRequest, PathParameters) async throws -> HTTPResponse

    private struct Route: Sendable {
        let method: HTTPMethod
        let template: PathTemplate
        let handler: Handler
    }

    private var routes: [Route] = []

    /// A router with no routes.
    public init() {}

    /// Adds a route. Where two fit, the one that was added first is taken.
    public mutating func on(
        _ method: HTTPMethod, _ template: PathTemplate, _ handler: @escaping Handler
    ) {
        routes.append(Route(method: method, template: template, handler: handler))
    }

    /// The answer of the route; 404 if no path fits, 405 if no method does. HEAD is answered as
    /// GET; the server leaves the content out.
    public func respond(to request: HTTPRequest) async throws -> HTTPResponse {
        let method = request.method == .head ? .get : request.method
        var allowed: Set<HTTPMethod> = []
        for route in routes {
            guard let values = route.template.match(request.target.segments) else { continue }
            if route.method == method {
                return try await route.handler(request, PathParameters(values))
            }
            allowed.insert(route.method)
        }
        guard !allowed.isEmpty else { throw Problem(.notFound) }
        if allowed.contains(.get) { allowed.insert(.head) }
        var response = Problem(.methodNotAllowed).response
        response.fields.append("Allow", allowed.map(\.rawValue).sorted().joined(separator: ", "))
        return response
    }
}

/// What filled the holes of a path template.
public struct PathParameters: Sendable {
    private let values: [String: String]

    init(_ values: [String: String]) { self.values = values }

    /// The segment that filled the hole of that name, decoded and not empty.
    /// - Throws: `Problem` if the template has no such hole.
    public func value(_ name: String) throws -> String {
        guard let value = values[name] else { throw Problem(.internalError) }
        return value
    }
}
