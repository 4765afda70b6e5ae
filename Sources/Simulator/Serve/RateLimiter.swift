/// Apple's limits: so many requests a second, for each app and endpoint ("Identifying rate
/// limits"). Apple counts by the hour; here a second's worth may come at once, and more as time
/// goes by.
struct RateLimiter: Sendable {
    private struct Bucket {
        /// In thousandths of a request.
        var tokens: Int64
        var filledAt: Int64
    }

    private struct Place: Hashable {
        let bundle: String
        let endpoint: AppStoreEndpoint
    }

    /// Of Apple's production limits: 10 is the sandbox, 0 is no limit.
    let percent: Int
    private var buckets: [Place: Bucket] = [:]

    init(percent: Int) { self.percent = percent }

    /// Takes a request at `now` (milliseconds since 1970 UTC).
    /// - Returns: `nil`, or when the next would be taken.
    mutating func refusal(_ endpoint: AppStoreEndpoint, of bundle: String, now: Int64) -> Int64? {
        guard percent > 0 else { return nil }
        let perSecond = max(1, Int64(endpoint.requestsPerSecond * percent / 100))
        let place = Place(bundle: bundle, endpoint: endpoint)
        var bucket = buckets[place] ?? Bucket(tokens: perSecond * 1000, filledAt: now)
        let elapsed = max(0, min(now - bucket.filledAt, 1000))
        bucket.tokens = min(perSecond * 1000, bucket.tokens + elapsed * perSecond)
        bucket.filledAt = max(bucket.filledAt, now)
        defer { buckets[place] = bucket }
        guard bucket.tokens >= 1000 else {
            return now + (1000 - bucket.tokens + perSecond - 1) / perSecond
        }
        bucket.tokens -= 1000
        return nil
    }
}

/// What Apple counts by itself.
enum AppStoreEndpoint: Sendable {
    case transactionInfo
    case history
    case refunds
    case orderLookUp
    case statuses
    case notificationHistory
    case consumption
    case setToken
    case finish

    /// In production; that of `finish` is not published.
    var requestsPerSecond: Int {
        switch self {
        case .transactionInfo, .history, .statuses, .notificationHistory, .consumption, .finish: 50
        case .setToken: 20
        case .refunds, .orderLookUp: 10
        }
    }
}
