public import JSON

/// The truth of a world as `world.ndjson` tells it, by what it is about. Kept as a whole: some 500
/// bytes for each order.
public struct WorldTruths: Sendable {
    /// An identity within a bundle.
    struct Name: Hashable {
        let bundle: String
        let id: String
    }

    struct Goods {
        let account: String
        let quantity: Int64
    }

    struct Order {
        let account: String
        let charges: [String]
        let delivered: [Goods]
    }

    struct Transaction {
        let isCharged: Bool
        let isSubscription: Bool
        let isRefunded: Bool
        let owner: String
        let quantity: Int64
        let delivered: [Goods]

        /// How many stand with the owner.
        var served: Int64 {
            delivered.filter { $0.account == owner }.reduce(0) { $0 + $1.quantity }
        }
    }

    struct Claim {
        let account: String
        let story: String
        let order: String?
        let transaction: String?
    }

    private(set) var orders: [Name: Order] = [:]
    private(set) var transactions: [Name: Transaction] = [:]
    private(set) var claims: [Name: Claim] = [:]
    /// The accounts that sent material which Apple never signed so.
    private(set) var forgers: Set<Name> = []
    private(set) var untold: [Name: Set<Untold.Fact>] = [:]

    /// Nothing is known yet.
    public init() {}

    /// Takes a line of `world.ndjson`, in the order of the file: a circle's orders come before its
    /// faults.
    public mutating func take(world line: JSONValue) {
        func name(_ member: String) -> Name? { Self.name(line, member) }
        switch line["kind"]?.string {
        case "order": if let name = name("orderNumber") { orders[name] = Self.order(line) }
        case "transaction":
            if let name = name("transactionId") { transactions[name] = Self.transaction(line) }
        case "claim": if let name = name("claimId") { claims[name] = Self.claim(line) }
        case "fault":
            let forgeries: [World.Fault] = [.evidenceForged, .evidenceResigned]
            guard forgeries.contains(where: { $0.rawValue == line["fault"]?.string }),
                let name = name("orderNumber"), let order = orders[name]
            else { return }
            forgers.insert(Name(bundle: name.bundle, id: order.account))
        default: break
        }
    }

    /// Takes a line of `expected.ndjson`: what was never told; other lines are skipped.
    public mutating func take(expected line: JSONValue) {
        guard line["kind"]?.string == "untold", let name = Self.name(line, "transactionId") else {
            return
        }
        untold[name] = Set(
            (line["facts"]?.array ?? []).compactMap { $0.string.flatMap(Untold.Fact.init) })
    }

    private static func name(_ line: JSONValue, _ member: String) -> Name? {
        guard let bundle = line["bundleId"]?.string, let id = line[member]?.string else {
            return nil
        }
        return Name(bundle: bundle, id: id)
    }

    // MARK: Lines

    private static func order(_ line: JSONValue) -> Order {
        Order(
            account: line["account"]?.string ?? "",
            charges: (line["charges"]?.array ?? []).compactMap(\.string), delivered: goods(line))
    }

    private static func transaction(_ line: JSONValue) -> Transaction {
        Transaction(
            isCharged: line["charged"]?.boolean == true,
            isSubscription: line["type"]?.string == World.Product.Kind.autoRenewable.rawValue,
            isRefunded: line["refunded"]?.string == "full", owner: line["owner"]?.string ?? "",
            quantity: line["quantity"]?.int64 ?? 1, delivered: goods(line))
    }

    private static func claim(_ line: JSONValue) -> Claim {
        Claim(
            account: line["account"]?.string ?? "", story: line["story"]?.string ?? "",
            order: line["orderNumber"]?.string, transaction: line["transactionId"]?.string)
    }

    private static func goods(_ line: JSONValue) -> [Goods] {
        (line["delivered"]?.array ?? []).map { delivery in
            Goods(
                account: delivery["account"]?.string ?? "",
                quantity: delivery["quantity"]?.int64 ?? 1)
        }
    }
}
