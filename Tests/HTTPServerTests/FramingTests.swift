import Testing

@testable import HTTPServer

@Suite("Framing")
struct FramingTests {
    @Test(
        "every probe is answered as it should be, with and without a socket", arguments: Probe.all)
    func probe(_ probe: Probe) async throws {
        for transport in Transport.allCases {
            let transcript = try await transport.answer(probe.bytes, handler: echo)
            #expect(transcript.statuses == probe.statuses, "\(transport)")
            #expect(transcript.ending == .closed, "\(transport)")
            #expect(!transcript.text.contains("evil"), "\(transport)")
        }
    }

    @Test("a client that waits for 100 Continue gets it, and its answer")
    func expectation() async throws {
        try await Transport.loopback.withServer(handler: echo) { server in
            let transcript = try await blocking { [address = server.address] in
                let client = try RawClient(address)
                let head = "POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
                client.send(Array((head + "Content-Length: 5\r\n\r\n").utf8))
                let first = client.receive(milliseconds: 300)
                #expect(first.statuses == [100])
                #expect(first.ending == .open)
                client.send(Array("hello".utf8))
                return client.receive(milliseconds: RawClient.patience)
            }
            #expect(transcript.statuses == [200])
            #expect(transcript.body == "POST /a 5")
        }
    }

    @Test("the largest head that is allowed arrives whole", arguments: Transport.allCases)
    func largestHead(_ transport: Transport) async throws {
        let limits = RequestLimits()
        let start = "GET /a HTTP/1.1\r\nHost: x\r\nX: "
        let filler = repeated("a", limits.headBytesMax - start.utf8.count - 4)
        let transcript = try await transport.answer(start + filler + "\r\n\r\n") { request in
            HTTPResponse(
                contentType: "text/plain", body: Array("\(request.fields["x"] == filler)".utf8))
        }
        #expect(transcript.body == "true")
        let more = try await transport.answer(start + "a" + filler + "\r\n\r\n", handler: echo)
        #expect(more.statuses == [431])
    }

    @Test("a refusal is a problem document that says what is wrong")
    func refusal() async throws {
        for transport in Transport.allCases {
            let answer = try await transport.answer("GET /a HTTP/1.1\r\n\r\n", handler: echo)
            #expect(answer.field("Content-Type") == "application/problem+json")
            #expect(answer.field("Connection") == "close")
            #expect(answer.body.contains(#""type":"/problems/malformed-request""#))
            #expect(answer.body.contains(#""detail":"there must be one Host""#))
        }
    }

    @Test("the dates of refusals are in the standard's form")
    func date() {
        #expect(HTTPDate.text(secondsSince1970: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }
}
