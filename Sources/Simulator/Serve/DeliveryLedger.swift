internal import AppStoreModel

/// What the served delivery endpoint gave out: `served/delivery-ledger.csv`, in the columns of the
/// world's own `delivery-ledger.csv`. It is read again when the world is served again.
struct DeliveryLedger: Sendable {
    /// A delivery that was done.
    struct Entry: Sendable, Equatable {
        /// `BUNDLE/TRANSACTION/n`.
        let deliveryId: String
        let account: String
        let orderNumber: String
        let productId: String
        let quantity: Int64

        /// The id's first part.
        var bundleId: Substring { deliveryId.prefix { $0 != "/" } }
        /// The id's second part.
        var transactionId: Substring {
            deliveryId.split(separator: "/", omittingEmptySubsequences: false)[1]
        }
    }

    private static let name = "served/delivery-ledger.csv"
    private static let heading =
        "deliveryId,bundleId,account,orderNumber,transactionId,productId,quantity,grant,"
        + "requestedAt,succeededAt,failedAt,reversedAt"

    private let journal: Journal
    private(set) var entries: [String: Entry] = [:]

    init(folder: String) throws {
        journal = try Journal(Self.name, in: folder)
        let text = String(decoding: try LineFile.contents(Self.name, in: folder), as: UTF8.self)
        if text.isEmpty { try journal.append(Array(Self.heading.utf8)) }
        // Two that began at once have each written the heading.
        for line in text.split(separator: "\n") where line != Self.heading {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(
                String.init)
            guard fields.count == 12, let quantity = Int64(fields[6]),
                DeliveryId(fields[0]) != nil
            else {
                throw ServedWorldError(description: "\(Self.name) holds a line of another form")
            }
            entries[fields[0]] = Entry(
                deliveryId: fields[0], account: fields[2], orderNumber: fields[3],
                productId: fields[5], quantity: quantity)
        }
    }

    /// Adds a delivery that was done at `instant`, milliseconds since 1970 UTC.
    mutating func append(_ entry: Entry, at instant: Int64) throws {
        let time = RFC3339.text(instant)
        let fields = [
            entry.deliveryId, String(entry.bundleId), entry.account, entry.orderNumber,
            String(entry.transactionId), entry.productId, String(entry.quantity), "", time, time,
            "",
            "",
        ]
        try journal.append(Array(fields.joined(separator: ",").utf8))
        entries[entry.deliveryId] = entry
    }
}

/// `BUNDLE/TRANSACTION/n`, n from 1: what a delivery is for (domain.md, "Grant").
struct DeliveryId {
    let text: String

    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, text.utf8.count <= 300, parts[0].isPlain, parts[1].isPlain,
            let number = Int(parts[2]), number > 0, String(number) == parts[2]
        else { return nil }
        self.text = text
    }
}

extension StringProtocol {
    /// Not empty, and with nothing that would need quotation marks in a table.
    var isPlain: Bool {
        !isEmpty && utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"\",".utf8.contains($0) }
    }
}
