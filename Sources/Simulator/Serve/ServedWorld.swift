internal import FoundationEssentials
internal import JSON
internal import AppStoreModel

/// What the App Store knows at a world's end, read from the folder that `run` wrote:
/// `world.ndjson`, `trust/root.der`, `history/transactions.ndjson` and
/// `history/notifications.ndjson`.
public struct ServedWorld: Sendable {
    /// In the order of the file: for each customer, by the instant of the last change.
    private(set) var transactions: [ServedTransaction] = []
    /// Indices into `transactions`.
    private(set) var byId: [String: Int] = [:]
    private(set) var byCustomer: [ServedTransaction.Customer: [Int]] = [:]
    private(set) var byAppleOrderId: [String: [String]] = [:]
    private(set) var notifications: [ServedNotification] = []
    /// Each app's number in the App Store, by its bundle.
    private(set) var appAppleIds: [String: Int64] = [:]
    /// When the world ends: milliseconds since 1970 UTC.
    private(set) var end: Int64 = 0
    /// Signs as Apple does in this world.
    let chain: MintedChain

    /// Reads a world's folder.
    /// - Throws: `ServedWorldError` for files that are missing or not of one world.
    public init(folder: String) throws(ServedWorldError) {
        var seed: UInt64?
        let root = try LineFile.contents("trust/root.der", in: folder)
        let world = try LineFile("world.ndjson", in: folder)
        try world.forEach { line, _ throws(ServedWorldError) in
            switch line["kind"]?.string {
            case "world": seed = line["seed"]?.identifier.flatMap { UInt64($0) }
            default: break
            }
        }
        guard let seed else {
            throw ServedWorldError(description: "world.ndjson does not begin with its world")
        }
        chain = MintedChain(seed: seed)
        guard chain.rootDER.elementsEqual(root) else {
            throw ServedWorldError(description: "trust/root.der is not of the world of this seed")
        }
        try world.forEach { line, _ throws(ServedWorldError) in read(world: line) }
        try readTransactions(folder)
        try readNotifications(folder)
    }

    private mutating func read(world line: JSONValue) {
        switch line["kind"]?.string {
        case "world":
            end = line["end"]?.string.flatMap(RFC3339.milliseconds) ?? 0
            for app in line["apps"]?.array ?? [] {
                if let bundle = app["bundleId"]?.string, let id = app["appAppleId"]?.int64 {
                    appAppleIds[bundle] = id
                }
            }
        case "transaction":
            guard let order = line["appleOrderId"]?.string, let id = line["transactionId"]?.string
            else { return }
            byAppleOrderId[order, default: []].append(id)
        default: break
        }
    }

    private mutating func readTransactions(_ folder: String) throws(ServedWorldError) {
        let file = try LineFile("history/transactions.ndjson", in: folder)
        try file.forEach { line, _ throws(ServedWorldError) in
            for jws in line.at("body", "signedTransactions")?.array ?? [] {
                guard let transaction = jws.string.flatMap(ServedTransaction.init) else {
                    throw ServedWorldError(description: "\(file.name): not a transaction")
                }
                byId[transaction.id] = transactions.count
                byCustomer[transaction.customer, default: []].append(transactions.count)
                transactions.append(transaction)
            }
        }
    }

    private mutating func readNotifications(_ folder: String) throws(ServedWorldError) {
        let file = try LineFile("history/notifications.ndjson", in: folder)
        try file.forEach { line, bytes throws(ServedWorldError) in
            for entry in line.at("body", "notificationHistory")?.array ?? [] {
                guard let notification = ServedNotification(entry, in: bytes) else {
                    throw ServedWorldError(description: "\(file.name): not a notification")
                }
                notifications.append(notification)
            }
        }
    }

    /// The transaction of an app; others' are as unknown as those that never were.
    func transaction(_ id: String, of bundle: String) throws(AppStoreError) -> ServedTransaction {
        guard !id.isEmpty, id.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw .invalidTransactionId
        }
        guard let index = byId[id], transactions[index].customer.bundleId == bundle else {
            throw .transactionIdNotFound
        }
        return transactions[index]
    }

    /// All transactions of the customer who has this one, in order.
    func customersTransactions(_ transaction: ServedTransaction) -> [ServedTransaction] {
        (byCustomer[transaction.customer] ?? []).map { transactions[$0] }
    }
}
