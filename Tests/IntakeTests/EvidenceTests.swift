import EventLog
import Intake
import JSON
import PostgreSQL
import Simulator
import TestKit
import Testing

@Suite("Signed material at the door", .fewAtOnce)
struct EvidenceTests {
    private func purchased(_ jws: String, receipt: String? = nil) -> EventText {
        EventText(
            "storekit.purchased", source: "device",
            [
                "bundleId": TestApple.bundle, "productId": "gems.60", "account": "anna",
                "signedTransaction": jws, "receipt": receipt,
            ])
    }

    @Test("is cut out of an event and judged; the event comes back exactly")
    func cut() async throws {
        let bringing = try await Import()
        let jws = TestApple.transaction("7")
        let text = purchased(jws.text, receipt: "MIIT/AAA+=")
        #expect(try await bringing.take(text.bytes).appended == 1)
        let event = try #require(try await bringing.events().first)
        #expect(!event.body.text.contains(jws.text) && !event.body.text.contains("MIIT"))
        #expect(try await bringing.fresh.log.received(event) == text.bytes)
        #expect(try await bringing.fresh.log.evidence(event.evidence[0]) == jws)
        #expect(
            try await bringing.fresh.log.evidence(event.evidence[1]) == Array("MIIT/AAA+=".utf8))
        #expect(event.keys.transactionId.text == "7")
        let parts = try #require(JSONValue(parsing: event.parts).array)
        #expect(parts.map { $0["kind"]?.string } == ["transaction", "receipt"])
        #expect(parts[0].at("verification", "status")?.string == "verified")
        #expect(parts[0].at("payload", "productId")?.string == "gems.60")
        #expect(parts[1].at("verification", "reason")?.string == "malformed")
    }

    @Test(
        "is stored once, however JSON spells it, and the event comes back exactly",
        arguments: [#"\/"#, #"\u002f"#, #"\u002F"#])
    func escaped(slash: String) async throws {
        let bringing = try await Import()
        let jws = TestApple.transaction("7").text
        let receipt = String(repeating: "MIIT/+ab", count: 500)
        let plain = purchased(jws, receipt: receipt).text
        let spelled = plain.replacing(receipt, with: receipt.replacing("/", with: slash))
            .replacing(jws, with: jws.replacing("e", with: #"\u0065"#, maxReplacements: 1))
        #expect(try await bringing.take(Array(spelled.utf8)).appended == 1)
        let event = try #require(try await bringing.events().first)
        #expect(try await bringing.fresh.log.received(event) == Array(spelled.utf8))
        #expect(try await bringing.fresh.log.evidence(event.evidence[0]) == Array(jws.utf8))
        #expect(try await bringing.fresh.log.evidence(event.evidence[1]) == Array(receipt.utf8))
        #expect(!event.body.text.contains("MIIT"))
        if slash == #"\/"# {
            let stored: Int64 = try await bringing.fresh.connect().perform { connection in
                try connection.query(
                    Statement(name: "size", sql: "select length(personal)::bigint from event_log")
                ).first?.value(at: 0) ?? 0
            }
            #expect(stored < 4_000, "the receipt does not stand among the personal values too")
        }
    }

    @Test("that is refused leaves its event in the log, and the refusal is told")
    func refusedPart() async throws {
        let bringing = try await Import()
        let forged = MintedChain(seed: 99).sign(
            payload: TestApple.signer.transactionPayload(
                .init(transactionId: "7", productId: "p", purchaseDate: TestApple.noon)))
        let text = purchased(forged.text)
        let counts = try await bringing.take(text.bytes)
        #expect(counts.appended == 1 && counts.refusedParts == 1 && counts.refused == 0)
        #expect(counts.hasProblems)
        #expect(bringing.problemTexts == ["1: part data.signedTransaction untrusted-chain 1"])
        let event = try #require(try await bringing.events().first)
        #expect(try await bringing.fresh.log.received(event) == text.bytes)
        #expect(event.keys.transactionId == nil, "a forgery names nothing")
        let part = try JSONValue(parsing: event.parts).array?.first
        #expect(part?.at("verification", "reason")?.string == "untrusted-chain")
    }

    @Test("of another bundle is refused where bundles are configured")
    func otherBundle() async throws {
        let bringing = try await Import(bundles: ["com.example.other"])
        _ = try await bringing.take(purchased(TestApple.transaction("7").text).bytes)
        #expect(bringing.problemTexts == ["1: part data.signedTransaction wrong-bundle 1"])
    }

    @Test("U+0000, a lone surrogate and 1e400000 stay what they are")
    func oddities() async throws {
        let bringing = try await Import()
        let text = purchased(TestApple.transaction("7").text).text.replacing(
            #""productId""#,
            with: #""applicationUsername":"\u0000 \ud800\uD800é","quantity":1e400000,"productId""#)
        #expect(try await bringing.take(Array(text.utf8)).appended == 1)
        let event = try #require(try await bringing.events().first)
        #expect(try await bringing.fresh.log.received(event) == Array(text.utf8))
        #expect(event.keys.orderNumber?.starts(with: [0, 32]) == true)
    }
}
