internal import AppStoreModel
internal import JSON

/// `world.ndjson`: what is true, line by line, as of the world's end. It knows no verdict.
///
/// The first line is the world itself, then come the lines of each circle, in the order of circles;
/// instants are RFC 3339 in UTC, money is int64 milliunits, ids and accounts are the world's own
/// texts. `kind` says what a line is about:
///
/// - `world`: `seed`, `orders`, `start`, `end`, `apps` (`bundleId`, `appAppleId`, `numbering`),
///   `faults` (parts per million of each that is not 0).
/// - `order`: `circle`, `bundleId`, `orderNumber`, `account`, `productId`, `productType`,
///   `quantity`, `price`, `currency`, `createdAt`, `cancelledAt`?, `charges` (ids of the charges
///   that were bought for it, renewals not counted), `delivered` (what stands: `account`,
///   `productId`, `quantity`, `transactionId`?, `grant`?).
/// - `transaction`: `circle`, `bundleId`, `transactionId`, `originalTransactionId`,
///   `appleOrderId`, `appTransactionId`, `productId`, `type`, `quantity`, `price`, `currency`,
///   `environment`, `charged` (Apple took money for it: a purchase or renewal in production),
///   `restore`, `renewal`, `familyShared`, `purchaseDate`, `expiresDate`?, `upgradedAt`?,
///   `refunded` (`no`, `full`, `prorated`; a reversed refund is `no`), `refundedAt`?,
///   `reversedAt`?, `percentage`?, `familyRevokedAt`?, `owner` (the account entitled to the
///   goods), `orderNumber`? (what it was bought for), `delivered` (as of an order).
/// - `claim`: `circle`, `bundleId`, `claimId`, `account`, `openedAt`, `honesty`, `story`,
///   `orderNumber`? and `transactionId`? (what it is really about).
/// - `fault`: `circle`, `fault`, `at`, `orderNumber`?, `transactionId`?, `event`?.
public struct TruthWriter: Sendable {
    private let world: World

    /// A writer of the truths of `world`.
    public init(_ world: World) {
        self.world = world
    }

    /// The first line, without its end.
    public func header() -> [UInt8] {
        let configuration = world.configuration
        return line("world") { json in
            json.member("seed", configuration.seed)
            json.member("orders", configuration.orders)
            json.member("start", RFC3339.text(configuration.start))
            json.member("end", RFC3339.text(configuration.end))
            json.name("apps")
            json.array(configuration.apps) { json, app in
                json.object {
                    $0.member("bundleId", app.bundle)
                    $0.member("appAppleId", app.appAppleId)
                    $0.member("numbering", app.numbering.rawValue)
                }
            }
            json.name("faults")
            json.object { json in
                for fault in World.Fault.allCases where configuration.faults[fault] > 0 {
                    json.member(fault.rawValue, configuration.faults[fault])
                }
            }
        }
    }

    /// The lines of a life, without their ends: orders, transactions, claims, faults.
    public func lines(of life: World.Life) -> [[UInt8]] {
        life.orders.indices.map { order($0, of: life) }
            + life.transactions.indices.map { transaction($0, of: life) }
            + life.claims.map { claim($0, of: life) }
            + life.traces.map { trace($0, of: life) }
    }

    // MARK: Lines

    private func order(_ index: Int, of life: World.Life) -> [UInt8] {
        let order = life.orders[index]
        return line("order", life) { json in
            json.member("orderNumber", order.number)
            json.member("account", life.accounts[order.account].id)
            json.member("productId", order.product.id(in: life.app))
            json.member("productType", order.product.kind.rawValue)
            json.member("quantity", order.quantity)
            json.member("price", order.price)
            json.member("currency", order.storefront.currency)
            json.member("createdAt", RFC3339.text(order.createdAt))
            json.optional("cancelledAt", order.cancelledAt)
            let charges = life.charges(of: index)
            json.name("charges")
            json.array(charges) { $0.string(life.transactions[$1].id) }
            delivered(life.deliveries.filter { $0.order == index }, of: life, &json)
        }
    }

    private func transaction(_ index: Int, of life: World.Life) -> [UInt8] {
        let transaction = life.transactions[index]
        return line("transaction", life) { json in
            json.member("transactionId", transaction.id)
            json.member("originalTransactionId", transaction.originalId)
            json.member("appleOrderId", transaction.appleOrderId)
            let buyer = life.appleAccounts[transaction.appleAccount]
            json.member("appTransactionId", buyer.appTransactionId)
            json.member("productId", transaction.product.id(in: life.app))
            json.member("type", transaction.product.kind.rawValue)
            json.member("quantity", transaction.quantity)
            json.member("price", transaction.price)
            json.member("currency", transaction.storefront.currency)
            json.member("environment", transaction.environment)
            json.member("charged", transaction.isCharge)
            json.member("restore", transaction.isRestore)
            json.member("renewal", transaction.isRenewal)
            json.member("familyShared", transaction.isFamilyShared)
            json.member("purchaseDate", RFC3339.text(transaction.purchaseDate))
            json.optional("expiresDate", transaction.expiresDate)
            json.optional("upgradedAt", transaction.upgradedAt)
            refund(transaction.revocation, &json)
            json.member("owner", life.accounts[transaction.owner].id)
            if let order = transaction.order {
                json.member("orderNumber", life.orders[order].number)
            }
            delivered(life.deliveries.filter { $0.transaction == index }, of: life, &json)
        }
    }

    private func refund(_ revocation: World.Revocation?, _ json: inout JSONWriter) {
        guard let revocation else { return json.member("refunded", "no") }
        let isReversed = revocation.reversedAt != nil
        switch revocation.kind {
        case .full: json.member("refunded", isReversed ? "no" : "full")
        case .prorated: json.member("refunded", isReversed ? "no" : "prorated")
        case .familyRevoke: json.member("refunded", "no")
        }
        let isRefund = revocation.kind != .familyRevoke
        json.optional(isRefund ? "refundedAt" : "familyRevokedAt", revocation.date)
        json.optional("reversedAt", revocation.reversedAt)
        if let percentage = revocation.percentage { json.member("percentage", percentage) }
    }

    private func delivered(
        _ deliveries: [World.Delivery], of life: World.Life, _ json: inout JSONWriter
    ) {
        json.name("delivered")
        json.array(deliveries.filter(\.stands)) { json, delivery in
            json.object { json in
                json.member("account", life.accounts[delivery.account].id)
                json.member("productId", delivery.product.id(in: life.app))
                json.member("quantity", delivery.quantity)
                if let transaction = delivery.transaction {
                    json.member("transactionId", life.transactions[transaction].id)
                }
                if let grant = delivery.grant { json.member("grant", grant) }
            }
        }
    }

    private func claim(_ claim: World.Claim, of life: World.Life) -> [UInt8] {
        line("claim", life) { json in
            json.member("claimId", claim.id)
            json.member("account", life.accounts[claim.account].id)
            json.member("openedAt", RFC3339.text(claim.openedAt))
            json.member("honesty", claim.honesty.rawValue)
            json.member("story", claim.story.rawValue)
            if let order = claim.order { json.member("orderNumber", life.orders[order].number) }
            if let transaction = claim.transaction {
                json.member("transactionId", life.transactions[transaction].id)
            }
        }
    }

    private func trace(_ trace: World.FaultTrace, of life: World.Life) -> [UInt8] {
        line("fault", life) { json in
            json.member("fault", trace.fault.rawValue)
            json.member("at", RFC3339.text(trace.at))
            if let order = trace.order { json.member("orderNumber", life.orders[order].number) }
            if let transaction = trace.transaction {
                json.member("transactionId", life.transactions[transaction].id)
            }
            if let event = trace.event { json.member("event", event) }
        }
    }

    private func line(
        _ kind: String, _ life: World.Life? = nil, _ body: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { json in
            json.member("kind", kind)
            if let life {
                json.member("circle", life.circle)
                json.member("bundleId", life.app.bundle)
            }
            body(&json)
        }
        return writer.bytes
    }
}

extension JSONWriter {
    /// An instant as a member, in RFC 3339; nothing for `nil`.
    fileprivate mutating func optional(_ name: String, _ instant: Int64?) {
        if let instant { member(name, RFC3339.text(instant)) }
    }
}

extension World.Life {
    /// The charges that were bought for an order, renewals not counted: indices into
    /// `transactions`.
    public func charges(of order: Int) -> [Int] {
        transactions.indices.filter { index in
            let transaction = transactions[index]
            return transaction.order == order && transaction.isCharge && !transaction.isRenewal
        }
    }
}
