import JSON
import Simulator
import Testing

@Suite("The score")
struct ScoreTests {
    private static let bundle = "app"

    private func read(_ lines: String...) throws -> ExpectedReader {
        var reader = ExpectedReader()
        for line in lines { try reader.take(expectedLine: Array(line.utf8)) }
        return reader
    }

    private func given(
        _ verdict: String, _ status: String, remarks: [String] = [], askedAt: Int64 = 0
    ) -> GivenAnswer {
        GivenAnswer(
            subject: .order("A1"), bundle: Self.bundle, verdict: verdict, status: status,
            remarks: remarks, askedAt: askedAt, timeline: ["1 order.created"])
    }

    private static let refunded =
        #"{"kind":"order","bundleId":"app","orderNumber":"A1","account":"anna","#
        + #""verdict":"refunded","status":"refunded","remarks":["order-cancelled"]}"#

    @Test("verdict, status and remarks must be right")
    func comparison() throws {
        let entry = try #require(try read(Self.refunded).entries.first)
        func misses(_ answer: GivenAnswer?) -> Int {
            var score = Score(WorldTruths())
            score.compare(entry.expectation, in: entry.bundle, with: answer)
            return score.missCount
        }
        let remarks = ["order-cancelled", "link-conflict"]
        #expect(misses(given("refunded", "refunded", remarks: remarks)) == 0)
        #expect(misses(given("refunded", "paid", remarks: remarks)) == 1)
        #expect(misses(given("delivered", "refunded", remarks: remarks)) == 1)
        #expect(misses(given("refunded", "refunded")) == 1)
        #expect(misses(nil) == 1)
    }

    @Test("what time alone changes is compared at the instant of asking")
    func course() throws {
        let line =
            #"{"kind":"order","bundleId":"app","orderNumber":"A1","account":"anna","#
            + #""verdict":"pending","status":"paid","remarks":[],"changes":["#
            + #"{"from":"1970-01-01T00:00:10Z","verdict":"paid-not-delivered","status":"paid"}]}"#
        let entry = try #require(try read(line).entries.first)
        var score = Score(WorldTruths())
        for (verdict, instant) in [("pending", Int64(9_999)), ("paid-not-delivered", 10_000)] {
            score.compare(
                entry.expectation, in: entry.bundle,
                with: given(verdict, "paid", askedAt: instant))
        }
        #expect(score.right == 2)
        score.compare(
            entry.expectation, in: entry.bundle, with: given("pending", "paid", askedAt: 10_000))
        #expect(score.missCount == 1)
    }

    @Test("a miss is told with its history, and the matrix shows where it went")
    func text() throws {
        let entry = try #require(try read(Self.refunded).entries.first)
        var score = Score(WorldTruths())
        score.compare(entry.expectation, in: entry.bundle, with: given("delivered", "delivered"))
        let text = try #require(score.misses.first?.text)
        #expect(text.contains("order A1: right is refunded, refunded + order-cancelled"))
        #expect(text.contains("given delivered, delivered"))
        #expect(text.contains("1 order.created"))
        #expect(score.matrixLines.count == 3)
        #expect(score.matrixLines[2].hasSuffix("1      ."))
        #expect(score.summary.contains("1 misses"))
    }

    @Test("an agent's lines are read: orders by number, claims by id")
    func answers() throws {
        let charge =
            #"{"transactionId":"T1","verdict":"delivered","owner":{"account":"anna"},"missing":0}"#
        let body =
            #""bundleId":"app","status":"delivered","verdict":{"code":"delivered","#
            + #""remarks":["refunded-in-part"]},"charges":[\#(charge)]"#
        let order =
            #"{"orders":[{"orderNumber":"5e09dcfc-205e-4ea1-9883-96676f394992",\#(body),"#
            + #""timeline":[{"position":7,"type":"order.created","receivedAt":0}]}]}"#
        let number = "5E09DCFC-205E-4EA1-9883-96676F394992"
        let answer = try AnswerReader.order(
            number, in: "app", from: Array(order.utf8), askedAt: 5)
        let owed = GivenAnswer.Charge(
            transactionId: "T1", verdict: "delivered", owner: "anna", missing: 0)
        #expect(
            answer
                == GivenAnswer(
                    subject: .order(number), bundle: "app", verdict: "delivered",
                    status: "delivered", remarks: ["refunded-in-part"], charges: [owed],
                    askedAt: 5, timeline: ["7 1970-01-01T00:00:00Z order.created"]))
        let other = try AnswerReader.order(
            number, in: "other", from: Array(order.utf8), askedAt: 5)
        #expect(other == nil)
        let claim = try AnswerReader.claim(
            from: Array(#"{"claimId":"C1",\#(body)}"#.utf8), askedAt: 5)
        #expect(claim?.subject == .claim("C1"))
        #expect(claim?.charges == [owed])
    }
}
