extension World {
    /// One thing that passed the service's door, in the order of which the log is made.
    ///
    /// Indices lead into the `Life` it belongs to. What it says is typed; `WorldWriter` renders it.
    public struct Arrival: Sendable {
        /// When it passed the door: milliseconds since 1970 UTC.
        public let receivedAt: Int64
        /// The CloudEvents `source`. Apple's own is `apple`.
        public let source: String
        /// The CloudEvents `id`; a copy of an event has its id again.
        public let id: String
        /// The CloudEvents `type`.
        public let type: String
        /// The sender's clock: milliseconds since 1970 UTC.
        public let time: Int64?
        /// What it says.
        public let content: Content
        /// The order it is really about: index into `Life.orders`.
        public let order: Int?
        /// The transaction it is really about: index into `Life.transactions`.
        public let transaction: Int?
    }

    /// What an arrival says.
    public enum Content: Sendable {
        /// `settings.changed`: the app's convention, told before anything else.
        case settings(App)
        /// `account.registered`: the account's token.
        case registered(account: Int)
        /// `account.consented`.
        case consented(account: Int)
        /// `order.created`.
        case orderCreated(order: Int)
        /// `order.cancelled`.
        case orderCancelled(order: Int)
        /// `order.payment-linked`.
        case paymentLinked(order: Int, transaction: Int)
        /// `storekit.…`
        case device(DeviceReport)
        /// `appstore.notification`: one attempt of it that got through.
        case notification(Int)
        /// `delivery.requested`, `.succeeded`, `.failed` or `.reversed`, by the arrival's type.
        case delivery(Int)
        /// `goodwill.granted`, of a delivery.
        case goodwill(Int)
        /// `claim.opened`
        case claimOpened(Int)
        /// `claim.evidence-added`
        case claimEvidence(Int)
    }

    /// What a client says: its word, whatever is true.
    public struct DeviceReport: Sendable, Equatable {
        /// Who is logged in: index into `Life.accounts`.
        public let account: Int
        /// Index into `Life.installations`.
        public let installation: Int
        /// Counts the installation's events from 1.
        public internal(set) var sequence: Int64
        /// `applicationUsername` as sent: a number, a placeholder, or nothing.
        public var username: String?
        /// What the client says was bought.
        public var product: Product?
        /// How many, as the client says.
        public var quantity: Int64?
        /// The transaction's id as the client names it; a forger's is invented.
        public var transactionId: String?
        /// The original transaction's id as the client names it.
        public var originalTransactionId: String?
        /// The device's date of the transaction.
        public var transactionDate: Int64?
        /// The proof it carries.
        public var evidence: Evidence?
        /// A code of `SKErrorDomain`.
        public var errorCode: Int64?
        /// `storekit.finished` only.
        public var acknowledgedByServer: Bool?
        /// `storekit.observer-started` only: the ids in the queue.
        public var queue: [String]?
        /// Whether members and values of a future version stand beside the known ones.
        public var isOfTheFuture = false
    }

    /// Signed material, or what was made to look like it.
    public struct Evidence: Sendable, Equatable {
        /// The form in which it is sent.
        public enum Form: String, Sendable {
            /// A signed transaction (JWS).
            case transaction
            /// An app receipt (PKCS#7, base64).
            case receipt
        }

        /// What is wrong with it.
        public enum Flaw: String, Sendable {
            /// A changed payload under a genuine signature.
            case forged
            /// Signed under a root that is not Apple's.
            case resigned
            /// Cut off.
            case truncated
        }

        /// The form.
        public let form: Form
        /// The transaction it tells: index into `Life.transactions`; `nil` for one that never was.
        public let transaction: Int?
        /// As of when it was signed: milliseconds since 1970 UTC.
        public let signedDate: Int64
        /// `nil` for genuine material.
        public var flaw: Flaw?
        /// What it says where it says what is not so: forged and re-signed material only.
        public var pretence: Pretence?
        /// The further transactions that a receipt lists: indices into `Life.transactions`.
        public var others: [Int] = []
    }

    /// The payment that forged material makes up.
    public struct Pretence: Sendable, Equatable {
        /// An id that Apple never gave.
        public let transactionId: String
        /// What is said to have been bought.
        public let product: Product
        /// The whole price in milliunits of the storefront's currency.
        public let price: Int64
        /// Where it is said to have been paid.
        public let storefront: Storefront
        /// `appAccountToken`, in lower case.
        public let token: String?
        /// Milliseconds since 1970 UTC.
        public let purchaseDate: Int64
    }
}
