import EventLog
import PostgreSQL
import Projection
import TestKit
import Testing

@Suite("A projector that follows", .fewAtOnce)
struct FollowTests {
    private func event(_ number: Int) -> EventText {
        EventText(
            "order.cancelled", id: "\(number)", receivedAt: TestApple.noon,
            ["bundleId": TestApple.bundle, "orderNumber": "A-\(number)"])
    }

    @Test("is woken by the log and does not wait for its next look")
    func woken() async throws {
        let views = try await Views(now: TestApple.noon)
        try await views.take([event(0)])
        var projector = views.projector
        // By itself it would look again long after the test has given up.
        projector.pollMilliseconds = 3_600_000
        let follower = Task { [projector] in try await projector.follow() }
        for number in 1...6 {
            try await views.append([event(number)])
            try await views.waitUntilCaughtUp()
        }
        follower.cancel()
        await #expect(throws: CancellationError.self) { try await follower.value }
    }

    @Test("goes on when its connections are cut")
    func cut() async throws {
        let views = try await Views(now: TestApple.noon)
        let projector = views.projector
        let follower = Task { try await projector.follow() }
        for number in 1...3 {
            try await views.append([event(number)])
            try await views.waitUntilCaughtUp()
            let killer = try await views.fresh.connect()
            try await killer.perform { connection in
                try connection.run(
                    """
                    select pg_terminate_backend(pid) from pg_stat_activity
                    where datname = current_database() and pid <> pg_backend_pid()
                    """)
            }
            await killer.close()
        }
        try await views.append([event(4)])
        try await views.waitUntilCaughtUp()
        follower.cancel()
        _ = await follower.result
        #expect(try await views.rows("select count(*)::text from orders") == ["4"])
    }

    @Test("sees to what time alone changes")
    func time() async throws {
        let views = try await Views(now: TestApple.noon)
        try await views.take(Purchase(order: "A-1", transaction: "7").paid)
        #expect(try await views.storedVerdict(of: "A-1") == "pending")
        var later = views
        later.now += 20 * 60_000
        let projector = later.projector
        let follower = Task { try await projector.follow() }
        for _ in 0..<1_000 where try await views.storedVerdict(of: "A-1") == "pending" {
            try await Task.sleep(for: .milliseconds(10))
        }
        follower.cancel()
        _ = await follower.result
        #expect(try await views.storedVerdict(of: "A-1") == "paid-not-delivered")
    }
}

/// An order of one pack of gems and the charge for it, both at noon.
struct Purchase {
    var order: String
    var transaction: String
    var account = "anna"
    var receivedAt = TestApple.noon

    var created: EventText {
        tell(
            "order.created",
            [
                "orderNumber": order, "productId": "gems.60", "price": 990, "currency": "USD",
                "account": account,
            ])
    }

    /// The customer tries to buy.
    var attempted: EventText {
        tell(
            "storekit.purchasing",
            ["applicationUsername": order, "productId": "gems.60", "account": account])
    }

    /// Apple tells of the charge, not of the order.
    var charged: EventText {
        EventText(
            "appstore.notification", id: "n\(transaction)", receivedAt: receivedAt,
            [
                "signedPayload": TestApple.notification(
                    uuid: "n\(transaction)", transaction: TestApple.transaction(transaction)
                ).text
            ])
    }

    /// The platform names the charge for the order.
    var named: EventText {
        tell("order.payment-linked", ["orderNumber": order, "transactionId": transaction])
    }

    var delivered: EventText {
        tell(
            "delivery.succeeded",
            [
                "deliveryId": "d\(transaction)", "orderNumber": order,
                "transactionId": transaction, "productId": "gems.60", "quantity": 1,
                "account": account,
            ])
    }

    var paid: [EventText] { [created, attempted, charged, named] }

    private func tell(_ type: String, _ data: KeyValuePairs<String, (any JSONText)?>) -> EventText {
        var text = EventText(
            type, id: "\(type)/\(order)/\(transaction)", receivedAt: receivedAt, data)
        text = text.with("bundleId", TestApple.bundle)
        return text
    }
}
