internal import JSON

/// What one signed renewal info says, as far as the rules ask (app-store.md, 1.3). Instants are
/// milliseconds since 1970 UTC.
struct RenewalSnapshot: Fact {
    var autoRenewStatus: Int64?
    /// What is bought when the period ends: a downgrade changes this and nothing else.
    var autoRenewProductId: String?
    var isInBillingRetryPeriod: Bool?
    var gracePeriodExpiresDate: Int64?
    var expirationIntent: Int64?
    var environment: String?
    var signedDate: Int64?

    init() {}

    init(_ payload: JSONValue) {
        autoRenewStatus = payload["autoRenewStatus"]?.int64
        autoRenewProductId = payload["autoRenewProductId"]?.name
        isInBillingRetryPeriod = payload["isInBillingRetryPeriod"]?.boolean
        gracePeriodExpiresDate = payload["gracePeriodExpiresDate"]?.int64
        expirationIntent = payload["expirationIntent"]?.int64
        environment = payload["environment"]?.string
        signedDate = payload["signedDate"]?.int64
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&autoRenewStatus)
        try coder.field(&autoRenewProductId)
        try coder.field(&isInBillingRetryPeriod)
        try coder.field(&gracePeriodExpiresDate)
        try coder.field(&expirationIntent)
        try coder.field(&environment)
        try coder.field(&signedDate)
    }
}
