internal import JSON

/// The day while it is being told: who did what, and what of it was received.
///
/// Stories (the other `SampleDay…` files) call these functions; each appends the events that the
/// parties would have sent. Money, instants and names are those of CloudEvents as `ingest` reads
/// them.
struct SampleWorld {
    let dayStart: Int64
    let chain: MintedChain
    var random: SampleRandom
    private(set) var events: [SampleEvent] = []
    private(set) var bodies: [SampleEvent] = []
    private(set) var expectations: [SampleDay.Expectation] = []
    private var sequences: [String: Int64] = [:]
    private var nextTransaction: Int64
    private var nextAccount: Int64
    private var nextClaim: Int64

    init(seed: UInt64, dayStart: Int64, chain: MintedChain) {
        self.dayStart = dayStart
        self.chain = chain
        random = SampleRandom(seed: seed &* 1_000_003 ^ UInt64(bitPattern: dayStart))
        nextTransaction = 470_000_000_000_000 + random.number(0...9_999_999) * 10_000
        nextAccount = random.number(10_000...89_999)
        nextClaim = random.number(100_000_000...999_999_000)
    }

    /// An instant of the day, `hours` after midnight plus up to `spread` hours.
    mutating func instant(_ hours: Int64, spread: Int64 = 4) -> Int64 {
        dayStart + hours * SampleInstant.hour + random.number(0...(spread * SampleInstant.hour))
    }

    mutating func customer() -> SampleCustomer {
        nextAccount += random.number(1...9)
        return SampleCustomer(
            account: "player-\(nextAccount)", deviceId: random.uuid().uppercased(),
            installation: random.uuid(),
            appTransactionId: "7\(nextAccount)\(random.number(1_000...9_999))",
            clockError: random.number(-SampleInstant.hour...SampleInstant.hour))
    }

    // MARK: The platform

    /// An order, with a UUID or a plain number.
    mutating func order(
        _ customer: SampleCustomer, _ product: SampleProduct, at instant: Int64, uuid: Bool = false,
        quantity: Int64 = 1
    ) -> SampleOrder {
        let number = uuid ? random.uuid().uppercased() : plainOrderNumber()
        let order = SampleOrder(
            number: number, product: product, customer: customer, createdAt: instant)
        event("platform", "order.created", "order/\(number)", at: instant) { json in
            json.member("account", customer.account)
            json.member("orderNumber", number)
            json.member("productId", product.id)
            json.member("productType", product.type)
            json.member("quantity", quantity)
            json.member("price", product.price * quantity)
            json.member("currency", "USD")
            json.member("storefront", "USA")
            if order.token != nil { json.member("appAccountToken", number) }
        }
        return order
    }

    /// A number that no Apple server carries.
    mutating func plainOrderNumber() -> String {
        "LN\(random.number(10_000_000_000...99_999_999_999))"
    }

    mutating func cancel(_ order: SampleOrder, at instant: Int64) {
        event("platform", "order.cancelled", "order-cancelled/\(order.number)", at: instant) {
            json in
            json.member("orderNumber", order.number)
            json.member("reason", "not paid within an hour")
        }
    }

    // MARK: The delivery server

    /// A delivery that succeeded, to the account, named by order or by transaction.
    mutating func deliver(
        _ product: SampleProduct, to account: String, order: SampleOrder? = nil,
        transaction: SampleTransaction? = nil, quantity: Int64 = 1, grant: String? = nil,
        at instant: Int64
    ) {
        delivery("delivery.succeeded", random.uuid(), at: instant) { json in
            json.member("account", account)
            if let order { json.member("orderNumber", order.number) }
            if let transaction { json.member("transactionId", transaction.id) }
            json.member("productId", product.id)
            json.member("quantity", quantity)
            if let grant { json.member("grant", grant) }
        }
    }

    /// A delivery of the whole of `transaction` for `order`, and its reversal when the money goes
    /// back.
    mutating func deliverAndReverse(
        _ transaction: SampleTransaction, for order: SampleOrder, at instant: Int64,
        reversedAt: Int64
    ) {
        let id = random.uuid()
        for (type, when) in [("delivery.succeeded", instant), ("delivery.reversed", reversedAt)] {
            delivery(type, id, at: when) { json in
                json.member("account", order.customer.account)
                json.member("orderNumber", order.number)
                json.member("transactionId", transaction.id)
                json.member("productId", order.product.id)
                json.member("quantity", transaction.quantity)
            }
        }
    }

    private mutating func delivery(
        _ type: String, _ id: String, at instant: Int64, _ data: (inout JSONWriter) -> Void
    ) {
        event("delivery", type, "\(type)/\(id)", at: instant) { json in
            json.member("deliveryId", id)
            data(&json)
        }
    }

    // MARK: The device

    /// A StoreKit 1 callback on the customer's phone, numbered by its installation.
    mutating func device(
        _ customer: SampleCustomer, _ type: String, at instant: Int64,
        _ data: (inout JSONWriter) -> Void
    ) {
        let sequence = (sequences[customer.installation] ?? 0) + 1
        sequences[customer.installation] = sequence
        let id = "\(customer.installation)/\(sequence)"
        let latency = random.number(80...2_500)
        let told = instant + customer.clockError
        event("device", type, id, at: instant + latency, time: told) { json in
            json.member("account", customer.account)
            json.member("deviceId", customer.deviceId)
            json.member("installation", customer.installation)
            json.member("sequence", sequence)
            json.member("appVersion", "3.8.1")
            json.member("osVersion", "18.3")
            data(&json)
        }
    }

    /// `storekit.purchasing` (or `.deferred`, `.failed`) for an order.
    mutating func attempt(
        _ order: SampleOrder, _ type: String = "storekit.purchasing", at instant: Int64,
        errorCode: Int64? = nil
    ) {
        device(order.customer, type, at: instant) { json in
            json.member("applicationUsername", order.number)
            json.member("productId", order.product.id)
            json.member("quantity", Int64(1))
            if let errorCode {
                json.member("errorDomain", "SKErrorDomain")
                json.member("errorCode", errorCode)
            }
        }
    }

    /// `storekit.purchased` on `phone`: `proof` is the signed transaction, when the app sends it.
    mutating func purchased(
        _ transaction: SampleTransaction, username: String?, on phone: SampleCustomer? = nil,
        proof: [UInt8]? = nil, receipt: String? = nil, at instant: Int64
    ) {
        let phone = phone ?? transaction.customer
        device(phone, "storekit.purchased", at: instant) { json in
            json.member("applicationUsername", username)
            json.member("productId", transaction.product.id)
            json.member("quantity", transaction.quantity)
            json.member("transactionId", transaction.id)
            json.member("originalTransactionId", transaction.originalId ?? transaction.id)
            json.member("transactionDate", transaction.purchaseDate + phone.clockError)
            if let proof {
                json.member("signedTransaction", String(decoding: proof, as: UTF8.self))
            }
            if let receipt { json.member("receipt", receipt) }
        }
    }

    mutating func finished(
        _ transaction: SampleTransaction, username: String?, acknowledged: Bool, at instant: Int64
    ) {
        device(transaction.customer, "storekit.finished", at: instant) { json in
            json.member("transactionId", transaction.id)
            json.member("applicationUsername", username)
            json.member("productId", transaction.product.id)
            json.member("acknowledgedByServer", acknowledged)
        }
    }

    // MARK: Apple

    /// A new charge of `product`, with the order's token where Apple carries it.
    mutating func charge(
        _ customer: SampleCustomer, _ product: SampleProduct, at instant: Int64,
        order: SampleOrder? = nil, quantity: Int64 = 1
    ) -> SampleTransaction {
        nextTransaction += random.number(1...9_999)
        return SampleTransaction(
            id: String(nextTransaction), customer: customer, product: product,
            purchaseDate: instant / 1000 * 1000, quantity: quantity, token: order?.token)
    }

    /// The signed transaction as the phone or a notification holds it.
    func signed(_ transaction: SampleTransaction, at instant: Int64) -> [UInt8] {
        apple(transaction.environment).transaction(transaction.fields(signedDate: instant))
    }

    /// A notification (version 2), with its transaction signed as of `instant`.
    ///
    /// `stamped` is false where the platform kept only the body and no instant of its arrival.
    mutating func notify(
        _ type: String, subtype: String? = nil, _ transaction: SampleTransaction,
        renewal: SampleRenewal? = nil, status: Int64? = nil, stamped: Bool = true, at instant: Int64
    ) {
        let uuid = random.uuid()
        let apple = apple(transaction.environment)
        let fields = NotificationFields(
            type, subtype: subtype, notificationUUID: uuid, signedDate: instant,
            signedTransactionInfo: signed(transaction, at: instant)
        ) {
            $0.signedRenewalInfo = renewal.map { apple.renewal($0.fields(signedDate: instant)) }
            $0.status = status
        }
        keep(
            SampleEvent(
                source: "apple", type: "appstore.notification", id: "notification/\(uuid)",
                receivedAt: instant + random.number(400...9_000), time: nil,
                data: apple.notificationBody(fields)),
            stamped: stamped)
    }

    private func apple(_ environment: String) -> AppleSigner {
        AppleSigner(
            chain: chain, bundleId: SampleCatalogue.bundle, appAppleId: SampleCatalogue.appAppleId,
            environment: environment)
    }

    // MARK: Support

    /// A customer's claim, opened after everything that it is about, and the verdict it deserves.
    mutating func claim(
        _ statement: String, by account: String, _ verdict: String, remark: String? = nil,
        pitfall: Int? = nil,
        _ names: (inout JSONWriter) -> Void
    ) {
        let id = "C-\(nextClaim)"
        nextClaim += 1
        let opened =
            dayStart + 22 * SampleInstant.hour
            + Int64(expectations.count) * 90_000 + random.number(0...60_000)
        event("support", "claim.opened", "claim/\(id)", at: opened) { json in
            json.member("account", account)
            json.member("claimId", id)
            json.member("statement", statement)
            json.member("channel", "chat")
            names(&json)
        }
        expectations.append(
            SampleDay.Expectation(
                claimId: id, verdict: verdict, remark: remark, pitfall: pitfall))
    }

    /// A claim that names an order.
    mutating func claim(
        _ statement: String, of order: SampleOrder, _ verdict: String, remark: String? = nil,
        pitfall: Int? = nil
    ) {
        claim(
            statement, by: order.customer.account, verdict, remark: remark, pitfall: pitfall
        ) { $0.member("applicationUsername", order.number) }
    }

    // MARK: Envelopes

    mutating func event(
        _ source: String, _ type: String, _ id: String, at instant: Int64, time: Int64? = nil,
        _ data: (inout JSONWriter) -> Void
    ) {
        var writer = JSONWriter()
        writer.object { json in
            json.member("bundleId", SampleCatalogue.bundle)
            data(&json)
        }
        keep(
            SampleEvent(
                source: source, type: type, id: id, receivedAt: instant, time: time ?? instant,
                data: writer.bytes))
    }

    private mutating func keep(_ event: SampleEvent, stamped: Bool = true) {
        if stamped { events.append(event) } else { bodies.append(event) }
    }
}
