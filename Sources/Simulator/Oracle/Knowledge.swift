/// What reached the service of one circle, kept by what it is about: the typed record from which
/// the oracle judges. Nothing here is concluded.
struct Knowledge {
    let life: World.Life
    /// By number, UUIDs in lower case.
    var orders: [String: KnownOrder] = [:]
    /// By id; also ids that Apple never gave.
    var transactions: [String: KnownTransaction] = [:]
    /// By index into `life.deliveries`.
    var deliveries: [Int: KnownDelivery] = [:]
    /// By the platform's id.
    var accounts: [String: KnownAccount] = [:]
    /// The newest renewal info by original transaction: when it was signed and what it says.
    var renewals: [String: (signedDate: Int64, state: World.RenewalState)] = [:]
    /// Indices into `life.claims` of those that were opened.
    var claims: [Int] = []

    /// Indices into `life.transactions`, by id.
    let indices: [String: Int]
    private var seen: Set<String> = []

    init(_ life: World.Life) {
        self.life = life
        indices = Dictionary(
            uniqueKeysWithValues: life.transactions.enumerated().map { ($1.id, $0) })
        for arrival in life.arrivals {
            // The same event again says nothing new.
            guard seen.insert("\(arrival.source) \(arrival.id)").inserted else { continue }
            take(arrival)
        }
    }

    /// Whether `applicationUsername` names an account.
    var namesAreAccounts: Bool { life.app.numbering == .account }
}

/// What was told of an order.
struct KnownOrder {
    /// When the platform told that it made the order; its terms are those of the world.
    var created: ArrivalStamp?
    var cancelled: ArrivalStamp?
    /// Whose the platform says it is, and whose a device says it is.
    var platformAccounts: [String: ArrivalStamp] = [:]
    var deviceAccounts: [String: ArrivalStamp] = [:]
    /// The products that devices named with it.
    var products: Set<String> = []
    /// The transactions that were named for it.
    var transactions: Set<String> = []
    /// Indices into `life.deliveries`.
    var deliveries: Set<Int> = []
    var attempts: [KnownAttempt] = []
    var offers: [KnownOffer] = []
    var firstSeen: Int64 = .max
    var lastSeen: Int64 = .min
}

/// A client's word about a purchase that it makes.
struct KnownAttempt {
    enum State {
        case purchasing, deferred, cancelled, failed
        case purchased, restored, finished

        /// Whether it is what came of an attempt.
        var isOutcome: Bool {
            switch self {
            case .purchasing, .deferred, .cancelled, .failed: false
            case .purchased, .restored, .finished: true
            }
        }
    }

    let state: State
    let installation: Int
    let sequence: Int64
    let stamp: ArrivalStamp
    /// The product it named.
    let product: String?
}

/// A proof that was offered under a name.
struct KnownOffer {
    enum Judgement {
        /// The signature is good.
        case verified
        /// Refused for what only a forgery has.
        case forgery
        /// Refused for what accuses nobody, or not judged at all.
        case unreadable
    }

    let judgement: Judgement
    /// The transaction that it is of, or says that it is of; `nil` where it cannot be read.
    let transactionId: String?
}

/// What was told of a transaction.
struct KnownTransaction {
    /// Index into `life.transactions`; `nil` for one that never was.
    let index: Int?
    /// As of when the newest signed transaction, and the newest receipt, tell it.
    var signedDate: Int64?
    var receiptDate: Int64?
    /// When it was first proven.
    var verified: ArrivalStamp?
    /// The orders that devices and the platform's server named with it.
    var deviceNames: [String: ArrivalStamp] = [:]
    var platformNames: [String: ArrivalStamp] = [:]
    /// The accounts whose devices sent proof of it, and whose devices named it.
    var senders: [String: ArrivalStamp] = [:]
    var reporters: Set<String> = []
    /// Accounts whose devices sent a receipt that lists it.
    var bearers: Set<String> = []
    /// In the account convention: the accounts that devices named with it.
    var usernames: [String: ArrivalStamp] = [:]
    /// The installations that told of it.
    var installations: Set<Int> = []
    /// Whether a device said that it was bought or finished.
    var isReported = false
    /// The originals that devices named with it.
    var originals: [String: ArrivalStamp] = [:]
    /// Indices into `life.deliveries`.
    var deliveries: Set<Int> = []
}

/// What was told of a delivery.
struct KnownDelivery {
    var requested: ArrivalStamp?
    var succeeded: ArrivalStamp?
    var failed: ArrivalStamp?
    var reversed: ArrivalStamp?
    var isGoodwill = false

    /// Whether the goods stand, as far as was told.
    var stands: Bool { succeeded != nil && reversed == nil }
}

/// What was told of an account of the platform.
struct KnownAccount {
    /// When its token was registered.
    var registered: ArrivalStamp?
    /// The orders that the platform or a device gave it.
    var orders: Set<String> = []
    /// The transactions that its devices named or proved.
    var transactions: Set<String> = []
    /// Indices into `life.deliveries`.
    var deliveries: Set<Int> = []
    /// What was offered with no order number.
    var offers: [KnownOffer] = []
    /// Attempts under its name, in the account convention.
    var attempts: [KnownAttempt] = []
}
