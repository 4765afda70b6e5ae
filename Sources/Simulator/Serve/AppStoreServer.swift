internal import HTTPServer
internal import JSON
internal import Synchronization

/// Answers as the App Store Server API from a world's folder: who was charged, refunded and told is
/// what the world decided. What clients write (consumption, account tokens, finishing) is kept in
/// `served/app-store.ndjson`; an account token that was set is in every answer from then on.
public final class AppStoreServer: Sendable {
    private struct State {
        var limiter: RateLimiter
        var faults: ServeFaults
        /// Transactions that were signed anew, by id.
        var signedAnew: [String: String] = [:]
    }

    let world: ServedWorld
    private let verifier: TokenVerifier
    private let journal: Journal
    /// Milliseconds since 1970 UTC.
    private let now: @Sendable () -> Int64
    private let state: Mutex<State>

    /// A server of a world.
    /// - Parameters:
    ///   - folder: the world's.
    ///   - limitPercent: of Apple's rate limits in production; 0 is no limit.
    ///   - now: milliseconds since 1970 UTC, by which tokens and limits are judged.
    public init(
        _ world: ServedWorld, folder: String, key: ServerAPIKey, limitPercent: Int = 100,
        faults: ServeFaults = ServeFaults(), now: @escaping @Sendable () -> Int64
    ) throws {
        self.world = world
        self.now = now
        verifier = TokenVerifier(key: key, bundles: Set(world.appAppleIds.keys))
        journal = try Journal("served/app-store.ndjson", in: folder)
        state = Mutex(State(limiter: RateLimiter(percent: limitPercent), faults: faults))
    }

    /// What a request is about, once its token, rate and luck are good.
    struct Call {
        let request: HTTPRequest
        let bundle: String
        /// The id in the path.
        let id: String
    }

    /// Answers `request` with what `body` makes of it.
    func answer(
        _ endpoint: AppStoreEndpoint, _ request: HTTPRequest, _ path: PathParameters,
        _ body: (Call) throws(AppStoreError) -> HTTPResponse
    ) async throws -> HTTPResponse {
        let instant = now()
        let authorizations = request.fields.values("Authorization")
        guard authorizations.count == 1,
            let bundle = verifier.bundle(
                authorization: authorizations.first, now: instant / 1000)
        else { return HTTPResponse(status: 401, contentType: "text/plain", body: Self.refusal) }
        if let next = state.withLock({ state in
            state.limiter.refusal(endpoint, of: bundle, now: instant)
        }) {
            return Self.busy(until: next)
        }
        let faults: [ServeFault] = [.appStoreFails, .appStoreSilent, .appStoreBusy]
        switch state.withLock({ $0.faults.strike(faults) }) {
        case .appStoreFails: return AppStoreError.generalInternalRetryable.response
        case .appStoreSilent: try await Silence.keep()
        case .appStoreBusy: return Self.busy(until: instant + 1000)
        case .deliveryFails, .deliveryConflicts, .deliverySilent, .deliveryAnswerLost,
            .deliveryNotDone, nil:
            break
        }
        let id = (try? path.value("id")) ?? ""
        do throws(AppStoreError) {
            return try body(Call(request: request, bundle: bundle, id: id))
        } catch {
            return error.response
        }
    }

    private static let refusal = Array("Unauthenticated\n".utf8)

    /// Apple's `Retry-After` is an instant in milliseconds since 1970, not the standard's seconds
    /// ("Identifying rate limits").
    private static func busy(until instant: Int64) -> HTTPResponse {
        var response = AppStoreError.rateLimitExceeded.response
        response.fields.append("Retry-After", String(instant))
        return response
    }

    // MARK: What clients write

    /// Keeps that a client wrote something.
    func record(_ call: Call) throws(AppStoreError) {
        var json = JSONWriter()
        json.object {
            $0.member("at", now())
            $0.member("bundleId", call.bundle)
            $0.member("method", call.request.method.rawValue)
            $0.member("path", call.request.target.text)
            if !call.request.body.isEmpty {
                $0.member("body", String(decoding: call.request.body, as: UTF8.self))
            }
        }
        do {
            try journal.append(json.bytes)
        } catch {
            throw .generalInternalRetryable
        }
    }

    /// Signs every transaction of a purchase anew, with this account token.
    func setToken(_ token: String, of transaction: ServedTransaction) {
        let changed = world.customersTransactions(transaction).filter {
            $0.originalId == transaction.originalId
        }
        let instant = now()
        let signed = changed.map { ($0.id, resigned($0, token: token, at: instant)) }
        state.withLock { $0.signedAnew.merge(signed) { $1 } }
    }

    private func resigned(_ transaction: ServedTransaction, token: String, at instant: Int64)
        -> String
    {
        var json = JSONWriter()
        json.object { json in
            let members = JSONValue(payloadOf: transaction.jws)?.members ?? []
            for member in members where !["appAccountToken", "signedDate"].contains(member.name) {
                json.name(member.name)
                json.value(member.value)
            }
            json.member("appAccountToken", token.lowercased())
            json.member("signedDate", instant)
        }
        return String(decoding: world.chain.sign(payload: json.bytes), as: UTF8.self)
    }

    /// A transaction as it is signed now.
    func jws(_ transaction: ServedTransaction) -> String {
        state.withLock { $0.signedAnew[transaction.id] } ?? transaction.jws
    }
}

/// A server that does not answer: longer than any client waits, unless the request is given up.
enum Silence {
    static func keep() async throws { try await Task.sleep(for: .seconds(600)) }
}
