/// Something that goes wrong while a world is served.
public enum ServeFault: String, Sendable, CaseIterable {
    case appStoreFails = "app-store-fails"
    case appStoreSilent = "app-store-silent"
    case appStoreBusy = "app-store-busy"
    case deliveryFails = "delivery-fails"
    case deliveryConflicts = "delivery-conflicts"
    case deliverySilent = "delivery-silent"
    case deliveryAnswerLost = "delivery-answer-lost"
    case deliveryNotDone = "delivery-not-done"

    /// What happens.
    public var summary: String {
        switch self {
        case .appStoreFails: "the App Store answers 500 (5000001, to be tried again)"
        case .appStoreSilent: "the App Store answers nothing for a minute"
        case .appStoreBusy: "the App Store answers 429 below its limits"
        case .deliveryFails: "a delivery is answered 500, and nothing is done"
        case .deliveryConflicts: "a delivery is answered 409, and nothing is done"
        case .deliverySilent: "a delivery is done, and not answered for a minute"
        case .deliveryAnswerLost: "a delivery is done, and answered 500"
        case .deliveryNotDone: "a delivery is answered 200, and nothing is done"
        }
    }
}

/// How often each fault strikes, and whether it does now. The same seed and order of requests give
/// the same faults.
public struct ServeFaults: Sendable {
    /// What is always, in parts per million.
    public static let always = 1_000_000

    private var rates: [ServeFault: Int] = [:]
    private var random: WorldRandom

    /// Nothing goes wrong, until a rate says so.
    public init(seed: UInt64 = 1) {
        random = WorldRandom(seed: seed, purpose: 0x5E, number: 0)
    }

    /// Faults by their names: `none`, `light` (each in one of 200 requests), `all` (one in 25), or
    /// a list of faults with commas, which then strike at every request.
    public init?(named text: String, seed: UInt64 = 1) {
        self.init(seed: seed)
        switch text {
        case "none": break
        case "light": for fault in ServeFault.allCases { rates[fault] = 5_000 }
        case "all": for fault in ServeFault.allCases { rates[fault] = 40_000 }
        default:
            for name in text.split(separator: ",", omittingEmptySubsequences: false) {
                guard let fault = ServeFault(rawValue: String(name)) else { return nil }
                rates[fault] = Self.always
            }
        }
    }

    /// The first of `candidates` that strikes now.
    mutating func strike(_ candidates: [ServeFault]) -> ServeFault? {
        candidates.first { random.chance(rates[$0] ?? 0) }
    }
}
