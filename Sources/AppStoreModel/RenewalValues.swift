/// Whether a subscription renews.
public struct AutoRenewStatus: OpenValue {
    /// `0`.
    public static let off = AutoRenewStatus(rawValue: 0)
    /// `1`.
    public static let on = AutoRenewStatus(rawValue: 1)

    /// See `OpenValue`.
    public static let known: Set<AutoRenewStatus> = [
        .off, .on,
    ]
    /// The value as Apple wrote it.
    public let rawValue: Int64

    /// Any value is taken.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// Why a subscription expired.
public struct ExpirationIntent: OpenValue {
    /// `1`.
    public static let cancelled = ExpirationIntent(rawValue: 1)
    /// `2`.
    public static let billingError = ExpirationIntent(rawValue: 2)
    /// `3`.
    public static let priceIncreaseRefused = ExpirationIntent(rawValue: 3)
    /// `4`.
    public static let productUnavailable = ExpirationIntent(rawValue: 4)
    /// `5`.
    public static let other = ExpirationIntent(rawValue: 5)

    /// See `OpenValue`.
    public static let known: Set<ExpirationIntent> = [
        .cancelled, .billingError, .priceIncreaseRefused, .productUnavailable, .other,
    ]
    /// The value as Apple wrote it.
    public let rawValue: Int64

    /// Any value is taken.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// What the customer said to a higher price.
public struct PriceIncreaseStatus: OpenValue {
    /// `0`.
    public static let notAnswered = PriceIncreaseStatus(rawValue: 0)
    /// `1`.
    public static let consented = PriceIncreaseStatus(rawValue: 1)

    /// See `OpenValue`.
    public static let known: Set<PriceIncreaseStatus> = [
        .notAnswered, .consented,
    ]
    /// The value as Apple wrote it.
    public let rawValue: Int64

    /// Any value is taken.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}
