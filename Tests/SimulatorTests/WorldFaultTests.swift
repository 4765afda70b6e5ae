import JSON
import Testing

@testable import Simulator

@Suite("What goes wrong in a simulated world")
struct WorldFaultTests {
    @Test("each fault alone shows its trace in the output", arguments: World.Fault.allCases)
    func alone(fault: World.Fault) throws {
        // Few are refunded.
        let orders = fault == .notificationAfterRefund ? 400 : 120
        let told = Told(orders: orders, faults: .only(fault))
        let truth = TruthWriter(told.world)
        let lines = try told.lives.flatMap(truth.lines).map { try JSONValue(parsing: $0) }
        let traced = lines.filter { $0["kind"]?.string == "fault" }
        #expect(!traced.isEmpty)
        #expect(traced.allSatisfy { $0["fault"]?.string == fault.rawValue })
        #expect(told.shows(fault))
    }

    @Test("a world without faults shows none of them", arguments: World.Fault.allCases)
    func none(fault: World.Fault) {
        #expect(!Self.calm.shows(fault))
    }

    private static let calm = Told(seed: 2, orders: 240)

    @Test("every fault says in a line what it is")
    func summaries() {
        let summaries = World.Fault.allCases.map(\.summary)
        #expect(Set(summaries).count == summaries.count)
        #expect(summaries.allSatisfy { !$0.isEmpty && $0.utf8.count <= 70 })
    }

    @Test("profiles are known by their names, and a rate can be set apart")
    func profiles() {
        #expect(World.FaultProfile(named: "none") == World.FaultProfile.none)
        #expect(World.FaultProfile(named: "light") == .light)
        #expect(World.FaultProfile(named: "all") == .all)
        #expect(World.FaultProfile(named: "most") == nil)
        var profile = World.FaultProfile.light
        profile[.eventLost] = 1
        #expect(profile[.eventLost] == 1)
        #expect(profile[.eventDelayed] == World.FaultProfile.light[.eventDelayed])
    }
}

extension Told {
    /// Whether a fault can be seen by its effects alone.
    fileprivate func shows(_ fault: World.Fault) -> Bool {
        switch fault {
        case .finishBeforeVerify: lives.contains { $0.finishesUnverified }
        case .noObserver: reports.contains { $0.report.queue?.isEmpty == false }
        case .lostOrderNumber: lives.contains { $0.losesNumber }
        case .unfinishedBlocks: lives.contains { $0.isBlocked }
        case .blindFinish: lives.contains { $0.sendsProofForAnother }
        case .cancelledThoughCharged: lives.contains { $0.chargesDespiteCancelling }
        case .wrongClock: reports.contains { abs($0.arrival.clockLag) > 300 * Span.day }
        case .futureVocabulary: arrivals.contains { $0.arrival.type == "storekit.sheet-presented" }
        case .eventLost: lives.contains { $0.losesTracedEvent }
        case .eventDuplicated: lives.contains { $0.repeatsDeviceEvent }
        case .eventDelayed:
            reports.contains { arrival, report, life in
                arrival.clockLag - life.clockError(of: report) > 20 * Span.hour
            }
        case .eventReordered: lives.contains { $0.hasOvertaking }
        case .serverDown: attempts.contains { $0.result == "NO_RESPONSE" }
        case .notificationNeverSent: lives.contains { $0.keepsQuiet(before: world.lastMoments) }
        case .notificationAfterRefund: lives.contains { $0.tellsRefundFirst }
        case .notificationRepeated: attempts.contains { $0.result == "TIMED_OUT" }
        case .offerCode: loosePurchases.contains { $0.offerType == 3 }
        case .promotedPurchase: loosePurchases.contains { $0.offerType == nil }
        case .askToBuyApproved: lives.contains { $0.asks(andIsCharged: true) }
        case .askToBuyDeclined, .askToBuyUnanswered: lives.contains { $0.asks(andIsCharged: false) }
        case .deliveryFailed: deliveries.contains { $0.delivery.failedAt != nil }
        case .deliveryDoubled: deliveries.contains { $0.total > $0.bought.quantity }
        case .deliveryPartial: deliveries.contains { $0.delivery.quantity < $0.bought.quantity }
        case .deliveryToOther: deliveries.contains { $0.delivery.account != $0.bought.owner }
        case .deliveryNotDone: lives.contains { $0.acknowledgesNothing }
        case .receiptReplayed: lives.contains { $0.replays }
        case .evidenceForged: evidence.contains { $0.flaw == .forged }
        case .evidenceResigned: evidence.contains { $0.flaw == .resigned }
        case .evidenceTruncated: evidence.contains { $0.flaw == .truncated }
        case .evidenceSandbox: purchases.contains { $0.bought.environment == "Sandbox" }
        case .wrongProduct: purchases.contains { $0.bought.product != $0.order.product }
        case .wrongPrice: purchases.contains { $0.bought.unitPrice != $0.order.unitPrice }
        case .wrongQuantity: purchases.contains { $0.bought.quantity != $0.order.quantity }
        }
    }

    // MARK: Parts

    private var attempts: [World.Notification.Attempt] {
        lives.flatMap { $0.notifications.flatMap(\.attempts) }
    }

    private var evidence: [World.Evidence] {
        reports.compactMap(\.report.evidence) + lives.flatMap { $0.claims.compactMap(\.evidence) }
    }

    /// Consumables that were bought without an order.
    private var loosePurchases: [World.Transaction] {
        lives.flatMap(\.transactions).filter { bought in
            bought.order == nil && bought.isCharge && bought.product.kind == .consumable
        }
    }

    /// What was delivered for a transaction, and how much of it stands in all.
    private var deliveries: [(delivery: World.Delivery, bought: World.Transaction, total: Int64)] {
        lives.flatMap { life in
            life.deliveries.compactMap { delivery in
                guard let index = delivery.transaction else { return nil }
                let standing = life.deliveries.filter { $0.transaction == index && $0.stands }
                return (delivery, life.transactions[index], standing.reduce(0) { $0 + $1.quantity })
            }
        }
    }

    /// What was bought for an order in its first purchase.
    private var purchases: [(bought: World.Transaction, order: World.Order)] {
        lives.flatMap { life in
            life.transactions.compactMap { bought in
                guard let order = bought.order, !bought.isRenewal, !bought.isRestore else {
                    return nil
                }
                return (bought, life.orders[order])
            }
        }
    }
}

extension World {
    /// What was signed later may not have been sent before the end.
    fileprivate var lastMoments: Int64 { configuration.end - 10_000 }
}

extension World.Transaction {
    /// The price of one, where the product is the order's.
    fileprivate var unitPrice: Int64 { price / quantity }
}

extension World.Order {
    fileprivate var unitPrice: Int64 { price / quantity }
}

extension World.Arrival {
    /// How much later it was received than its sender's clock says it was sent.
    fileprivate var clockLag: Int64 { receivedAt - (time ?? receivedAt) }

    fileprivate var report: World.DeviceReport? {
        guard case .device(let report) = content else { return nil }
        return report
    }
}

extension World.Life {
    fileprivate func device(of report: World.DeviceReport) -> World.Device {
        devices[installations[report.installation].device]
    }

    /// The sender's clock error, with the sign of `clockLag`.
    fileprivate func clockError(of report: World.DeviceReport) -> Int64 {
        -device(of: report).clockError
    }

    private func number(of arrival: World.Arrival) -> String? {
        arrival.order.map { orders[$0].number }
    }

    private func charges(of arrival: World.Arrival) -> [Int] {
        arrival.order.map { charges(of: $0) } ?? []
    }

    // MARK: Clients

    /// Whether something is finished of which no proof had arrived, by a client that has proofs.
    fileprivate var finishesUnverified: Bool {
        arrivals.contains { finish in
            guard finish.type == "storekit.finished", let report = finish.report,
                device(of: report).storeKit == 2
            else { return false }
            return !arrivals.contains { earlier in
                earlier.transaction == finish.transaction && earlier.report?.evidence != nil
                    && earlier.receivedAt < finish.receivedAt
            }
        }
    }

    /// Whether a purchase for an order comes back without the order's number.
    fileprivate var losesNumber: Bool {
        app.numbering != .account
            && arrivals.contains { arrival in
                guard arrival.type == "storekit.purchased", let report = arrival.report,
                    let index = arrival.transaction, transactions[index].isCharge,
                    !transactions[index].isRenewal
                else { return false }
                return report.username != number(of: arrival)
            }
    }

    /// Whether a purchase fails while one of its product is told and not finished.
    fileprivate var isBlocked: Bool {
        arrivals.contains { failed in
            guard failed.type == "storekit.failed", let report = failed.report else { return false }
            let earlier = arrivals.filter { $0.receivedAt < failed.receivedAt }
            let told = earlier.filter { $0.type == "storekit.purchased" }.compactMap(\.transaction)
            let done = earlier.filter { $0.type == "storekit.finished" }.compactMap(\.transaction)
            return Set(told).subtracting(done).contains {
                transactions[$0].product == report.product
            }
        }
    }

    /// Whether a proof is sent under the number of another order of the same account.
    fileprivate var sendsProofForAnother: Bool {
        arrivals.contains { arrival in
            guard let report = arrival.report, report.evidence != nil,
                let index = arrival.transaction, let own = transactions[index].order
            else { return false }
            return orders.indices.contains {
                $0 != own && orders[$0].number == report.username
                    && orders[$0].account == orders[own].account
            }
        }
    }

    fileprivate var chargesDespiteCancelling: Bool {
        arrivals.contains { $0.report?.errorCode == 2 && !charges(of: $0).isEmpty }
    }

    fileprivate func asks(andIsCharged: Bool) -> Bool {
        arrivals.contains {
            $0.type == "storekit.deferred" && charges(of: $0).isEmpty != andIsCharged
        }
    }

    fileprivate var acknowledgesNothing: Bool {
        arrivals.contains { arrival in
            guard arrival.report?.acknowledgedByServer == true, let index = arrival.transaction
            else { return false }
            return transactions[index].product.kind != .autoRenewable
                && !deliveries.contains { $0.transaction == index }
        }
    }

    /// Whether somebody sends what another Apple account bought.
    fileprivate var replays: Bool {
        arrivals.contains { arrival in
            guard let report = arrival.report, let index = report.evidence?.transaction else {
                return false
            }
            return transactions[index].appleAccount != accounts[report.account].appleAccount
        }
    }

    // MARK: The way to the server

    fileprivate var losesTracedEvent: Bool {
        traces.contains { trace in
            trace.event.map { id in !arrivals.contains { $0.id == id } } ?? false
        }
    }

    fileprivate var repeatsDeviceEvent: Bool {
        let ids = arrivals.filter { $0.source == "device" }.map(\.id)
        return Set(ids).count < ids.count
    }

    fileprivate var hasOvertaking: Bool {
        var last: [Int: Int64] = [:]
        return arrivals.contains { arrival in
            guard let report = arrival.report else { return false }
            let before = last.updateValue(report.sequence, forKey: report.installation)
            return before ?? 0 > report.sequence
        }
    }

    // MARK: Apple

    fileprivate func keepsQuiet(before instant: Int64) -> Bool {
        notifications.contains { $0.attempts.isEmpty && $0.signedDate < instant }
    }

    /// Whether a purchase was told only after its refund.
    fileprivate var tellsRefundFirst: Bool {
        var refunded: Set<Int> = []
        return arrivals.contains { arrival in
            guard case .notification(let index) = arrival.content,
                let transaction = notifications[index].transaction
            else { return false }
            if notifications[index].type == "REFUND" { refunded.insert(transaction) }
            let isPurchase = ["ONE_TIME_CHARGE", "SUBSCRIBED", "DID_RENEW"]
                .contains(notifications[index].type)
            return isPurchase && refunded.contains(transaction)
        }
    }
}
