import FoundationEssentials
import Glibc
import Testing

@testable import HTTPServer

@Suite("Many connections, and the end")
struct LoadTests {
    private static let get = Array("GET /a HTTP/1.1\r\nHost: x\r\n\r\n".utf8)

    @Test("more connections than are allowed at a time are all served")
    func many() async throws {
        var limits = RequestLimits()
        limits.connectionsMax = 8
        let state = Locked((now: 0, most: 0))
        try await Transport.loopback.withServer(limits: limits) { request in
            state.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            try await Task.sleep(for: .milliseconds(5))
            state.withLock { $0.now -= 1 }
            return HTTPResponse(contentType: "text/plain", body: request.body)
        } _: { server in
            let served = try await blocking { [address = server.address] in
                let clients = try (0..<100).map { _ in try RawClient(address) }
                for client in clients { client.send(Self.get) }
                return clients.map { $0.receive(milliseconds: RawClient.patience).statuses }
            }
            #expect(served == Array(repeating: [200], count: 100))
        }
        #expect((1...8).contains(state.withLock { $0.most }))
    }

    @Test("connections that say nothing cannot keep others out for ever")
    func silent() async throws {
        var limits = RequestLimits()
        limits.connectionsMax = 4
        limits.headMillisecondsMax = 300
        try await Transport.loopback.withServer(limits: limits, handler: echo) { server in
            let statuses = try await blocking { [address = server.address] in
                let silent = try (0..<10).map { _ in try RawClient(address) }
                let client = try RawClient(address)
                client.send(Self.get)
                defer { withExtendedLifetime(silent) {} }
                return client.receive(milliseconds: RawClient.patience).statuses
            }
            #expect(statuses == [200])
        }
    }

    @Test("contents that together would take too much memory are put off")
    func bodyBudget() async throws {
        var limits = RequestLimits()
        limits.bodyBytesTotalMax = 1000
        try await Transport.loopback.withServer(limits: limits, handler: echo) { server in
            let head = Array("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 600\r\n\r\n".utf8)
            let content = [UInt8](repeating: 97, count: 600)
            let (first, second, third) = try await blocking { [address = server.address] in
                let first = try RawClient(address)
                first.send(head)
                usleep(200_000)
                let second = try RawClient(address)
                second.send(head + content)
                let refused = second.receive(milliseconds: RawClient.patience)
                first.send(content)
                let served = first.receive(milliseconds: RawClient.patience)
                let third = try RawClient(address)
                third.send(head + content)
                return (served, refused, third.receive(milliseconds: RawClient.patience))
            }
            #expect(first.statuses == [200])
            #expect(second.statuses == [503])
            #expect(second.field("Retry-After") == "1")
            #expect(third.statuses == [200])
        }
    }

    @Test("a server that is stopped under load finishes what it began, and takes no more")
    func stopUnderLoad() async throws {
        let begun = Locked(0)
        let server = try await HTTPServer.start(at: .loopback(port: 0)) { _ in
            begun.withLock { $0 += 1 }
            try await Task.sleep(for: .milliseconds(300))
            return HTTPResponse(status: 204)
        }
        let address = server.address
        async let answers = blocking {
            let clients = try (0..<50).map { _ in try RawClient(address) }
            for client in clients { client.send(Self.get) }
            return clients.map { $0.receive(milliseconds: RawClient.patience) }
        }
        while begun.withLock({ $0 }) < 50 { try await Task.sleep(for: .milliseconds(5)) }
        await server.stop(graceMilliseconds: 60_000)
        #expect(throws: ConnectError.self) { try RawClient(address) }
        #expect(try await answers.allSatisfy { $0.statuses == [204] && $0.ending == .closed })
    }

    @Test("a server that cannot wait tells its clients, and stops within a second")
    func impatientStop() async throws {
        let begun = Locked(0)
        let server = try await HTTPServer.start(at: .loopback(port: 0)) { _ in
            begun.withLock { $0 += 1 }
            try await Task.sleep(for: .seconds(60))
            return HTTPResponse(status: 204)
        }
        async let answer = server.answer(Self.get)
        async let unfinished = server.answer(
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n")
        while begun.withLock({ $0 }) < 1 { try await Task.sleep(for: .milliseconds(5)) }
        try await Task.sleep(for: .milliseconds(50))
        let start = ContinuousClock.now
        await server.stop(graceMilliseconds: 50)
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(try await answer.statuses == [503])
        #expect(try await unfinished.statuses == [])
    }

    @Test("a server that nobody holds any more is gone")
    func forgotten() async throws {
        var server: HTTPServer? = try await HTTPServer.start(at: .loopback(port: 0), handler: echo)
        let address = try #require(server?.address)
        #expect(try await server?.answer("GET /a HTTP/1.1\r\nHost: x\r\n\r\n").statuses == [200])
        server = nil
        for _ in 0..<100 where (try? RawClient(address)) != nil {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(throws: ConnectError.self) { try RawClient(address) }
    }

    @Test("an address that is taken is refused; a socket that a killed server left is not")
    func addresses() async throws {
        let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        let address = ServerAddress.unixSocket(path: folder + "/quittance-\(UUID()).socket")
        guard case .unixSocket(let path) = address else { return }
        // What a killed server leaves.
        let first = try Listener(address)
        close(first.descriptor)
        let server = try await HTTPServer.start(at: address, handler: echo)
        await #expect(throws: ServerStartError.self) {
            try await HTTPServer.start(at: address, handler: echo)
        }
        await #expect(throws: ServerStartError.self) {
            let long = ServerAddress.unixSocket(path: "/" + repeated("a", 107))
            return try await HTTPServer.start(at: long, handler: echo)
        }
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o660)
        await server.stop(graceMilliseconds: 0)
        #expect(lstat(path, &status) != 0)
    }
}
