import Cryptography
import JSON
import PostgreSQL
import Simulator
import TestKit
import Testing

@Suite("The quarantine's commands", .fewAtOnce)
struct QuarantineCommandTests {
    /// A transaction that a root signed which nobody trusts yet.
    private static let chain = MintedChain(seed: 42)
    private static let jws = chain.sign(
        payload: TestApple.signer.transactionPayload(
            .init(transactionId: "7", productId: "gems.60", purchaseDate: TestApple.noon)))
    private static let digest = Hexadecimal.encode(SHA256.hash(jws))

    /// A desk whose quarantine holds one transaction and one text that is nothing.
    private func desk() async throws -> Desk {
        let desk = try await Desk()
        let file = try desk.folder.file("refused", lines: [Self.jws, Array("{\"a\":1}".utf8)])
        #expect(try desk.quittance.run("ingest", file).status == 4)
        return desk
    }

    private func trusting(_ desk: Desk) throws -> String {
        try desk.folder.file("other-root.der", Self.chain.rootDER)
    }

    @Test("list names each piece by its whole digest, with door and reason; counts count all")
    func list() async throws {
        let desk = try await desk()
        let items = try desk.quittance.run("quarantine", "list", "--json").jsonLines()
        #expect(items.count == 2)
        let item = try #require(items.first { $0["digest"]?.string == Self.digest })
        #expect(item["door"]?.string == "import" && item["reason"]?.string == "untrusted-chain")
        #expect(item["size"]?.int64 == Int64(Self.jws.count))
        let text = try desk.quittance.run("quarantine", "list", "--door", "import").text
        #expect(text.contains(Self.digest))
        #expect(try desk.quittance.run("quarantine", "list", "--door", "other").out.isEmpty)
        let counts = try desk.quittance.run("quarantine", "list", "--counts", "--json").jsonLines()
        #expect(Set(counts.map { $0["reason"]?.string }) == ["untrusted-chain", "unknown-kind"])
        #expect(counts.allSatisfy { $0["refused"]?.int64 == 1 && $0["kept"]?.int64 == 1 })
    }

    @Test("show tells how it is judged now, and gives the bytes as they came")
    func show() async throws {
        let desk = try await desk()
        let text = try desk.quittance.run("quarantine", "show", Self.digest).text
        #expect(text.contains("now       refused: untrusted-chain"))
        let trusted = try desk.quittance.run(
            "quarantine", "show", Self.digest, "--trust", try trusting(desk)
        ).text
        #expect(trusted.contains("would be taken as appstore.transaction"))
        #expect(try desk.quittance.run("quarantine", "show", Self.digest, "--raw").out == Self.jws)
        let missing = String(repeating: "0", count: 64)
        #expect(try desk.quittance.run("quarantine", "show", missing).status == 3)
        #expect(try desk.quittance.run("quarantine", "show", "abc").status == 2)
    }

    @Test("release lets in what the door takes now, once, and leaves the rest")
    func release() async throws {
        let desk = try await desk()
        let early = try desk.quittance.run(
            "quarantine", "release", "--all", "--reason", "nothing mended yet")
        #expect(early.status == 4 && early.out.isEmpty)
        #expect(early.errors.contains("\(Self.digest) stays: untrusted-chain"))

        let root = try trusting(desk)
        let released = try desk.quittance.run(
            "quarantine", "release", "--all", "--trust", root, "--reason", "root configured",
            "--by", "olga")
        #expect(released.status == 4, "one piece is nothing and stays")
        #expect(released.text == "released \(Self.digest) as position 3\n")
        #expect(try desk.quittance.run("order", "show", "7").status == 0)
        #expect(try await desk.sql("select count(*)::text from quittance.quarantine") == ["1"])

        let again = try desk.quittance.run(
            "quarantine", "release", Self.digest, "--trust", root, "--reason", "again")
        #expect(again.status == 3)
        let types = try await desk.sql("select type from quittance.event_log order by position")
        #expect(
            types == [
                "evidence.refused", "evidence.refused", "appstore.transaction", "admin.acted",
            ])
        let acts = try await desk.sql(
            "select convert_from(body, 'UTF8') from quittance.event_log where type = 'admin.acted'")
        let act = try JSONValue(parsing: Array(try #require(acts.first).utf8))
        #expect(act.at("data", "action")?.string == "quarantine.release")
        #expect(act.at("data", "digest")?.string == Self.digest)
        #expect(act.at("data", "actor")?.string == "olga")
        #expect(act.at("data", "reason")?.isNull == true, "free text can be forgotten")
    }

    @Test("what the log got by another road meanwhile is released as a duplicate")
    func duplicate() async throws {
        let desk = try await desk()
        let root = try trusting(desk)
        let file = try desk.folder.file("again", lines: [Self.jws])
        #expect(try desk.quittance.run("ingest", file, "--trust", root).status == 0)
        let released = try desk.quittance.run(
            "quarantine", "release", Self.digest, "--trust", root, "--reason", "mended")
        #expect(released.status == 0)
        #expect(released.text.contains("the log has it at position 3"))
        let count = try await desk.sql(
            "select count(*)::text from quittance.event_log where type = 'appstore.transaction'")
        #expect(count == ["1"])
        #expect(try await desk.sql("select count(*)::text from quittance.quarantine") == ["1"])
    }

    @Test("drop deletes and keeps who did it; without a reason nothing is done")
    func drop() async throws {
        let desk = try await desk()
        #expect(try desk.quittance.run("quarantine", "drop", Self.digest).status == 2)
        let dropped = try desk.quittance.run(
            "quarantine", "drop", Self.digest, "--reason", "spam", "--by", "olga")
        #expect(dropped.status == 0 && dropped.text == "dropped \(Self.digest)\n")
        #expect(try await desk.sql("select count(*)::text from quittance.quarantine") == ["1"])
        let acts = try await desk.sql(
            "select actor from quittance.event_log where type = 'admin.acted'")
        #expect(acts == ["olga"])
        let again = try desk.quittance.run("quarantine", "drop", Self.digest, "--reason", "spam")
        #expect(again.status == 3)
        #expect(
            try await desk.sql(
                "select count(*)::text from quittance.event_log where type = 'admin.acted'")
                == ["1"], "nothing was done, so nothing is told")
    }

    @Test("a piece released twice at one instant is in the log once")
    func atOnce() async throws {
        let desk = try await desk()
        let root = try trusting(desk)
        let runs = try (0..<4).map { _ in
            try desk.quittance.start([
                "quarantine", "release", Self.digest, "--trust", root, "--reason", "mended",
            ])
        }
        let outputs = try runs.map { try $0.wait() }
        #expect(outputs.count { $0.status == 0 } == 1)
        let types = try await desk.sql(
            """
            select type from quittance.event_log where type <> 'evidence.refused'
            order by position
            """)
        #expect(types == ["appstore.transaction", "admin.acted"])
    }
}
