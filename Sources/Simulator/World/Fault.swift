extension World {
    /// Something that goes wrong, or that only some clients do. Each has a rate (`FaultProfile`)
    /// and leaves a `FaultTrace` in the life it strikes.
    public enum Fault: String, Sendable, CaseIterable {
        // The client.
        case finishBeforeVerify = "finish-before-verify"
        case noObserver = "no-observer"
        case lostOrderNumber = "lost-order-number"
        case unfinishedBlocks = "unfinished-blocks"
        case blindFinish = "blind-finish"
        case cancelledThoughCharged = "cancelled-though-charged"
        case wrongClock = "wrong-clock"
        case futureVocabulary = "future-vocabulary"
        // Between device and server.
        case eventLost = "event-lost"
        case eventDuplicated = "event-duplicated"
        case eventDelayed = "event-delayed"
        case eventReordered = "event-reordered"
        case serverDown = "server-down"
        // Apple.
        case notificationNeverSent = "notification-never-sent"
        case notificationAfterRefund = "notification-after-refund"
        case notificationRepeated = "notification-repeated"
        case offerCode = "offer-code"
        case promotedPurchase = "promoted-purchase"
        case askToBuyApproved = "ask-to-buy-approved"
        case askToBuyDeclined = "ask-to-buy-declined"
        case askToBuyUnanswered = "ask-to-buy-unanswered"
        // The delivery server.
        case deliveryFailed = "delivery-failed"
        case deliveryDoubled = "delivery-doubled"
        case deliveryPartial = "delivery-partial"
        case deliveryToOther = "delivery-to-other"
        case deliveryNotDone = "delivery-not-done"
        // Evidence that proves something else.
        case receiptReplayed = "receipt-replayed"
        case evidenceForged = "evidence-forged"
        case evidenceResigned = "evidence-resigned"
        case evidenceTruncated = "evidence-truncated"
        case evidenceSandbox = "evidence-sandbox"
        // What was bought is not what was ordered.
        case wrongProduct = "wrong-product"
        case wrongPrice = "wrong-price"
        case wrongQuantity = "wrong-quantity"

        /// What happens, for people who choose rates.
        public var summary: String {
            switch self {
            case .finishBeforeVerify: "the app finishes a purchase before the server verified it"
            case .noObserver: "no observer at launch: silence, then a flood of callbacks"
            case .lostOrderNumber: "app deleted or other phone: the order number is lost"
            case .unfinishedBlocks: "an unfinished purchase blocks the next of its product"
            case .blindFinish: "the app finishes what blocks, and sends its proof for another order"
            case .cancelledThoughCharged: "code 2 (cancelled) is reported though Apple charged"
            case .wrongClock: "a device's clock is wrong by years"
            case .futureVocabulary: "a client of a future version uses unknown types and members"
            case .eventLost: "an event is lost between device and server"
            case .eventDuplicated: "an event is sent twice under one id"
            case .eventDelayed: "an event arrives days late"
            case .eventReordered: "an event overtakes the one before it"
            case .serverDown: "the server is down for an hour; the rate is per day"
            case .notificationNeverSent: "Apple never sends a notification"
            case .notificationAfterRefund: "Apple tells of a purchase after its refund"
            case .notificationRepeated: "Apple sends a notification again that had arrived"
            case .offerCode: "a purchase by offer code, with no order"
            case .promotedPurchase: "a purchase in the App Store, with no order"
            case .askToBuyApproved: "a child asks to buy; approved hours later"
            case .askToBuyDeclined: "a child asks to buy; declined, which nobody is told"
            case .askToBuyUnanswered: "a child asks to buy; never answered"
            case .deliveryFailed: "a delivery fails"
            case .deliveryDoubled: "goods are delivered twice"
            case .deliveryPartial: "a part of the quantity is delivered"
            case .deliveryToOther: "goods go to another account"
            case .deliveryNotDone: "the server acknowledges, and delivers nothing"
            case .receiptReplayed: "another account sends a genuine proof of somebody's purchase"
            case .evidenceForged: "a changed payload under a genuine signature"
            case .evidenceResigned: "a made-up payload signed under somebody's own root"
            case .evidenceTruncated: "the upload of a genuine proof is cut off"
            case .evidenceSandbox: "a purchase in the sandbox, sent as if it had cost money"
            case .wrongProduct: "another product is bought under the order"
            case .wrongPrice: "another price than the order's is charged"
            case .wrongQuantity: "another quantity than the order's is bought"
            }
        }
    }

    /// How often each fault strikes where it can.
    public struct FaultProfile: Sendable, Equatable {
        /// What is always.
        public static let always = 1_000_000

        private var rates: [Int]

        private init(rate: (Fault) -> Int) { rates = Fault.allCases.map(rate) }

        /// Parts per million, from 0 to `always`.
        public subscript(fault: Fault) -> Int {
            get { rates[Self.index(fault)] }
            set { rates[Self.index(fault)] = newValue }
        }

        private static func index(_ fault: Fault) -> Int {
            Fault.allCases.firstIndex(of: fault) ?? 0
        }

        /// Nothing goes wrong.
        public static let none = FaultProfile { _ in 0 }
        /// Each fault in one of 200 places where it can strike.
        public static let light = FaultProfile { _ in 5_000 }
        /// Each fault in one of 25 places where it can strike.
        public static let all = FaultProfile { _ in 40_000 }

        /// A profile by its name: `none`, `light` or `all`.
        public init?(named name: String) {
            switch name {
            case "none": self = .none
            case "light": self = .light
            case "all": self = .all
            default: return nil
            }
        }

        /// Nothing goes wrong but `fault`, in `rate` parts per million.
        public static func only(_ fault: Fault, rate: Int = always) -> FaultProfile {
            var profile = none
            profile[fault] = rate
            return profile
        }
    }

    /// That a fault struck: where and when. The truth about it, never seen by the service.
    public struct FaultTrace: Sendable, Equatable {
        /// What went wrong.
        public let fault: Fault
        /// Milliseconds since 1970 UTC.
        public let at: Int64
        /// The order it struck, as an index into `Life.orders`.
        public let order: Int?
        /// The transaction it struck, as an index into `Life.transactions`.
        public let transaction: Int?
        /// The id of the event it struck, where it struck an event.
        public let event: String?
    }
}
