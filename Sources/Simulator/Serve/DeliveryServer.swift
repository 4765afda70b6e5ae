public import HTTPServer
internal import JSON
internal import Synchronization

/// The platform's delivery server: `POST /deliveries` with `Idempotency-Key:
/// "BUNDLE/TRANSACTION/n"` and `{"account", "productId", "quantity", "orderNumber"?}`.
///
/// It answers 200 with `{"deliveryId", "status": "succeeded"}` when the goods are given, now or by
/// an earlier request of the same key and content; 409 for a key that stands for something else;
/// 500 when it failed and may be asked again.
public final class DeliveryServer: Sendable {
    private struct State {
        var ledger: DeliveryLedger
        var faults: ServeFaults
    }

    private let state: Mutex<State>
    private let now: @Sendable () -> Int64

    /// A delivery server that keeps its ledger in a world's folder.
    /// - Parameter now: milliseconds since 1970 UTC.
    public init(
        folder: String, faults: ServeFaults = ServeFaults(), now: @escaping @Sendable () -> Int64
    ) throws {
        state = Mutex(State(ledger: try DeliveryLedger(folder: folder), faults: faults))
        self.now = now
    }

    /// Adds the endpoint to a router.
    public func addRoutes(to router: inout Router) {
        router.on(.post, "/deliveries") { [self] request, _ in try await deliver(request) }
    }

    private func deliver(_ request: HTTPRequest) async throws -> HTTPResponse {
        let entry = try Self.entry(request)
        let faults: [ServeFault] = [
            .deliveryFails, .deliveryConflicts, .deliverySilent, .deliveryAnswerLost,
            .deliveryNotDone,
        ]
        let fault = state.withLock { $0.faults.strike(faults) }
        switch fault {
        case .deliveryFails: throw Problem(.internalError, "nothing was delivered")
        case .deliveryConflicts: throw Problem(.conflict, "the account is locked")
        case .deliveryNotDone: return Self.done(entry)
        case .deliverySilent, .deliveryAnswerLost, .appStoreFails, .appStoreSilent, .appStoreBusy,
            nil:
            break
        }
        try give(entry)
        if fault == .deliverySilent { try await Silence.keep() }
        if fault == .deliveryAnswerLost { throw Problem(.internalError) }
        return Self.done(entry)
    }

    /// Once for each id.
    private func give(_ entry: DeliveryLedger.Entry) throws {
        let instant = now()
        try state.withLock { state in
            if let earlier = state.ledger.entries[entry.deliveryId] {
                guard earlier == entry else {
                    throw Problem(.conflict, "the key stands for another delivery")
                }
            } else {
                try state.ledger.append(entry, at: instant)
            }
        }
    }

    private static func done(_ entry: DeliveryLedger.Entry) -> HTTPResponse {
        var json = JSONWriter()
        json.object {
            $0.member("deliveryId", entry.deliveryId)
            $0.member("status", "succeeded")
        }
        return .json(json.bytes)
    }

    private static func entry(_ request: HTTPRequest) throws -> DeliveryLedger.Entry {
        let keys = request.fields.values("Idempotency-Key")
        guard keys.count == 1, let key = keys.first, key.count > 2, key.first == "\"",
            key.last == "\"", let id = DeliveryId(String(key.dropFirst().dropLast()))
        else { throw Problem(.invalidRequest, "Idempotency-Key must be \"BUNDLE/TRANSACTION/n\"") }
        guard let body = try? JSONValue(parsing: request.body),
            let account = body["account"]?.string, account.isPlain,
            let productId = body["productId"]?.string, productId.isPlain,
            let quantity = body["quantity"]?.int64, (1...1_000_000).contains(quantity),
            let order = body["orderNumber"].map({ $0.string ?? "," }) ?? .some(""),
            order.isEmpty || order.isPlain
        else {
            throw Problem(.invalidRequest, "account, productId and quantity say what to deliver")
        }
        return DeliveryLedger.Entry(
            deliveryId: id.text, account: account, orderNumber: order, productId: productId,
            quantity: quantity)
    }
}
