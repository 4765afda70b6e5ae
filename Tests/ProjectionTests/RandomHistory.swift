import JSON
import Simulator
import TestKit

/// A random history built around the four pitfalls: what devices, platform, Apple, delivery and
/// support told, in the order of its receipt.
struct RandomHistory {
    /// The events.
    private(set) var texts: [EventText] = []
    /// Names worth asking about.
    private(set) var names: Set<String> = ["nobody"]
    private(set) var now = TestApple.noon
    private var random: SeededRandom
    private var sequences: [String: Int] = [:]
    private var transactions: [TransactionFields] = []

    /// Whether the app puts the account into `applicationUsername`.
    private let namesAreAccounts: Bool

    private static let accounts = ["anna", "bert"]
    private static let products = ["gems.60", "gems.300"]

    /// - Parameter stories: how many pitfalls it is about.
    init(seed: UInt64, stories: Int, namesAreAccounts: Bool = false) {
        random = SeededRandom(seed)
        self.namesAreAccounts = namesAreAccounts
        for number in 0..<stories {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: finishedBlindly(number)
            case 1: manyCallbacks(number)
            case 2: lostOrderNumber(number)
            case 3: unfinishedBlocks(number)
            case 4: subscription(number)
            default: ordinary(number)
            }
        }
        now += random.pick([60_000, 20 * 60_000, 3 * 86_400_000])
    }

    /// The texts in another order, some of them twice.
    mutating func shuffled() -> [[UInt8]] {
        var bytes = texts.map(\.bytes)
        bytes += bytes.filter { _ in random.chance(20) }
        return bytes.shuffled(using: &random)
    }

    /// The texts cut into groups of 1 to `size`.
    mutating func groups(_ texts: [[UInt8]], size: Int) -> [[[UInt8]]] {
        var rest = texts[...]
        var groups: [[[UInt8]]] = []
        while !rest.isEmpty {
            let count = Int.random(in: 1...size, using: &random)
            groups.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return groups
    }
}

// MARK: Stories

extension RandomHistory {
    /// P1: finished before anybody verified anything.
    private mutating func finishedBlindly(_ number: Int) {
        let (order, account) = order(number)
        let transaction = purchase("1\(number)", order: nil)
        device("purchasing", account, order)
        device("purchased", account, order, transaction)
        device("finished", account, order, transaction, acknowledged: random.chance(30))
        if random.chance(60) { notify("ONE_TIME_CHARGE", transaction) }
        if random.chance(40) { deliver(order, transaction, to: account) }
        claim(number, account, order)
    }

    /// P2: no observer at launch, then many callbacks, some of them again.
    private mutating func manyCallbacks(_ number: Int) {
        let (order, account) = order(number)
        for index in 0..<Int.random(in: 2...4, using: &random) {
            let transaction = purchase("2\(number)\(index)", order: nil)
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                device("purchased", account, order, transaction, proof: random.chance(70))
            }
            if random.chance(50) { deliver(order, transaction, to: account) }
        }
        claim(number, account, order)
    }

    /// P3: the order number is lost with the app; the money is seen later, by somebody else
    /// perhaps.
    private mutating func lostOrderNumber(_ number: Int) {
        let (order, account) = order(number)
        let transaction = purchase("3\(number)", order: nil)
        device("purchasing", account, order)
        if random.chance(80) { notify("ONE_TIME_CHARGE", transaction) }
        let sender = random.pick(Self.accounts)
        if random.chance(60) { device("purchased", sender, nil, transaction, proof: true) }
        if random.chance(40) { deliver(nil, transaction, to: random.pick(Self.accounts)) }
        if random.chance(30) { link("payment.linked", order, transaction) }
        claim(number, account, order)
    }

    /// P4: an unfinished consumable blocks the next purchase; its proof is sent for another order.
    private mutating func unfinishedBlocks(_ number: Int) {
        let (first, account) = order(number)
        let transaction = purchase("4\(number)", order: first)
        device("purchased", account, first, transaction, proof: true)
        if random.chance(50) { deliver(first, transaction, to: account) }
        let (second, _) = order(number, again: true, account: account)
        device("failed", account, second)
        device("finished", account, second, transaction, acknowledged: true)
        if random.chance(70) { device("purchased", account, second, transaction, proof: true) }
        if random.chance(40) { link("order.payment-linked", second, transaction) }
        if random.chance(20) { link("payment.unlinked", second, transaction) }
        claim(number, account, second)
    }

    private mutating func subscription(_ number: Int) {
        let token = "6f9619ff-8b86-d011-b42d-00000000000\(number % 10)"
        let (_, account) = order(number, named: token, product: "pass.monthly")
        if random.chance(50) {
            tell("account.registered", "platform", ["account": account, "appAccountToken": token])
        }
        let first = purchase("5\(number)0", order: token) { fields in
            fields.productId = "pass.monthly"
            fields.type = "Auto-Renewable Subscription"
            fields.expiresDate = fields.purchaseDate + 30 * 86_400_000
        }
        notify("SUBSCRIBED", first)
        var renewal = first
        renewal.transactionId += "1"
        renewal.originalTransactionId = first.transactionId
        renewal.purchaseDate += 30 * 86_400_000
        renewal.expiresDate = renewal.purchaseDate + 30 * 86_400_000
        if random.chance(50) { notify("DID_RENEW", renewal) }
        if random.chance(30) { refund(first) }
        claim(number, account, token)
    }

    /// An order that is paid and delivered, and perhaps refunded, cancelled or reversed.
    private mutating func ordinary(_ number: Int) {
        let (order, account) = order(number)
        let transaction = purchase("6\(number)", order: order)
        device("purchasing", account, order)
        device("purchased", account, order, transaction, proof: true)
        notify("ONE_TIME_CHARGE", transaction)
        if random.chance(80) { deliver(order, transaction, to: account) }
        device("finished", account, order, transaction, acknowledged: true)
        if random.chance(30) { refund(transaction) }
        if random.chance(20) {
            tell("order.cancelled", "platform", ["orderNumber": order, "account": account])
        }
        claim(number, account, order)
    }
}

// MARK: Events

extension RandomHistory {
    private mutating func order(
        _ number: Int, named: String? = nil, again: Bool = false, account: String? = nil,
        product: String? = nil
    ) -> (number: String, account: String) {
        let order = named ?? "A-\(number)\(again ? "b" : "")"
        let account = account ?? random.pick(Self.accounts)
        names.formUnion([order, account])
        if random.chance(85) {
            tell(
                "order.created", "platform",
                [
                    "orderNumber": order, "productId": product ?? Self.products[number % 2],
                    "price": 990, "currency": "USD", "account": account,
                ])
        }
        return (order, account)
    }

    /// A purchase with a token, if the order's number is one.
    private mutating func purchase(
        _ id: String, order: String?, _ change: (inout TransactionFields) -> Void = { _ in }
    ) -> TransactionFields {
        names.insert(id)
        tick()
        let number = id.dropFirst().first?.wholeNumberValue ?? 0
        return TransactionFields(
            transactionId: id, productId: Self.products[number % 2], purchaseDate: now
        ) { fields in
            if let order, order.count == 36 { fields.appAccountToken = order }
            fields.appTransactionId = "c\(number % 3)"
            change(&fields)
        }
    }

    private mutating func refund(_ transaction: TransactionFields) {
        var refunded = transaction
        tick()
        refunded.revocationDate = now
        refunded.revocationReason = 0
        notify("REFUND", refunded)
        if random.chance(30) { notify("REFUND_REVERSED", transaction) }
    }

    private mutating func notify(_ type: String, _ transaction: TransactionFields) {
        tick()
        var signed = transaction
        signed.signedDate = now
        let jws = TestApple.notification(
            type, uuid: "u\(texts.count)", signedDate: now,
            transaction: TestApple.signer.transaction(signed))
        texts.append(
            EventText(
                "appstore.notification", id: "\(texts.count)", receivedAt: now,
                ["signedPayload": jws.text]))
    }

    private mutating func device(
        _ callback: String, _ account: String, _ order: String?,
        _ transaction: TransactionFields? = nil, proof: Bool = false, acknowledged: Bool? = nil
    ) {
        sequences[account, default: 0] += 1
        tell(
            "storekit.\(callback)", "device",
            [
                "applicationUsername": username(order, account) ?? random.pick(["", "(null)"]),
                "productId": transaction?.productId ?? product(of: order),
                "transactionId": transaction?.transactionId, "account": account,
                "deviceId": "phone-\(account)", "installation": "1",
                "sequence": sequences[account], "acknowledgedByServer": acknowledged,
                "signedTransaction": proof
                    ? transaction.map { TestApple.signer.transaction($0).text } : nil,
            ])
    }

    private func username(_ order: String?, _ account: String) -> String? {
        namesAreAccounts && order != nil ? account : order
    }

    private func product(of order: String?) -> String {
        Self.products[(order?.dropFirst(2).first?.wholeNumberValue ?? 0) % 2]
    }

    private mutating func deliver(
        _ order: String?, _ transaction: TransactionFields, to account: String
    ) {
        let id = "d\(texts.count)"
        for step in ["succeeded"] + (random.chance(15) ? ["reversed"] : []) {
            tell(
                "delivery.\(step)", "delivery",
                [
                    "deliveryId": id, "orderNumber": order,
                    "transactionId": transaction.transactionId,
                    "productId": transaction.productId, "quantity": 1, "account": account,
                ])
        }
    }

    private mutating func link(_ type: String, _ order: String, _ transaction: TransactionFields) {
        tell(
            type, "platform",
            ["orderNumber": order, "transactionId": transaction.transactionId])
    }

    private mutating func claim(_ number: Int, _ account: String, _ order: String) {
        guard random.chance(60) else { return }
        tell(
            "claim.opened", "support",
            [
                "claimId": "C-\(number)", "applicationUsername": username(order, account),
                "account": account,
            ])
    }

    /// A change of the rules.
    mutating func command(_ type: String, _ data: KeyValuePairs<String, (any JSONText)?>) {
        tell(type, "operator", data)
    }

    /// Moves the rules' changes to random places.
    mutating func scatter(_ count: Int) {
        for text in texts.suffix(count) {
            texts.removeLast()
            texts.insert(text, at: Int.random(in: 0...texts.count, using: &random))
        }
    }

    private mutating func tell(
        _ type: String, _ source: String, _ data: KeyValuePairs<String, (any JSONText)?>
    ) {
        tick()
        var text = EventText(
            type, id: "\(texts.count)", source: source, receivedAt: now, data)
        text.data.insert(JSONMember("bundleId", TestApple.bundle.json), at: 0)
        texts.append(text)
    }

    /// Time goes on, or two things are received at one instant.
    private mutating func tick() { now += random.pick([0, 1, 30_000, 400_000]) }
}
