import JSON
import Testing

@testable import HTTPServer

@Suite("Requests and answers")
struct RequestTests {
    private static func describe(_ request: HTTPRequest) -> HTTPResponse {
        var json = JSONWriter()
        json.object { json in
            json.name("segments")
            json.array(request.target.segments) { $0.string($1) }
            json.name("query")
            json.array(request.target.query) { $0.string("\($1.name)=\($1.value)") }
            json.member("x", request.fields["x-value"])
            json.member("body", String(decoding: request.body, as: UTF8.self))
        }
        return .json(json.bytes)
    }

    @Test("a handler sees path, query, fields and content", arguments: Transport.allCases)
    func whole(_ transport: Transport) async throws {
        let answer = try await transport.answer(
            "POST /a%2Fb/%C3%A9?x=1&y=%20&x=&z HTTP/1.1\r\nhost: x:80\r\n"
                + "X-Value: \t a b \t\r\nContent-Length: 7\r\n\r\n{\"é\":1"
        ) { Self.describe($0) }
        #expect(answer.statuses == [200])
        let json = try JSONValue(parsing: Array(answer.body.utf8))
        #expect(json["segments"]?.array?.map(\.string) == ["a/b", "é"])
        #expect(json["query"]?.array?.map(\.string) == ["x=1", "y= ", "x=", "z="])
        #expect(json["x"]?.string == "a b")
        #expect(json["body"]?.string == "{\"é\":1")
    }

    @Test("HEAD is answered as GET, without the content", arguments: Transport.allCases)
    func head(_ transport: Transport) async throws {
        guard transport != .memory else { return }
        let answer = try await transport.answer(
            "HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n", handler: echo)
        #expect(answer.statuses == [200])
        #expect(answer.field("Content-Length") == "9")
        #expect(answer.body.isEmpty)
    }

    @Test("HTTP/1.0 is spoken, as reverse proxies do", arguments: Transport.allCases)
    func oldVersion(_ transport: Transport) async throws {
        let answer = try await transport.answer("GET /a HTTP/1.0\r\nHost: x\r\n\r\n", handler: echo)
        #expect(answer.body == "GET /a 0")
    }

    @Test("an answer's field can hold no second field", arguments: Transport.allCases)
    func splitting(_ transport: Transport) async throws {
        let answer = try await transport.answer("GET /a HTTP/1.1\r\nHost: x\r\n\r\n") { _ in
            var response = HTTPResponse(status: 204)
            response.fields.append("X", "a\r\nSet-Cookie: b")
            return response
        }
        #expect(answer.statuses == [204])
        #expect(answer.field("Set-Cookie") == nil)
        #expect(answer.field("X") == "a  Set-Cookie: b")
    }

    @Test("a problem that a handler throws is told, and any other error is not")
    func errors() async throws {
        struct Secret: Error { let name = "secret" }
        for transport in Transport.allCases {
            let request = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
            let told = try await transport.answer(request) { _ in
                throw Problem(.conflict, "seen before", retryAfterSeconds: 3)
            }
            #expect(told.statuses == [409])
            #expect(told.field("Retry-After") == "3")
            let hidden = try await transport.answer(request) { _ in throw Secret() }
            #expect(hidden.statuses == [500])
            #expect(hidden.body.contains("internal-error") && !hidden.text.contains("ecret"))
        }
    }

    @Test("every problem has a status, a title and a type of its own")
    func registry() {
        let kinds = ProblemKind.allCases
        #expect(Set(kinds.map(\.type)).count == kinds.count)
        #expect(Set(kinds.map(\.title)).count == kinds.count)
        #expect(kinds.allSatisfy { (400...599).contains($0.status) })
    }
}
