import Glibc
import Testing

@testable import HTTPServer

@Suite("A live server")
struct ServerTests {
    private static let get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test(
        "a client that sends byte by byte is served", arguments: [Transport.loopback, .unixSocket])
    func slowClient(_ transport: Transport) async throws {
        try await transport.withServer(handler: echo) { server in
            let answer = try await blocking { [address = server.address] in
                let client = try RawClient(address)
                for byte in "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello".utf8 {
                    client.send([byte])
                    usleep(500)
                }
                return client.receive(milliseconds: RawClient.patience)
            }
            #expect(answer.body == "POST /a 5")
        }
    }

    @Test("a client that half-closes after its request is answered")
    func halfClosed() async throws {
        for transport in [Transport.loopback, .unixSocket] {
            try await transport.withServer(handler: echo) { server in
                let answer = try await blocking { [address = server.address] in
                    let client = try RawClient(address)
                    client.send(Array(Self.get.utf8))
                    client.finishSending()
                    return client.receive(milliseconds: RawClient.patience)
                }
                #expect(answer.body == "GET /a 0")
            }
        }
    }

    @Test("a head that never ends is answered with 408, and a silent connection closed")
    func slowHead() async throws {
        var limits = RequestLimits()
        limits.headMillisecondsMax = 200
        try await Transport.loopback.withServer(limits: limits, handler: echo) { server in
            let slow = try await server.answer("GET /a HTTP/1.1\r\nHost")
            #expect(slow.statuses == [408])
            let silent = try await server.answer("")
            #expect(silent.bytes.isEmpty)
            #expect(silent.ending == .closed)
        }
    }

    @Test("a head that the client cuts off is refused")
    func cutHead() async throws {
        try await Transport.loopback.withServer(handler: echo) { server in
            let answer = try await blocking { [address = server.address] in
                let client = try RawClient(address)
                client.send(Array("GET /a HTTP/1.1\r\nHost".utf8))
                client.finishSending()
                return client.receive(milliseconds: RawClient.patience)
            }
            #expect(answer.statuses == [400])
        }
    }

    @Test("content that dribbles in for ever ends with the connection")
    func slowContent() async throws {
        var limits = RequestLimits()
        limits.bodyMillisecondsMax = 300
        try await Transport.loopback.withServer(limits: limits, handler: echo) { server in
            let answer = try await blocking { [address = server.address] in
                let client = try RawClient(address)
                let head = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n"
                var isTaken = client.send(Array(head.utf8))
                for _ in 0..<200 where isTaken {
                    isTaken = client.send([97])
                    usleep(20_000)
                }
                #expect(!isTaken)
                return client.receive(milliseconds: 1000)
            }
            #expect(answer.bytes.isEmpty)
        }
    }

    @Test("a client that sends far too much gets its refusal all the same")
    func hugeContent() async throws {
        try await Transport.loopback.withServer(handler: echo) { server in
            let answer = try await blocking { [address = server.address] in
                let client = try RawClient(address)
                let head = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n"
                client.send(Array(head.utf8))
                for _ in 0..<30 { client.send([UInt8](repeating: 97, count: 100_000)) }
                client.finishSending()
                return client.receive(milliseconds: RawClient.patience)
            }
            #expect(answer.statuses == [413])
            #expect(answer.ending == .closed)
        }
    }

    @Test("content and an answer of megabytes arrive whole")
    func largeContent() async throws {
        let size = 1_000_000
        for transport in [Transport.loopback, .unixSocket] {
            let head = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: \(size)\r\n\r\n"
            let content = Array(repeated("quittance ", size / 10).utf8)
            let answer = try await transport.answer(Array(head.utf8) + content) { request in
                HTTPResponse(contentType: "application/octet-stream", body: request.body)
            }
            #expect(answer.bytes.suffix(size).elementsEqual(content))
            #expect(answer.ending == .closed)
        }
    }

    @Test("an answer that nobody reads is given up")
    func unreadAnswer() async throws {
        var limits = RequestLimits()
        limits.responseMillisecondsMax = 300
        try await Transport.loopback.withServer(limits: limits) { _ in
            HTTPResponse(contentType: "text/plain", body: [UInt8](repeating: 97, count: 40 << 20))
        } _: { server in
            let answer = try await blocking { [address = server.address] in
                let client = try RawClient(address)
                client.send(Array(Self.get.utf8))
                usleep(1_200_000)
                return client.receive(milliseconds: RawClient.patience)
            }
            #expect(answer.bytes.count < 40 << 20)
            #expect(answer.ending != .open)
        }
    }

    @Test("a handler that takes too long is cancelled, and its client told")
    func slowHandler() async throws {
        var limits = RequestLimits()
        limits.handlerMillisecondsMax = 200
        let wasCancelled = Locked(false)
        try await Transport.loopback.withServer(limits: limits) { _ in
            do {
                try await Task.sleep(for: .seconds(60))
            } catch {
                wasCancelled.withLock { $0 = true }
            }
            return HTTPResponse(status: 204)
        } _: { server in
            let answer = try await server.answer(Self.get)
            #expect(answer.statuses == [503])
            #expect(answer.body.contains("handler-timeout"))
        }
        #expect(wasCancelled.withLock { $0 })
    }

    @Test("an error of a handler is told to the server's owner")
    func failures() async throws {
        struct Broken: Error {}
        let count = Locked(0)
        try await Transport.loopback.withServer(onFailure: { error in
            if error is Broken { count.withLock { $0 += 1 } }
        }) { _ in
            throw Broken()
        } _: { server in
            let answer = try await server.answer(Self.get)
            #expect(answer.statuses == [500])
        }
        #expect(count.withLock { $0 } == 1)
    }

    @Test("an answer with an impossible status becomes 500")
    func impossibleStatus() async throws {
        let answer = try await Transport.loopback.answer(Self.get) { _ in HTTPResponse(status: 7) }
        #expect(answer.statuses == [500])
    }
}
