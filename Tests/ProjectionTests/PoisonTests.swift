import EventLog
import Projection
import Simulator
import TestKit
import Testing

@Suite("An event that the views cannot take", .fewAtOnce)
struct PoisonTests {
    private let purchase = Purchase(order: "A-1", transaction: "7")

    /// An event whose body nobody can read; no door lets one through.
    private func broken(_ id: String, type: String = "order.created") -> NewEvent {
        NewEvent(
            source: "platform", id: id, type: type, receivedAt: TestApple.noon,
            received: Array(#"{"data":"#.utf8))
    }

    @Test("is set aside, and those around it are taken over")
    func setAside() async throws {
        let views = try await Views(now: TestApple.noon)
        try await views.append([purchase.created])
        _ = try await views.log.append([broken("x"), broken("y")])
        try await views.append([purchase.charged, purchase.named])
        #expect(try await views.projector.catchUp() == 5)
        #expect(try await views.storedVerdict(of: "A-1") == "pending")
        let status = try await views.projector.status()
        #expect(status.position == 5)
        #expect(status.failures.map(\.position) == [2, 3])
        #expect(status.failures.allSatisfy { $0.attempts == 1 && !$0.isDue })
        #expect(status.failures.allSatisfy { $0.error == "JSONError" })
        #expect(try await views.projector.catchUp() == 0)
        #expect(try await views.report(on: "A-1", .position(5)).orders.count == 1)
    }

    @Test("is tried again when its time comes, ever more seldom")
    func again() async throws {
        let views = try await Views(now: TestApple.noon)
        _ = try await views.log.append([broken("x")])
        for attempt in 1...4 {
            try await views.projector.catchUp()
            let failure = try #require(try await views.projector.status().failures.first)
            #expect(failure.attempts == attempt && !failure.isDue)
            let minutes = try await views.rows(
                """
                select round(extract(epoch from next_try_at - clock_timestamp()) / 60)::text
                from projection_failure
                """)
            #expect(minutes == ["\(1 << (attempt - 1))"])
            try await views.run("update projection_failure set next_try_at = clock_timestamp()")
        }
    }

    @Test("gives the same rows when it can be taken at last")
    func late() async throws {
        let history = RandomHistory(seed: 31, stories: 5)
        let expected = try await Views(now: history.now)
        try await expected.take(history.texts)

        let views = try await Views(now: history.now)
        // The database refuses some of the facts, for reasons of its own.
        try await views.run("alter table facts add constraint moody check (id <> 'anna'::bytea)")
        for start in stride(from: 0, to: history.texts.count, by: 7) {
            try await views.take(Array(history.texts.dropFirst(start).prefix(7)))
        }
        let failures = try await views.projector.status().failures
        #expect(failures.count > 3)
        #expect(failures.allSatisfy { $0.error == "PostgreSQLError" })
        try await views.run("alter table facts drop constraint moody")
        try await views.run("update projection_failure set next_try_at = clock_timestamp()")
        try await views.projector.catchUp()
        #expect(try await views.projector.status().failures.isEmpty)
        expectSame(try await expected.dump(), try await views.dump(), "late")
    }

    @Test("because it changes the rules and cannot be read stops nothing")
    func rules() async throws {
        let views = try await Views(now: TestApple.noon)
        _ = try await views.log.append([broken("s", type: "settings.changed")])
        try await views.take(purchase.paid)
        let status = try await views.projector.status()
        #expect(status.failures.map(\.position) == [1])
        #expect(try await views.storedVerdict(of: "A-1") == "pending")
    }

    @Test("does not come of names that no index can hold", arguments: [600, 3_000, 100_000])
    func longNames(length: Int) async throws {
        let views = try await Views(now: TestApple.noon)
        // Of random letters, which no index can compress.
        var random = SeededRandom(UInt64(length))
        let long = String(
            (0..<length).map { _ in random.pick(Array("abcdefghijklmnopqrstuvwxyz")) })
        let proof = TestApple.transaction("7").text
        let names = [
            "applicationUsername", "account", "deviceId", "transactionId", "originalTransactionId",
            "installation", "appVersion",
        ]
        var texts = names.map { name in
            EventText(
                "storekit.purchased", id: name, source: "device", receivedAt: TestApple.noon,
                [
                    "bundleId": TestApple.bundle, "productId": "gems.60",
                    "applicationUsername": "A-1", "account": "anna", "signedTransaction": proof,
                ]
            ).with(name, long)
        }
        texts.append(purchase.created.with("account", long).with("currency", long))
        texts.append(
            EventText(
                "claim.opened", id: "c",
                ["bundleId": "b", "claimId": "C", "orderId": long, "transactionId": long]))
        let signed = TestApple.transaction("8", product: long) { fields in
            fields.appTransactionId = long
            fields.webOrderLineItemId = long
            fields.originalTransactionId = long
            fields.appAccountToken = long
        }
        texts.append(EventText("appstore.transaction", id: "s", ["signedTransaction": signed.text]))
        try await views.take(texts)
        #expect(try await views.projector.status().failures == [])
        #expect(try await views.storedVerdict(of: "A-1") == "pending")
        _ = try await views.report(on: long)
    }

    @Test("views that are ahead of a restored log are not used, and say what to do")
    func ahead() async throws {
        let views = try await Views(now: TestApple.noon)
        try await views.take(purchase.paid)
        try await views.run("update projection_checkpoint set position = 99")
        await #expect(throws: ProjectionError.aheadOfLog) { try await views.projector.catchUp() }
        try await views.run(
            "update projection_checkpoint set position = 4, log_epoch = log_epoch - 1")
        await #expect(throws: ProjectionError.aheadOfLog) { try await views.projector.catchUp() }
        await #expect(throws: ProjectionError.aheadOfLog) {
            _ = try await views.report(on: "A-1")
        }
        try await views.projector.reset()
        try await views.projector.catchUp()
        #expect(try await views.report(on: "A-1").orders.count == 1)
    }
}
