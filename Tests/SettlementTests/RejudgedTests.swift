import JSON
import Settlement
import Testing

private let refused = Signed("1001").with {
    $0.status = "refused"
    $0.refusal = "untrusted-chain"
}

private let verified = Signed("1001")

private func part(_ signed: Signed) -> [JSONValue] { [signed.part(path: "data.signedTransaction")] }

@Suite("Evidence that is judged anew")
struct RejudgedTests {
    @Test("pays from the new judgement on; what was called forged is not any more")
    func pays() {
        var history = History()
        history.bought("A1", refused, at: 1)
        #expect(Shell(history).order("A1", at: 60).code == .forged)
        history.rejudged(0, part(verified), at: 50)
        let answer = Shell(history).order("A1", at: 100)
        #expect(answer.code == .paidNotDelivered)
        #expect(answer.charges.first?.owner?.account == "anna")
        #expect(!answer.remarks.contains(.evidenceRefused))
    }

    @Test("the latest judgement holds, whichever comes first")
    func latest() {
        var history = History()
        history.bought("A1", refused, at: 1)
        history.rejudged(0, part(refused.with { $0.refusal = "wrong-bundle" }), at: 50)
        #expect(Shell(history).order("A1", at: 60).code == .unproven)
        #expect(Shell(history.events.reversed()).order("A1", at: 60).code == .unproven)
    }

    @Test("who sent it first still sent it first, though another was believed earlier")
    func firstSender() {
        var history = History()
        history.account = "anna"
        history.storeKit("purchased", nil, "1001", at: 1, proof: part(refused))
        history.account = "bob"
        history.storeKit("purchased", nil, "1001", at: 30, proof: part(verified))
        #expect(Shell(history).transaction("1001", at: 40).charges.first?.owner?.account == "bob")
        history.rejudged(0, part(verified), at: 50)
        #expect(Shell(history).transaction("1001", at: 60).charges.first?.owner?.account == "anna")
    }

    @Test("it is evidence only: it tells of no further purchase, attempt or claim")
    func nothingElse() {
        var history = History()
        history.bought("A1", refused, at: 1)
        let before = Shell(history)
        history.rejudged(0, part(verified), at: 50)
        let after = Shell(history)
        #expect(after.sightings.subtracting(before.sightings).map(\.kind) == [.charge])
        let key = EntityKey.installation(History.bundle, "phone/phone-1")
        #expect(after.facts[key] != nil && after.facts[key] == before.facts[key])
    }
}
