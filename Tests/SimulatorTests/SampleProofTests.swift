import AppStore
import JSON
import Simulator
import Testing

@Suite("The proofs of the sample day")
struct SampleProofTests {
    @Test(
        "all but the forged one are verified under the sample's own root",
        arguments: SampleDayTests.seeds)
    func verified(seed: UInt64) throws {
        let day = try SampleDay(seed: seed)
        let parts = try Self.proofs(of: day, trusting: day)
        #expect(parts.count > 100)
        let refused = parts.filter { $0.verification.status != .verified }
        #expect(refused.map(\.verification.reason) == [.badSignature])
    }

    @Test("none is verified under Apple's roots or those of another seed")
    func untrusted() throws {
        let day = try SampleDay(seed: 1)
        let parts =
            try Self.proofs(of: day, trusting: nil)
            + Self.proofs(of: day, trusting: SampleDay(seed: 2))
        #expect(parts.allSatisfy { $0.verification.reason == .untrustedChain })
    }

    /// Every signed part of the day, the nested ones too.
    private static func proofs(of day: SampleDay, trusting: SampleDay?) throws -> [SignedPart] {
        var anchors = TrustAnchors.apple
        if let root = trusting?.files.first(where: { $0.path == "trust/root.der" }) {
            anchors = try anchors.adding(root.bytes)
        }
        let reader = EvidenceReader(anchors: anchors)
        let bodies = try SampleDayTests.values(of: day, in: "notifications.ndjson")
        let data = try SampleDayTests.values(of: day, in: "events.ndjson").compactMap { $0["data"] }
        return (bodies + data).flatMap { value in
            ["signedPayload", "signedTransaction"].compactMap { value[$0]?.string }
        }.flatMap { text -> [SignedPart] in
            let part = reader.read(jws: Array(text.utf8))
            return [part] + part.nested
        }
    }
}
