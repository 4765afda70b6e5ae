import HTTPServer
import JSON
import Synchronization
import Testing

@testable import Simulator

@Suite("Who may ask a served App Store, and how often")
struct AccessTests {
    private static let second = ServedFolder.now / 1000
    private static let path = "/inApps/v1/lookup/MNOPE"

    /// A token of the world's key whose header and claims are as they should be, but for `changes`.
    private static func token(
        _ key: ServerAPIKey, header: [String: String] = [:], claims: [String: String] = [:]
    ) -> String {
        let text = { (members: [(String, String)], changes: [String: String]) in
            let changed = members.map { ($0.0, changes[$0.0] ?? $0.1) }.filter { $0.1 != "-" }
            return "{" + changed.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
        }
        let head = text([("alg", "\"ES256\""), ("kid", "\"\(key.keyId)\"")], header)
        let body = text(
            [
                ("iss", "\"\(key.issuerId)\""), ("iat", "\(second)"), ("exp", "\(second + 3600)"),
                ("aud", "\"appstoreconnect-v1\""), ("bid", "\"com.example.lantern\""),
            ], claims)
        return "Bearer " + key.token(header: Array(head.utf8), claims: Array(body.utf8))
    }

    @Test(
        "a good token is accepted, for an hour at most, and without `iat` as Apple's client has it",
        arguments: [[:], ["iat": "-", "exp": "\(second + 300)"]])
    func good(claims: [String: String]) async throws {
        let server = try ServedFolder.shared().server()
        let token = Self.token(server.key, claims: claims)
        #expect(try await server.ask(.get, Self.path, token: token).status == 200)
    }

    @Test(
        "a token with anything wrong is answered with 401",
        arguments: [
            (["alg": "\"none\""], [:]), (["alg": "\"HS256\""], [:]), (["kid": "\"OTHER\""], [:]),
            (["kid": "-"], [:]), ([:], ["iss": "\"someone\""]), ([:], ["aud": "\"other\""]),
            ([:], ["aud": "-"]), ([:], ["bid": "\"com.example.nobody\""]), ([:], ["bid": "-"]),
            ([:], ["exp": "\(second)"]), ([:], ["exp": "\(second + 3601)"]),
            ([:], ["exp": "\"\(second + 60)\""]), ([:], ["exp": "-"]),
            ([:], ["iat": "\"\(second)\""]),
            ([:], ["iat": "-", "exp": "\(second + 3661)"]), ([:], ["exp": "\(second).5"]),
            ([:], ["iat": "\(second + 61)"]), ([:], ["iat": "\(second - 3600)"]),
            ([:], ["iat": "-9223372036854775808"]),
        ] as [([String: String], [String: String])])
    func bad(header: [String: String], claims: [String: String]) async throws {
        let server = try ServedFolder.shared().server()
        let token = Self.token(server.key, header: header, claims: claims)
        let answer = try await server.ask(.get, Self.path, token: token)
        #expect(answer.status == 401)
        #expect(answer.json == nil)
    }

    @Test("a value that is no token, or signed by another key, is answered with 401")
    func forged() async throws {
        let server = try ServedFolder.shared().server()
        let good = Self.token(server.key)
        let other = try #require(ServerAPIKey(rootDER: [1, 2, 3]))
        let forged = Self.token(
            other, header: ["kid": "\"\(server.key.keyId)\""],
            claims: ["iss": "\"\(server.key.issuerId)\""])
        let values = [
            "", "Bearer", "Bearer a.b", "Basic " + good.dropFirst(7), good + "A", good + ".a",
            String(good.dropLast(2)), "Bearer " + String(repeating: "a", count: 10_000), forged,
        ]
        for value in values {
            #expect(try await server.ask(.get, Self.path, token: value).status == 401)
        }
        let none = try HTTPRequest(.get, Self.path)
        #expect(try await server.respond(to: none).status == 401)
    }

    @Test("the key in the folder is the one that App Store Connect would hand out")
    func key() throws {
        let key = try #require(ServerAPIKey(rootDER: MintedChain(seed: 3).rootDER))
        let again = try #require(ServerAPIKey(rootDER: MintedChain(seed: 3).rootDER))
        #expect(key.pem == again.pem && key.keyId.utf8.count == 10)
        let lines = key.pem.split(separator: "\n")
        #expect(lines.first == "-----BEGIN PRIVATE KEY-----")
        #expect(lines.allSatisfy { $0.utf8.count <= 64 })
    }

    @Test("above Apple's rate a request is told when to come again, app by app")
    func limits() async throws {
        let now = Mutex(ServedFolder.now)
        let server = try ServedFolder.shared().server(limitPercent: 100) { now.withLock { $0 } }
        for _ in 0..<10 { #expect(try await server.ask(.get, Self.path).status == 200) }
        let refused = try await server.ask(.get, Self.path)
        #expect(refused.status == 429 && refused.errorCode == 4_290_000)
        let next = try #require(refused.response.fields["Retry-After"].flatMap { Int64($0) })
        #expect((ServedFolder.now + 1...ServedFolder.now + 1000).contains(next))
        let other = try await server.ask(.get, Self.path, as: "com.example.harbor")
        #expect(other.status == 200)
        let history = try await server.ask(.get, "/inApps/v2/history/999")
        #expect(history.status == 404)
        now.withLock { $0 = next }
        #expect(try await server.ask(.get, Self.path).status == 200)
        #expect(try await server.ask(.get, Self.path).status == 429)
    }

    @Test("the faults that were chosen strike")
    func faults() async throws {
        let world = try ServedFolder.shared()
        let failing = try world.server(faults: "app-store-fails")
        let failed = try await failing.ask(.get, Self.path)
        #expect(failed.status == 500 && failed.errorCode == 5_000_001)
        let busy = try world.server(faults: "app-store-busy")
        #expect(try await busy.ask(.get, Self.path).status == 429)
        let silent = try world.server(faults: "app-store-silent")
        let request = Task { try await silent.ask(.get, Self.path) }
        try await Task.sleep(for: .milliseconds(50))
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
        #expect(ServeFaults(named: "no-such-fault") == nil)
    }

    @Test("a rate strikes about as often as it says, and the same way for the same seed")
    func rates() throws {
        let strikes = { (seed: UInt64) throws -> [Bool] in
            var faults = try #require(ServeFaults(named: "all", seed: seed))
            return (0..<10_000).map { _ in faults.strike([.appStoreFails]) != nil }
        }
        let first = try strikes(1)
        #expect((300...500).contains(first.count { $0 }))
        #expect(try strikes(1) == first)
        #expect(try strikes(2) != first)
    }
}
