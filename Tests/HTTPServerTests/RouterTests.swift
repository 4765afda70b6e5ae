import Testing

@testable import HTTPServer

@Suite("Routes")
struct RouterTests {
    private static let router: Router = {
        var router = Router()
        let says: @Sendable (String) -> Router.Handler = { name in
            { _, path in
                let id = (try? path.value("id")) ?? ""
                return HTTPResponse(contentType: "text/plain", body: Array("\(name) \(id)".utf8))
            }
        }
        router.on(.get, "/", says("top"))
        router.on(.get, "/orders/latest", says("latest"))
        router.on(.get, "/orders/{id}", says("order"))
        router.on(.put, "/orders/{id}", says("put"))
        router.on(.post, "/orders/{id}/cancel", says("cancel"))
        return router
    }()

    private func ask(_ line: String, _ transport: Transport = .memory) async throws -> Transcript {
        try await transport.answer("\(line) HTTP/1.1\r\nHost: x\r\n\r\n") {
            try await Self.router.respond(to: $0)
        }
    }

    @Test(
        "a path finds its handler",
        arguments: [
            ("GET /", "top "), ("GET /orders/7", "order 7"), ("PUT /orders/7", "put 7"),
            ("GET /orders/latest", "latest "), ("POST /orders/a%2Fb/cancel", "cancel a/b"),
        ])
    func found(line: String, body: String) async throws {
        #expect(try await ask(line).body == body)
    }

    @Test(
        "a path that nobody serves is not found",
        arguments: [
            "GET /orders", "GET /orders/", "GET /orders/7/", "GET //orders/7", "GET /Orders/7",
        ])
    func notFound(line: String) async throws {
        #expect(try await ask(line).statuses == [404])
    }

    @Test("a method that a path does not allow is told which it does")
    func notAllowed() async throws {
        for transport in Transport.allCases {
            let answer = try await ask("DELETE /orders/7", transport)
            #expect(answer.statuses == [405])
            #expect(answer.field("Allow") == "GET, HEAD, PUT")
        }
    }
}
