import Testing

@testable import Simulator

@Suite("A simulated world")
struct WorldTests {
    @Test(
        "the platform makes exactly as many orders as asked for",
        arguments: [0, 1, 5, 191, 192, 193, 400])
    func orders(count: Int) {
        let told = Told(orders: count, faults: .all)
        #expect(told.lives.reduce(0) { $0 + $1.orders.count } == count)
    }

    @Test("circles begin one after the other, within the world")
    func beginnings() {
        let world = World(World.Configuration(seed: 7, orders: 3000))
        let starts = (0..<world.circleCount).map { world.start(of: $0) }
        #expect(starts == starts.sorted())
        #expect(starts.allSatisfy { $0 >= world.configuration.start })
        #expect(starts.allSatisfy { $0 < world.configuration.end })
    }

    @Test("nothing happens before the beginning, nor at or after the end", arguments: 1...3)
    func time(seed: UInt64) {
        let told = Told(seed: seed, faults: .all)
        let span = told.world.configuration.start..<told.world.configuration.end
        for life in told.lives {
            var instants = life.arrivals.map(\.receivedAt) + life.orders.map(\.createdAt)
            instants += life.orders.compactMap(\.cancelledAt) + life.claims.map(\.openedAt)
            instants += life.transactions.compactMap { $0.revocation?.date }
            instants += life.transactions.compactMap { $0.revocation?.reversedAt }
            instants += life.deliveries.flatMap { delivery in
                [delivery.requestedAt, delivery.succeededAt, delivery.reversedAt].compactMap { $0 }
            }
            instants += life.notifications.map(\.signedDate) + life.traces.map(\.at)
            #expect(instants.allSatisfy(span.contains))
            // Apple counts in seconds.
            #expect(life.transactions.allSatisfy { span.contains($0.purchaseDate + 999) })
        }
    }

    @Test("the log tells every arrival of every life once, in the order of arrival")
    func log() {
        let told = Told(seed: 3, orders: 4000, days: 9, faults: .all)
        #expect(told.world.circleCount > 1000, "one stretch would show nothing")
        var log = WorldLog(told.world)
        var logged: [String] = []
        var born: [Int] = []
        while let stretch = log.nextStretch() {
            born += stretch.newLives.map(\.circle)
            logged += stretch.entries.map { entry in
                let (arrival, life) = stretch[entry]
                return "\(arrival.receivedAt) \(life.circle) \(arrival.id)"
            }
        }
        let expected = told.arrivals.enumerated().sorted { left, right in
            (left.element.arrival.receivedAt, left.offset)
                < (right.element.arrival.receivedAt, right.offset)
        }
        .map {
            "\($0.element.arrival.receivedAt) \($0.element.life.circle) \($0.element.arrival.id)"
        }
        #expect(logged == expected)
        #expect(born == Array(0..<told.world.circleCount))
    }

    @Test("no name is given twice: orders, transactions, Apple's orders, accounts, claims, events")
    func names() {
        let told = Told(seed: 4, orders: 1500, faults: .all)
        expectUnique(told.lives.flatMap { $0.orders.map(\.number) })
        expectUnique(told.lives.flatMap { $0.transactions.map(\.id) })
        expectUnique(told.lives.flatMap { $0.transactions.map(\.appleOrderId) })
        expectUnique(told.lives.flatMap { $0.accounts.map(\.id) })
        expectUnique(told.lives.flatMap { $0.appleAccounts.map(\.appTransactionId) })
        expectUnique(told.lives.flatMap { $0.claims.map(\.id) })
        expectUnique(told.lives.flatMap { $0.notifications.map(\.uuid) })
        let calm = Told(seed: 4, orders: 300)
        expectUnique(calm.arrivals.map { "\($0.arrival.source) \($0.arrival.id)" })
    }

    private func expectUnique(_ names: [String], _ place: SourceLocation = #_sourceLocation) {
        #expect(!names.isEmpty, sourceLocation: place)
        #expect(Set(names).count == names.count, sourceLocation: place)
    }

    @Test("an installation numbers its events without gaps, in the order of its own clock")
    func sequences() {
        let told = Told(seed: 5)
        var last: [String: (sequence: Int64, time: Int64)] = [:]
        let reports = told.reports.sorted { left, right in
            (left.report.sequence, left.arrival.id) < (right.report.sequence, right.arrival.id)
        }
        for (arrival, report, life) in reports {
            let installation = life.installations[report.installation].id
            let before = last[installation] ?? (0, .min)
            #expect(report.sequence == before.sequence + 1)
            #expect(arrival.time ?? .min >= before.time)
            last[installation] = (report.sequence, arrival.time ?? .min)
        }
        #expect(last.count > 20)
    }

    @Test("a world without faults delivers what was charged, and traces nothing")
    func calm() {
        let told = Told(seed: 6, orders: 600)
        for life in told.lives {
            #expect(life.traces.isEmpty)
            for (index, charge) in life.transactions.enumerated() where charge.isCharge {
                guard charge.product.kind != .autoRenewable, charge.revocation == nil,
                    charge.purchaseDate < told.world.configuration.end - Span.hour
                else { continue }
                let delivered = life.deliveries.filter { $0.transaction == index && $0.stands }
                #expect(delivered.reduce(0) { $0 + $1.quantity } == charge.quantity)
                #expect(delivered.allSatisfy { $0.account == charge.owner })
            }
        }
    }

    @Test("in its course everything occurs that Apple does, in every currency")
    func variety() {
        let told = Told(seed: 8, orders: 3000, days: 60)
        let types = Set(told.lives.flatMap { $0.notifications.map(\.type) })
        #expect(
            types.isSuperset(of: [
                "ONE_TIME_CHARGE", "SUBSCRIBED", "DID_RENEW", "DID_CHANGE_RENEWAL_PREF",
                "DID_CHANGE_RENEWAL_STATUS", "DID_FAIL_TO_RENEW", "GRACE_PERIOD_EXPIRED", "EXPIRED",
                "REFUND", "REFUND_DECLINED", "REFUND_REVERSED", "REVOKE", "CONSUMPTION_REQUEST",
                "TEST",
            ]))
        let subtypes = Set(told.lives.flatMap { $0.notifications.compactMap(\.subtype) })
        #expect(
            subtypes.isSuperset(of: [
                "INITIAL_BUY", "RESUBSCRIBE", "UPGRADE", "DOWNGRADE", "VOLUNTARY", "GRACE_PERIOD",
                "BILLING_RECOVERY", "AUTO_RENEW_DISABLED",
            ]))
        let transactions = told.lives.flatMap(\.transactions)
        #expect(Set(transactions.map(\.storefront.currency)).count == 6)
        #expect(Set(transactions.map(\.product.kind)).count == 4)
        #expect(transactions.contains { $0.price > 1 << 31 })
        #expect(transactions.contains { $0.isRestore })
        #expect(transactions.contains { $0.isFamilyShared })
        #expect(transactions.contains { $0.revocation?.kind == .prorated })
        #expect(told.lives.flatMap(\.deliveries).contains { $0.grant == "goodwill" })
    }

    @Test("people claim what is so, what they believe and what is not so")
    func claims() {
        let told = Told(seed: 9, orders: 4000, days: 40, faults: .all)
        let stories = Set(told.lives.flatMap { $0.claims.map(\.story) })
        #expect(stories == Set(World.Claim.Story.allCases))
        for claim in told.lives.flatMap(\.claims) {
            #expect(claim.named != World.Named())
        }
    }

    @Test("the random numbers are those of SplitMix64, wherever they are drawn")
    func random() {
        var random = WorldRandom(seed: 1, purpose: 2, number: 3)
        #expect(random.next() == 13_012_467_036_152_000_282)
        #expect(random.number(1...6) == 3)
        #expect(random.uuid() == "15de682b-60c8-460f-a84d-fa1761aec4f8")
    }

    @Test("prices are whole in the least unit of their currency")
    func prices() {
        for storefront in World.Storefront.all {
            let unit: Int64 = storefront.decimals == 0 ? 1000 : storefront.decimals == 2 ? 10 : 1
            for product in World.Product.all {
                let price = storefront.price(of: product, quantity: 3)
                #expect(price > 0 && price % unit == 0)
                #expect(price == 3 * storefront.price(of: product))
            }
        }
    }
}
