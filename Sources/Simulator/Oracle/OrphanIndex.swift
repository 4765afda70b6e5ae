/// The charges of a whole world that no order, token or account claims for itself, by product and
/// time: a stranger's charge may be the candidate of anybody's order.
///
/// About 40 bytes each and nothing else of a circle is kept, so a million orders (of whose charges
/// some ten thousand are such) fit in a few megabytes. Charges whose account is known are left out:
/// they are ruled out for every other account, and accounts do not cross circles.
struct OrphanIndex: Sendable {
    struct Orphan {
        let circle: Int
        let purchaseDate: Int64
        /// `nil` is unknown.
        let price: Int64?
        let currency: String
    }

    struct Shelf: Hashable {
        let bundle: String
        let product: String
    }

    private var shelves: [Shelf: [Orphan]] = [:]

    init() {}

    /// The charges of a circle that others may take for theirs.
    static func orphans(_ conclusions: Conclusions) -> [(Shelf, Orphan)] {
        let life = conclusions.knowledge.life
        return conclusions.transactions.values.compactMap { conclusion in
            guard conclusion.isCharge, conclusion.links.isEmpty,
                conclusion.owner?.isNamed != true, let snapshot = conclusion.snapshot
            else { return nil }
            let shelf = Shelf(
                bundle: life.app.bundle, product: snapshot.transaction.product.id(in: life.app))
            let orphan = Orphan(
                circle: life.circle, purchaseDate: snapshot.transaction.purchaseDate,
                price: snapshot.price, currency: snapshot.currency)
            return (shelf, orphan)
        }
    }

    mutating func add(_ orphans: [(Shelf, Orphan)]) {
        for (shelf, orphan) in orphans { shelves[shelf, default: []].append(orphan) }
    }

    /// Must be called once after the last `add`.
    mutating func sort() {
        shelves = shelves.mapValues { shelf in shelf.sorted { $0.purchaseDate < $1.purchaseDate } }
    }

    /// Whether another circle's charge on the shelf was bought in the span for that price.
    func holds(
        on shelf: Shelf, _ span: ClosedRange<Int64>, price: Int64, currency: String?,
        outside circle: Int
    ) -> Bool {
        guard let orphans = shelves[shelf] else { return false }
        var low = 0
        var high = orphans.count
        while low < high {
            let middle = (low + high) / 2
            if orphans[middle].purchaseDate < span.lowerBound {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return orphans[low...].prefix { $0.purchaseDate <= span.upperBound }.contains { orphan in
            orphan.circle != circle && orphan.price == price
                && (currency ?? orphan.currency) == orphan.currency
        }
    }
}
