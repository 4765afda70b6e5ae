import FoundationEssentials
import Testing

@testable import HTTPServer

/// The roads that a request can take to a handler: without any socket, or over a live one.
enum Transport: String, CaseIterable, Sendable {
    case memory
    case loopback
    case unixSocket

    /// What `handler` answers to `bytes`.
    func answer(
        _ bytes: [UInt8], limits: RequestLimits = RequestLimits(),
        milliseconds: Int = RawClient.patience,
        handler: @escaping HTTPHandler
    ) async throws -> Transcript {
        guard self != .memory else { return await Self.inMemory(bytes, limits, handler) }
        return try await withServer(limits: limits, handler: handler) { server in
            try await server.answer(bytes, milliseconds: milliseconds)
        }
    }

    func answer(
        _ text: String, limits: RequestLimits = RequestLimits(), handler: @escaping HTTPHandler
    ) async throws -> Transcript {
        try await answer(Array(text.utf8), limits: limits, handler: handler)
    }

    /// Runs `body` with a live server, loopback unless this is a Unix socket, and stops it.
    func withServer<R: Sendable>(
        limits: RequestLimits = RequestLimits(),
        onFailure: @escaping @Sendable (any Error) -> Void = { _ in },
        handler: @escaping HTTPHandler, _ body: (HTTPServer) async throws -> R
    ) async throws -> R {
        let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        let path = folder + "/quittance-\(UUID().uuidString).socket"
        let server = try await HTTPServer.start(
            at: self == .unixSocket ? .unixSocket(path: path) : .loopback(port: 0), limits: limits,
            onFailure: onFailure, handler: handler)
        let result = try await body(server)
        await server.stop(graceMilliseconds: 0)
        return result
    }

    private static func inMemory(
        _ bytes: [UInt8], _ limits: RequestLimits, _ handler: @escaping HTTPHandler
    ) async -> Transcript {
        let response: HTTPResponse
        switch FramingGuard(limits: limits).examine(bytes) {
        case .incomplete: return Transcript()
        case .refused(let problem): response = problem.response
        case .head(let head):
            let end = String(decoding: bytes, as: UTF8.self).firstRange(of: "\r\n\r\n")
            let start = end.map { String(decoding: bytes, as: UTF8.self)[..<$0.upperBound] }
            let body = Array(bytes.dropFirst(start?.utf8.count ?? 0).prefix(head.contentLength))
            guard body.count == head.contentLength else { return Transcript() }
            response = await respond(
                to: HTTPRequest(head: head, body: body), handler, { _ in })
        }
        return Transcript(bytes: response.serialized(secondsSince1970: 0), ending: .closed)
    }
}

/// Says back what it was asked.
let echo: HTTPHandler = { request in
    let text = "\(request.method.rawValue) \(request.target.text) \(request.body.count)"
    return HTTPResponse(contentType: "text/plain", body: Array(text.utf8))
}
