import JSON
import Settlement

/// A seeded generator (SplitMix64): the same seed gives the same history everywhere.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }
}

/// A history built around the four pitfalls out of few names, so that everything meets everything:
/// finishes before proof, floods of callbacks, lost order numbers, blind cures; refunds and their
/// reversals, renewals, restores, forgeries, deliveries to the right and the wrong account.
struct RandomHistory {
    static let token = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
    static let orders = ["A1", "A2", token]
    static let accounts = ["anna-account", "bob-account"]
    static let transactions = ["1001", "1002", "1003", "1004", "2000", "2001"]
    static let lengthMinutes = 5000

    private(set) var history = History()
    private var random: SeededGenerator
    private var deliveries = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        if random.chance(20) { history.settings(["convention": "account"]) }
        if random.chance(20) { history.settings(["environments": ["Production", "Sandbox"]]) }
        for _ in 0..<Int.random(in: 3...14, using: &random) { step() }
    }

    /// The events that change no settings: those may come in any order.
    var events: [SettlementEvent] { history.events.filter { $0.type != "settings.changed" } }
    var settings: [SettlementEvent] { history.events.filter { $0.type == "settings.changed" } }

    private var minute: Int {
        mutating get { Int.random(in: 0..<Self.lengthMinutes, using: &random) }
    }

    /// An order number as devices send it: often lost, sometimes as a placeholder.
    private var username: String? {
        mutating get {
            if random.chance(25) { return random.pick([nil, "(null)", " ", "nil"]) }
            return random.pick(Self.orders)
        }
    }

    private mutating func step() {
        history.account = random.chance(90) ? random.pick(Self.accounts) : nil
        history.device = random.pick(["phone", "tablet"])
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1: create()
        case 2: attempt()
        case 3, 4, 5: purchase()
        case 6: finish()
        case 7, 8: notify()
        case 9, 10: deliver()
        case 11: agent()
        case 12: flood()
        default: restoreOrRegister()
        }
    }

    private mutating func create() {
        history.created(
            random.pick(Self.orders), at: minute, price: random.pick([990, nil, 4990]),
            quantity: random.pick([nil, 1, 2]), account: random.pick(Self.accounts + [nil]),
            token: random.chance(20) ? Self.token : nil)
        if random.chance(20) { history.cancelled(random.pick(Self.orders), at: minute) }
    }

    private mutating func attempt() {
        let what = random.pick(["purchasing", "deferred", "failed", "failed"])
        history.storeKit(
            what, username, at: minute,
            sequence: random.chance(60) ? random.pick([1, 2, 3, 4]) : nil,
            error: what == "failed" ? ("SKErrorDomain", random.pick([0, 2])) : nil)
    }

    private mutating func purchase() {
        let signed = signed()
        if random.chance(25) {
            history.storeKit(
                "purchased", username, signed.id, at: minute, sequence: random.pick([1, 2, 3]))
        } else if random.chance(8) {
            history.storeKit("purchased", username, at: minute, proof: [unreadable("receipt")])
        } else {
            history.bought(username, signed, at: minute, sequence: random.pick([nil, 2, 5]))
        }
    }

    private mutating func finish() {
        history.storeKit(
            "finished", username, random.pick(Self.transactions), at: minute,
            sequence: random.pick([nil, 4, 6]), acknowledged: random.pick([nil, true, false]))
    }

    private mutating func notify() {
        let renewal =
            random.chance(20)
            ? Renewal(
                original: "2000", signed: minute, isRetrying: true,
                graceEnds: random.pick([nil, minute])) : nil
        history.notified(genuine(), renewal: renewal, at: minute)
    }

    private mutating func deliver() {
        deliveries += 1
        let id = "D\(random.chance(70) ? deliveries : 1)"
        history.delivery(
            random.pick(["requested", "succeeded", "succeeded", "failed", "reversed"]), id,
            at: minute, order: random.chance(60) ? random.pick(Self.orders) : nil,
            transaction: random.chance(60) ? random.pick(Self.transactions) : nil,
            account: random.pick(Self.accounts + [nil]), quantity: random.pick([nil, 1, 2]),
            grant: random.chance(10) ? "goodwill" : nil)
    }

    private mutating func agent() {
        let id = random.pick(Self.transactions)
        if random.chance(40) { return history.named(id, for: random.pick(Self.orders), at: minute) }
        let number = random.chance(80) ? random.pick(Self.orders) : nil
        history.linked(id, to: number, random.chance(60), at: minute)
    }

    /// P2: the queue is emptied at once, every payment told twice.
    private mutating func flood() {
        let at = minute
        for id in ["1001", "1002", "1003", "1004"] {
            for _ in 0..<2 { history.bought(username, Signed(id), at: at) }
        }
    }

    private mutating func restoreOrRegister() {
        if random.chance(50) {
            return history.registered(random.pick(Self.accounts), token: Self.token, at: minute)
        }
        let restored = Signed("1009").with {
            $0.original = "1001"
            $0.type = "Non-Consumable"
        }
        history.storeKit(
            "restored", username, "1009", at: minute, original: "1001",
            proof: random.chance(50) ? [restored.part(path: "data.signedTransaction")] : [])
    }

    private mutating func signed() -> Signed {
        var signed = genuine()
        if random.chance(15) {
            signed.copy = "forged \(minute)"
            signed.status = "refused"
            signed.refusal = random.pick(["bad-signature", "untrusted-chain", "malformed"])
        }
        return signed
    }

    private mutating func genuine() -> Signed {
        let id = random.pick(Self.transactions)
        let isSubscription = id.hasPrefix("2")
        var signed = Signed(id)
        signed.quantity = id == "1004" ? 3 : 1
        signed.environment = id == "1003" ? "Sandbox" : "Production"
        signed.token = random.chance(40) ? Self.token : nil
        signed.customer = random.pick([nil, "customer"])
        signed.purchased = isSubscription ? (id == "2000" ? 0 : 2000) : 10
        signed.signed = random.pick([10, 500, 500, 1000])
        if random.chance(20) {
            signed.revoked = 400
            signed.revocationReason = random.pick([nil, 0, 1, 2])
            signed.revocationPercentage = random.pick([nil, nil, 30_000])
        }
        if isSubscription {
            signed.original = "2000"
            signed.type = "Auto-Renewable Subscription"
            signed.product = "club.monthly"
            signed.expires = id == "2000" ? 2000 : 4000
        } else if random.chance(10) {
            signed.ownership = "FAMILY_SHARED"
        }
        return signed
    }
}

extension RandomHistory {
    /// One of the questions, by the seed.
    static func question(_ seed: UInt64) -> Question {
        questions[Int(seed / 5) % questions.count]
    }

    /// Every question that the few names allow.
    static var questions: [Question] {
        let bundle = History.bundle
        return orders.map { .order(bundle, $0) }
            + accounts.map { .account(bundle, $0) }
            + accounts.map { .order(bundle, "A1", claimant: $0) }
            + transactions.map { .transaction(bundle, $0) }
            + [.token(bundle, token), .transaction(bundle, "1009")]
    }
}
