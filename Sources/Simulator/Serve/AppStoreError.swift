internal import HTTPServer
internal import JSON

/// An error of the App Store Server API: `{"errorCode", "errorMessage"}`. The first three digits of
/// the code are the HTTP status.
enum AppStoreError: Int, Error {
    case generalBadRequest = 4_000_000
    case invalidRequestRevision = 4_000_005
    case invalidTransactionId = 4_000_006
    case startDateTooFarInPast = 4_000_012
    case startDateAfterEndDate = 4_000_013
    case invalidPaginationToken = 4_000_014
    case invalidStartDate = 4_000_015
    case invalidEndDate = 4_000_016
    case invalidNotificationType = 4_000_018
    case multipleFiltersSupplied = 4_000_019
    case invalidSort = 4_000_021
    case invalidProductType = 4_000_022
    case invalidInAppOwnershipType = 4_000_026
    case invalidRevoked = 4_000_030
    case invalidStatus = 4_000_031
    case invalidAccountTenure = 4_000_032
    case invalidAppAccountToken = 4_000_033
    case invalidConsumptionStatus = 4_000_034
    case invalidCustomerConsented = 4_000_035
    case invalidDeliveryStatus = 4_000_036
    case invalidLifetimeDollarsPurchased = 4_000_037
    case invalidLifetimeDollarsRefunded = 4_000_038
    case invalidPlatform = 4_000_039
    case invalidPlayTime = 4_000_040
    case invalidSampleContentProvided = 4_000_041
    case invalidUserStatus = 4_000_042
    case invalidTransactionNotConsumable = 4_000_043
    case invalidTransactionTypeNotSupported = 4_000_047
    case invalidAppAccountTokenUUID = 4_000_183
    case familyTransactionNotSupported = 4_000_185
    case transactionIdNotOriginal = 4_000_187
    case transactionIdNotFound = 4_040_010
    case rateLimitExceeded = 4_290_000
    case generalInternalRetryable = 5_000_001

    /// The HTTP status.
    var status: Int { rawValue / 10_000 }

    /// Apple's answer; the message is the error's name.
    var response: HTTPResponse {
        var json = JSONWriter()
        json.object {
            $0.member("errorCode", rawValue)
            $0.member("errorMessage", String(describing: self))
        }
        return .json(json.bytes, status: status)
    }
}
