internal import AppStoreModel
internal import Cryptography
internal import JSON

/// Renders arrivals as CloudEvents with the instant at which they were received.
public struct EventWriter: Sendable {
    /// Signs what Apple says.
    public let signer: WorldSigner

    /// A writer for a world.
    public init(_ world: World) {
        signer = WorldSigner(world)
    }

    /// The CloudEvent in JSON, without an end of line.
    public func cloudEvent(_ arrival: World.Arrival, of life: World.Life) -> [UInt8] {
        cloudEvent(arrival, of: life, signedPayload: nil)
    }

    /// - Parameter signedPayload: that of a notification, where it was signed already.
    func cloudEvent(
        _ arrival: World.Arrival, of life: World.Life, signedPayload: [UInt8]?
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { json in
            json.member("specversion", "1.0")
            json.member("source", arrival.source)
            json.member("id", arrival.id)
            json.member("type", arrival.type)
            if let time = arrival.time { json.member("time", RFC3339.text(time)) }
            json.member("recordedtime", RFC3339.text(arrival.receivedAt))
            json.member("datacontenttype", "application/json")
            json.name("data")
            json.object { json in
                if case .notification(let index) = arrival.content {
                    let signed = signedPayload ?? signer.notification(index, of: life)
                    json.text("signedPayload", signed)
                } else {
                    data(of: arrival, life, &json)
                }
            }
        }
        return writer.bytes
    }

    /// The members of `data`, but of Apple's.
    private func data(of arrival: World.Arrival, _ life: World.Life, _ json: inout JSONWriter) {
        json.member("bundleId", life.app.bundle)
        switch arrival.content {
        case .notification: break
        case .settings(let app):
            json.member("convention", app.numbering == .account ? "account" : "order")
            json.member("appAppleId", app.appAppleId)
        case .registered(let account):
            json.member("account", life.accounts[account].id)
            json.member("appAccountToken", life.accounts[account].token)
        case .consented(let account):
            json.member("account", life.accounts[account].id)
            json.member("purpose", "consumption")
            json.member("granted", true)
        case .orderCreated(let order): created(life.orders[order], life, &json)
        case .orderCancelled(let order):
            json.member("account", life.accounts[life.orders[order].account].id)
            json.member("orderNumber", life.orders[order].number)
            json.member("reason", "not paid in time")
        case .paymentLinked(let order, let transaction):
            json.member("account", life.accounts[life.orders[order].account].id)
            json.member("orderNumber", life.orders[order].number)
            json.member("transactionId", life.transactions[transaction].id)
        case .device(let report): device(report, life, &json)
        case .delivery(let delivery): delivered(life.deliveries[delivery], life, &json)
        case .goodwill(let delivery):
            delivered(life.deliveries[delivery], life, &json)
            json.member("reason", "as a kindness")
        case .claimOpened(let claim): opened(life.claims[claim], life, &json)
        case .claimEvidence(let claim): uploaded(life.claims[claim], life, &json)
        }
    }

    // MARK: The platform

    private func created(
        _ order: World.Order, _ life: World.Life, _ json: inout JSONWriter
    ) {
        json.member("account", life.accounts[order.account].id)
        json.member("orderNumber", order.number)
        json.member("productId", order.product.id(in: life.app))
        json.member("productType", order.product.kind.rawValue)
        json.member("quantity", order.quantity)
        json.member("price", order.price)
        json.member("currency", order.storefront.currency)
        json.member("storefront", order.storefront.code)
        if order.token != nil { json.member("appAccountToken", order.number) }
    }

    private func delivered(
        _ delivery: World.Delivery, _ life: World.Life, _ json: inout JSONWriter
    ) {
        json.member("deliveryId", delivery.id)
        json.member("account", life.accounts[delivery.account].id)
        if let order = delivery.order { json.member("orderNumber", life.orders[order].number) }
        if let transaction = delivery.transaction {
            json.member("transactionId", life.transactions[transaction].id)
        }
        json.member("productId", delivery.product.id(in: life.app))
        json.member("quantity", delivery.quantity)
        if let grant = delivery.grant { json.member("grant", grant) }
    }

    // MARK: The device

    private func device(
        _ report: World.DeviceReport, _ life: World.Life, _ json: inout JSONWriter
    ) {
        let installation = life.installations[report.installation]
        let device = life.devices[installation.device]
        json.member("account", life.accounts[report.account].id)
        json.member("deviceId", device.id)
        json.member("installation", installation.id)
        json.member("sequence", report.sequence)
        json.member("appVersion", installation.appVersion)
        json.member("osVersion", device.osVersion)
        json.optional("applicationUsername", report.username)
        json.optional("productId", report.product?.id(in: life.app))
        if let quantity = report.quantity { json.member("quantity", quantity) }
        json.optional("transactionId", report.transactionId)
        json.optional("originalTransactionId", report.originalTransactionId)
        if let date = report.transactionDate { json.member("transactionDate", date) }
        if let code = report.errorCode {
            json.member("errorDomain", "SKErrorDomain")
            json.member("errorCode", code)
        }
        if let acknowledged = report.acknowledgedByServer {
            json.member("acknowledgedByServer", acknowledged)
        }
        if let queue = report.queue {
            json.member("queueLength", queue.count)
            json.name("transactionIds")
            json.array(queue) { $0.string($1) }
        }
        if let evidence = report.evidence {
            proof(evidence, life, device: installation.device, &json)
        }
        if report.isOfTheFuture { speakOfTheFuture(&json) }
    }

    /// Members and values that no version of today has.
    private func speakOfTheFuture(_ json: inout JSONWriter) {
        json.member("transactionState", "awaitingCompanion")
        json.name("purchaseIntent")
        json.object {
            $0.member("kind", "SHARED_BASKET")
            $0.member("seats", 3)
        }
    }

    private func proof(
        _ evidence: World.Evidence, _ life: World.Life, device: Int, _ json: inout JSONWriter
    ) {
        let name =
            switch evidence.form {
            case .transaction: "signedTransaction"
            case .receipt: "receipt"
            }
        json.text(name, signer.evidence(evidence, of: life, device: device))
    }

    // MARK: Support

    private func opened(_ claim: World.Claim, _ life: World.Life, _ json: inout JSONWriter) {
        json.member("account", life.accounts[claim.account].id)
        json.member("claimId", claim.id)
        json.member("statement", claim.statement)
        json.member("channel", claim.channel)
        json.optional("applicationUsername", claim.named.applicationUsername)
        json.optional("transactionId", claim.named.transactionId)
        json.optional("orderId", claim.named.appleOrderId)
        json.optional("productId", claim.named.productId)
        if let amount = claim.named.amount { json.member("amount", amount) }
        json.optional("currency", claim.named.currency)
        if let claimedAt = claim.named.claimedAt { json.member("claimedAt", claimedAt) }
    }

    private func uploaded(_ claim: World.Claim, _ life: World.Life, _ json: inout JSONWriter) {
        json.member("account", life.accounts[claim.account].id)
        json.member("claimId", claim.id)
        guard let evidence = claim.evidence else { return }
        proof(evidence, life, device: life.phone(of: claim.account), &json)
    }

    /// A claim as a ticket system exports it: one line of `claims.ndjson`.
    func ticket(_ claim: World.Claim, _ life: World.Life) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { json in
            json.member("bundleId", life.app.bundle)
            opened(claim, life, &json)
            json.member("openedAt", RFC3339.text(claim.openedAt))
        }
        return writer.bytes
    }
}

extension JSONWriter {
    /// A text as a member; nothing for `nil`.
    fileprivate mutating func optional(_ name: String, _ value: String?) {
        if let value { member(name, value) }
    }

    /// Base64 or a JWS as a member: nothing in them needs an escape.
    fileprivate mutating func text(_ name: String, _ value: [UInt8]) {
        self.name(name)
        raw([UInt8(ascii: "\"")] + value + [UInt8(ascii: "\"")])
    }
}

extension World.Life {
    /// The device that an account uses: index into `devices`.
    func phone(of account: Int) -> Int {
        account == accounts.count - 1 ? devices.count - 1 : accounts[account].appleAccount
    }
}
