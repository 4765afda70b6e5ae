import EventLog
import JSON
import Projection
import TestKit
import Testing

@Suite("As of", .fewAtOnce)
struct AsOfTests {
    @Test(
        "every position the answer is that of a ledger which holds nothing more",
        arguments: 200..<(200 + Effort.times(20, full: 200)))
    func everyPosition(seed: Int) async throws {
        let history = Self.history(seed)
        let whole = try await Views(now: history.now)
        for text in history.texts { try await whole.append([text]) }
        try await whole.projector.catchUp()
        let recorded = try await whole.log.read(after: 0, limit: 1_000)
        try #require(recorded.count == history.texts.count)

        let grown = try await Views(now: history.now)
        let names = history.names.sorted()
        for (event, text) in zip(recorded, history.texts) {
            try await grown.take([text])
            // Every name now and then, and always those that the event could have touched most.
            let asked = names.filter {
                ($0.utf8.reduce(event.position) { $0 + Int64($1) }) % 3 == 0
            }
            for name in asked + ["nobody"] {
                let asOf = try await whole.report(on: name, .position(event.position))
                let live = try await grown.report(on: name, .now(event.recordedAt))
                #expect(
                    comparable(asOf.json) == comparable(live.json),
                    "history \(seed), \(name) as of \(event.position)")
            }
            let claims = try await claims(of: whole, .position(event.position))
            #expect(try await claims == self.claims(of: grown, .now(event.recordedAt)))
        }
    }

    @Test(
        "the head the answer folded from the log is that of the stored facts",
        arguments: 500..<(500 + Effort.times(5, full: 50)))
    func head(seed: Int) async throws {
        let history = Self.history(seed)
        let views = try await Views(now: history.now)
        try await views.take(history.texts)
        let head = try await views.log.head()
        for name in history.names {
            let live = try await views.report(on: name, .now(head.recordedAt))
            let atPosition = try await views.report(on: name, .position(head.size))
            let atInstant = try await views.report(on: name, .instant(head.recordedAt))
            #expect(live.json == atPosition.json, "history \(seed), \(name)")
            #expect(live.json == atInstant.json, "history \(seed), \(name)")
        }
        #expect(
            try await claims(of: views, .now(head.recordedAt))
                == claims(of: views, .position(head.size)))
    }

    @Test("a prefix taken in at once answers as one taken in event by event")
    func freshPrefix() async throws {
        let history = Self.history(7)
        let whole = try await Views(now: history.now)
        try await whole.take(history.texts)
        let count = history.texts.count * 2 / 3
        let recorded = try await whole.log.read(positions: [Int64(count)])
        let instant = try #require(recorded.first).recordedAt
        let fresh = try await Views(now: history.now)
        try await fresh.take(Array(history.texts.prefix(count)))
        for name in history.names {
            let asOf = try await whole.report(on: name, .position(Int64(count)))
            let live = try await fresh.report(on: name, .now(instant))
            #expect(comparable(asOf.json) == comparable(live.json), "\(name)")
        }
    }

    @Test("an instant takes in all that was recorded by then, and nothing later")
    func instants() async throws {
        let views = try await Views(now: TestApple.noon)
        for number in 1...4 {
            try await views.take([
                EventText(
                    "order.cancelled", id: "\(number)",
                    ["bundleId": TestApple.bundle, "orderNumber": "A-1"])
            ])
            try await Task.sleep(for: .milliseconds(3))
        }
        for event in try await views.log.read(after: 0, limit: 10) {
            let at = try await views.report(on: "A-1", .instant(event.recordedAt))
            #expect(at.logPosition == event.position)
            let before = try await views.report(on: "A-1", .instant(event.recordedAt - 1))
            #expect(before.logPosition == event.position - 1)
        }
        #expect(try await views.report(on: "A-1", .instant(0)).matches.isEmpty)
    }

    @Test(
        "a position that the log does not have yet is an error", arguments: [0, 3, -1, Int64.max])
    func beyond(position: Int64) async throws {
        let views = try await Views(now: TestApple.noon)
        try await views.take([
            EventText("order.cancelled", ["bundleId": "b", "orderNumber": "A-1"])
        ])
        await #expect(throws: ProjectionError.notYetInLog) {
            _ = try await views.report(on: "A-1", .position(position))
        }
    }

    @Test("a position that the views have not taken over is an error, not half an answer")
    func behind() async throws {
        let views = try await Views(now: TestApple.noon)
        let event = EventText("order.cancelled", ["bundleId": "b", "orderNumber": "A-1"])
        try await views.append([event])
        await #expect(throws: ProjectionError.notYetInViews) {
            _ = try await views.report(on: "A-1", .position(1))
        }
        await #expect(throws: ProjectionError.notYetInViews) {
            _ = try await views.report(on: "A-1", .instant(.max))
        }
        #expect(try await views.report(on: "A-1").logPosition == 0)
        try await views.projector.catchUp()
        #expect(try await views.report(on: "A-1", .position(1)).orders.count == 1)
    }

    // MARK: Material

    /// A history with changes of the rules in its midst.
    private static func history(_ seed: Int) -> RandomHistory {
        var history = RandomHistory(
            seed: UInt64(seed), stories: 2, namesAreAccounts: seed % 2 == 0)
        history.command("policy.changed", ["deliveryGrace": 30_000_000_000_000])
        history.command(
            "settings.changed",
            seed % 2 == 0 ? ["convention": "account"] : ["placeholders": ["A-0"]])
        history.scatter(2)
        return history
    }

    private func claims(of views: Views, _ moment: ViewReader.Moment) async throws -> [String] {
        try await ViewReader(log: views.log, moment: moment).claims(after: 0, limit: 100)
            .map { $0.json.text }
    }

    /// Without what says when the log took an event, which two logs cannot have in common.
    private func comparable(_ json: [UInt8]) -> String {
        json.text.replacing(/"recordedAt":[0-9]+/, with: "")
    }
}
