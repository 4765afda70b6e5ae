public import JSON

/// A page of transactions: the answer of Get Transaction History and of Get Refund History.
public struct TransactionPage: PayloadView {
    /// With what to ask for the next page.
    public let revision: String?
    /// Whether there is a next page.
    public let hasMore: Bool?
    /// The app; a history only.
    public let bundleId: String?
    /// The app's number; a history only.
    public let appAppleId: String?
    /// Where they were bought; a history only.
    public let environment: Environment?
    /// Each a JWS of its own.
    public let signedTransactions: [String]

    /// See `PayloadView`.
    public let json: JSONValue
    /// See `PayloadView`.
    public let unknownMembers: [String]
    /// See `PayloadView`.
    public let unreadableMembers: [String]

    /// See `PayloadView`.
    public init(_ json: JSONValue) {
        self.json = json
        var reader = PayloadReader(json)
        revision = reader.text("revision")
        hasMore = reader.flag("hasMore")
        bundleId = reader.text("bundleId")
        appAppleId = reader.identifier("appAppleId")
        environment = reader.value("environment")
        signedTransactions = reader.texts("signedTransactions")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// The answer of Look Up Order ID: the only bridge from the order id of the customer's e-mail to
/// transactions. Apple answers it in production only.
public struct OrderLookupAnswer: PayloadView {
    /// Whether Apple knows the order id for this app; `nil` where the answer does not tell.
    public let isValid: Bool?
    /// Each a JWS of its own.
    public let signedTransactions: [String]

    /// See `PayloadView`.
    public let json: JSONValue
    /// See `PayloadView`.
    public let unknownMembers: [String]
    /// See `PayloadView`.
    public let unreadableMembers: [String]

    /// See `PayloadView`.
    public init(_ json: JSONValue) {
        self.json = json
        var reader = PayloadReader(json)
        switch reader.number("status") {
        case 0: isValid = true
        case 1: isValid = false
        case .some, .none: isValid = nil
        }
        signedTransactions = reader.texts("signedTransactions")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// The answer of Get All Subscription Statuses.
public struct SubscriptionStatusesAnswer: PayloadView {
    /// The app.
    public let bundleId: String?
    /// The app's number.
    public let appAppleId: String?
    /// Where they were bought.
    public let environment: Environment?
    /// By group.
    public let data: [SubscriptionGroup]

    /// See `PayloadView`.
    public let json: JSONValue
    /// See `PayloadView`.
    public let unknownMembers: [String]
    /// See `PayloadView`.
    public let unreadableMembers: [String]

    /// See `PayloadView`.
    public init(_ json: JSONValue) {
        self.json = json
        var reader = PayloadReader(json)
        bundleId = reader.text("bundleId")
        appAppleId = reader.identifier("appAppleId")
        environment = reader.value("environment")
        data = reader.views("data")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// The subscriptions of one group.
public struct SubscriptionGroup: PayloadView {
    /// The group.
    public let subscriptionGroupIdentifier: String?
    /// The newest transaction of each subscription.
    public let lastTransactions: [LastTransaction]

    /// See `PayloadView`.
    public let json: JSONValue
    /// See `PayloadView`.
    public let unknownMembers: [String]
    /// See `PayloadView`.
    public let unreadableMembers: [String]

    /// See `PayloadView`.
    public init(_ json: JSONValue) {
        self.json = json
        var reader = PayloadReader(json)
        subscriptionGroupIdentifier = reader.identifier("subscriptionGroupIdentifier")
        lastTransactions = reader.views("lastTransactions")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// The newest transaction of one subscription.
public struct LastTransaction: PayloadView {
    /// The id of the subscription.
    public let originalTransactionId: String?
    /// The state of the subscription.
    public let status: SubscriptionStatus?
    /// A JWS of its own.
    public let signedTransactionInfo: String?
    /// A JWS of its own.
    public let signedRenewalInfo: String?

    /// See `PayloadView`.
    public let json: JSONValue
    /// See `PayloadView`.
    public let unknownMembers: [String]
    /// See `PayloadView`.
    public let unreadableMembers: [String]

    /// See `PayloadView`.
    public init(_ json: JSONValue) {
        self.json = json
        var reader = PayloadReader(json)
        originalTransactionId = reader.identifier("originalTransactionId")
        status = reader.value("status")
        signedTransactionInfo = reader.text("signedTransactionInfo")
        signedRenewalInfo = reader.text("signedRenewalInfo")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}
