import FoundationEssentials
import HTTPServer
import JSON
import Testing

@testable import Simulator

@Suite("A served delivery endpoint")
struct DeliveryServerTests {
    /// A router over a delivery server of its own folder.
    private func router(_ folder: String, faults: String = "none") throws -> Router {
        var router = Router()
        try DeliveryServer(
            folder: folder, faults: ServeFaults(named: faults) ?? ServeFaults(),
            now: { ServedFolder.now }
        ).addRoutes(to: &router)
        return router
    }

    private func deliver(
        _ router: Router, key: String? = "\"com.example.lantern/2000000000000001/1\"",
        body: String = "{\"account\":\"a1\",\"productId\":\"gems.100\",\"quantity\":1}"
    ) async throws -> Int {
        var fields = HTTPFields()
        if let key { fields.append("Idempotency-Key", key) }
        let request = try HTTPRequest(.post, "/deliveries", fields: fields, body: Array(body.utf8))
        do {
            return try await router.respond(to: request).status
        } catch let problem as Problem {
            return problem.kind.status
        }
    }

    private func ledger(_ folder: String) throws -> [Substring] {
        let url = URL(filePath: "\(folder)/served/delivery-ledger.csv")
        return String(decoding: try Data(contentsOf: url), as: UTF8.self).split(separator: "\n")
            .dropFirst().map { $0 }
    }

    @Test("a delivery is done once, however often it is asked for, also after a restart")
    func once() async throws {
        let folder = try TemporaryFolders.make()
        let first = try router(folder)
        for _ in 0..<3 { #expect(try await deliver(first) == 200) }
        let second = try router(folder)
        #expect(try await deliver(second) == 200)
        #expect(
            try ledger(folder) == [
                "com.example.lantern/2000000000000001/1,com.example.lantern,a1,,2000000000000001,"
                    + "gems.100,1,,2026-06-01T12:00:00Z,2026-06-01T12:00:00Z,,"
            ])
    }

    @Test("many at once are still one")
    func concurrent() async throws {
        let folder = try TemporaryFolders.make()
        let router = try router(folder)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await deliver(router) } }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(statuses == [200])
        #expect(try ledger(folder).count == 1)
    }

    @Test("a key that stands for something else is a conflict")
    func conflict() async throws {
        let folder = try TemporaryFolders.make()
        let router = try router(folder)
        #expect(try await deliver(router) == 200)
        let other = "{\"account\":\"a2\",\"productId\":\"gems.100\",\"quantity\":1}"
        #expect(try await deliver(router, body: other) == 409)
        let second = "\"com.example.lantern/2000000000000001/2\""
        #expect(try await deliver(router, key: second, body: other) == 200)
        #expect(try ledger(folder).count == 2)
    }

    @Test(
        "a key of another form is refused",
        arguments: [
            nil, "", "\"\"", "com.example/1/1", "\"com.example/1\"", "\"com.example/1/0\"",
            "\"com.example/1/01\"", "\"com.example/1/x\"", "\"com.example//1\"", "\"a,b/1/1\"",
            "\"a/1/1/1\"",
        ])
    func keys(key: String?) async throws {
        let folder = try TemporaryFolders.make()
        #expect(try await deliver(router(folder), key: key) == 400)
        #expect(try ledger(folder).isEmpty)
    }

    @Test(
        "content that does not say what to deliver is refused",
        arguments: [
            "", "[]", "{}", "{\"account\":\"a\",\"productId\":\"p\"}",
            "{\"account\":\"a\",\"productId\":\"p\",\"quantity\":0}",
            "{\"account\":\"a,b\",\"productId\":\"p\",\"quantity\":1}",
            "{\"account\":\"a\",\"productId\":\"p\\n\",\"quantity\":1}",
            "{\"account\":\"a\",\"productId\":\"p\",\"quantity\":1,\"orderNumber\":7}",
        ])
    func bodies(body: String) async throws {
        let folder = try TemporaryFolders.make()
        #expect(try await deliver(router(folder), body: body) == 400)
        #expect(try ledger(folder).isEmpty)
    }

    @Test(
        "each fault answers and does what it says",
        arguments: [
            ("delivery-fails", 500, 0), ("delivery-conflicts", 409, 0),
            ("delivery-not-done", 200, 0), ("delivery-answer-lost", 500, 1),
        ])
    func faults(name: String, status: Int, done: Int) async throws {
        let folder = try TemporaryFolders.make()
        #expect(try await deliver(router(folder, faults: name)) == status)
        #expect(try ledger(folder).count == done)
        #expect(try await deliver(router(folder)) == 200)
        #expect(try ledger(folder).count == 1)
    }
}
