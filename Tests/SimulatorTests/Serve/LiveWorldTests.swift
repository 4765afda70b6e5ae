import Glibc
import HTTPServer
import JSON
import Testing

@testable import Simulator

@Suite("A world served over a socket")
struct LiveWorldTests {
    @Test("a history and a delivery are answered over a live connection")
    func live() async throws {
        let world = try ServedFolder.shared()
        let service = try world.server()
        var limits = RequestLimits()
        limits.handlerMillisecondsMax = 600_000
        let server = try await HTTPServer.start(at: .loopback(port: 0), limits: limits) {
            try await service.respond(to: $0)
        }
        let line = try #require(try world.lines("history/transactions.ndjson").first)
        let path = try #require(line["path"]?.string)
        let bundle = try #require(line.at("body", "bundleId")?.string)
        let token = service.key.token(bundleId: bundle, issuedAt: ServedFolder.now / 1000)
        let history = try await ask(
            server.address,
            "GET \(path) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n\r\n")
        #expect(history.hasPrefix("HTTP/1.1 200 "))
        #expect(history.contains("\"signedTransactions\":[\"ey"))
        let body = "{\"account\":\"live\",\"productId\":\"p\",\"quantity\":1}"
        let delivery = try await ask(
            server.address,
            "POST /deliveries HTTP/1.1\r\nHost: x\r\nIdempotency-Key: \"live/1/1\"\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(delivery.hasSuffix("{\"deliveryId\":\"live/1/1\",\"status\":\"succeeded\"}"))
        await server.stop()
    }

    /// Sends a request and reads the answer to its end.
    private func ask(_ address: ServerAddress, _ request: String) async throws -> String {
        guard case .loopback(let port) = address else { return "" }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let isConnected = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        #expect(isConnected == 0)
        send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL))
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        // Polls without blocking: the handler needs the pool's threads.
        for _ in 0..<1000 {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count == 0 { break }
            if count > 0 {
                answer += buffer.prefix(count)
            } else {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        return String(decoding: answer, as: UTF8.self)
    }
}
