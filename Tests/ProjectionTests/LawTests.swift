import JSON
import Projection
import TestKit
import Testing

@Suite("The law of facts, through the database", .fewAtOnce)
struct LawTests {
    private static let histories = Effort.times(8, full: 150)

    @Test(
        "any order, duplication and batching of the same events gives the same views, to the byte",
        arguments: 0..<histories)
    func anyOrder(seed: Int) async throws {
        let namesAreAccounts = seed % 2 == 1
        var history = RandomHistory(
            seed: UInt64(seed), stories: 4, namesAreAccounts: namesAreAccounts)
        let settings = EventText(
            "settings.changed", id: "s", source: "operator", receivedAt: 1,
            [
                "bundleId": TestApple.bundle,
                "convention": namesAreAccounts ? "account" : "order",
            ])
        let first = try await Views(now: history.now)
        try await first.append([settings] + history.texts)
        try await first.projector.catchUp()
        let expected = try await first.dump()
        #expect(expected["orders"]?.isEmpty == false && expected["failures"] == [])

        for round in 0..<2 {
            let views = try await Views(now: history.now)
            let texts = history.shuffled()
            try await views.append([settings])
            for group in history.groups(texts, size: round == 0 ? 2 : 9) {
                try await views.append(group)
                try await views.projector.catchUp()
            }
            expectSame(expected, try await views.dump(), "history \(seed), round \(round)")
        }
    }

    @Test("views made anew are the same rows", arguments: 100..<(100 + Effort.times(3, full: 30)))
    func rebuild(seed: Int) async throws {
        var history = RandomHistory(seed: UInt64(seed), stories: 4)
        history.command("settings.changed", ["environments": ["Sandbox"]])
        history.command("policy.changed", ["deliveryGrace": 0])
        history.command("settings.changed", ["environments": ["Production", "Sandbox"]])
        history.scatter(3)
        let views = try await Views(now: history.now)
        for group in history.groups(history.texts.map(\.bytes), size: 5) {
            try await views.append(group)
            try await views.projector.catchUp()
        }
        let before = try await views.dump()
        try await views.projector.reset()
        #expect(try await views.dump()["facts"] == [])
        try await views.projector.catchUp()
        expectSame(before, try await views.dump(), "history \(seed)")
    }
}
