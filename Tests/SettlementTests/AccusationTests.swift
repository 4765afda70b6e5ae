import JSON
import Settlement
import Testing

private let histories = isFull ? UInt64(0)..<1_000 : 0..<100

/// What an answer must never say, checked against the events themselves.
@Suite("No false accusation")
struct AccusationTests {
    @Test("on random histories no answer accuses, denies or promises without cause")
    func randomHistories() {
        for seed in histories {
            let random = RandomHistory(seed: seed)
            let shell = Shell(random.settings + random.events)
            for question in RandomHistory.questions where (seed + hash(question)) % 3 == 0 {
                let answer = shell.ask(question, at: 3000)
                check(answer, random.events, seed)
            }
        }
    }

    private func hash(_ question: Question) -> UInt64 {
        "\(question)".utf8.reduce(7) { $0 &* 31 &+ UInt64($1) }
    }

    private func check(_ answer: Answer, _ events: [SettlementEvent], _ seed: UInt64) {
        let note: Comment = "history \(seed), \(answer.question)"
        switch answer.code {
        case .forged: #expect(allProofIsForged(answer.question, events), note)
        case .chargedTwice: #expect(answer.charges.count >= 2, note)
        case .disproved, .notCharged: Issue.record("denied without coverage: \(note)")
        case .delivered:
            let isActive = answer.charges.contains { $0.type == "Auto-Renewable Subscription" }
            let stands = events.contains { $0.type == "delivery.succeeded" }
            #expect(stands || isActive, note)
        case .paidNotDelivered, .refunded, .lapsed, .deliveredToOther:
            #expect(!answer.charges.isEmpty, note)
        case .pending, .notClaimants, .paymentUnlinked, .wrongEnvironment, .shared, .unproven,
            .unknown:
            break
        }
        for charge in answer.charges {
            #expect(isProven(charge.transactionId, events), note)
            #expect(charge.verdict != .delivered || charge.missing == 0, note)
        }
        #expect(Set(answer.charges.map(\.transactionId)).count == answer.charges.count, note)
        for account in RandomHistory.accounts {
            #expect(!answer.verdict.sentence.contains(account), note)
        }
        #expect(answer.verdict.proof.isEmpty == (answer.code == .unknown), note)
        let keys = Set(events.map(\.key))
        #expect(answer.verdict.proof.allSatisfy(keys.contains), note)
        if let review = answer.reviewAt { #expect(review > History.instant(3000), note) }
    }

    /// Whether genuine evidence of a purchase that somebody paid for is among the events.
    private func isProven(_ id: String, _ events: [SettlementEvent]) -> Bool {
        events.contains { event in
            event.parts.contains { part in
                part.at("verification", "status")?.string == "verified"
                    && part.at("payload", "transactionId")?.string == id
                    && part.at("payload", "inAppOwnershipType")?.string == "PURCHASED"
            }
        }
    }

    /// Whether all that was offered under the name bears the marks of a forgery.
    private func allProofIsForged(_ question: Question, _ events: [SettlementEvent]) -> Bool {
        let offered = events.filter { event in
            switch question.subject {
            case .order(let number): event.data["applicationUsername"]?.string == number
            case .account(let account, _): event.data["account"]?.string == account
            case .transaction, .token, .appleOrder: false
            }
        }.flatMap(\.parts)
        let forgery = ["bad-signature", "untrusted-chain"]
        return !offered.isEmpty
            && offered.allSatisfy {
                forgery.contains($0.at("verification", "reason")?.string ?? "")
            }
    }

    @Test("until reviewAt time alone changes no answer")
    func reviewAt() {
        for seed in UInt64(0)..<(isFull ? 300 : 30) {
            let shell = Shell(RandomHistory(seed: seed).history)
            var generator = SeededGenerator(seed: seed)
            for question in RandomHistory.questions.prefix(5) {
                let now = Int.random(in: 0..<6000, using: &generator)
                let answer = shell.ask(question, at: now)
                let end = answer.reviewAt.map { Int(($0 - History.start) / 60_000) - 1 } ?? 100_000
                guard end > now else { continue }
                let later = shell.ask(question, at: Int.random(in: now...end, using: &generator))
                #expect(later == answer, "history \(seed), \(question)")
            }
        }
    }
}
