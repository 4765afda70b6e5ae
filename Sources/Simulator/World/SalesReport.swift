internal import AppStoreModel

/// Apple's summary sales report, as far as sums can be reconciled with it: units and proceeds per
/// product, storefront, price and day. It names no transaction. Days are those of California.
struct SalesReport {
    private struct Line: Hashable, Comparable {
        let day: Int64
        let bundle: String
        let product: String
        let storefront: String
        let currency: String
        /// Milliunits, of one unit.
        let price: Int64
        let isRefund: Bool

        static func < (left: Line, right: Line) -> Bool { left.key < right.key }

        private var key: (Int64, String, String, String, Int64, Int64) {
            (day, bundle, product, storefront, price, isRefund ? 1 : 0)
        }
    }

    private var units: [Line: Int64] = [:]

    /// Takes in the charges of a life, and the refunds of them that stand.
    mutating func add(_ life: World.Life) {
        for transaction in life.transactions where transaction.isCharge {
            count(transaction, in: life, at: transaction.purchaseDate, isRefund: false)
            guard let revocation = transaction.revocation, revocation.reversedAt == nil,
                revocation.kind == .full
            else { continue }
            count(transaction, in: life, at: revocation.date, isRefund: true)
        }
    }

    private mutating func count(
        _ transaction: World.Transaction, in life: World.Life, at instant: Int64, isRefund: Bool
    ) {
        let line = Line(
            day: Self.day(of: instant), bundle: life.app.bundle,
            product: transaction.product.id(in: life.app), storefront: transaction.storefront.code,
            currency: transaction.storefront.currency,
            price: transaction.price / max(1, transaction.quantity), isRefund: isRefund)
        units[line, default: 0] += isRefund ? -transaction.quantity : transaction.quantity
    }

    /// The report: a heading and a line for each product, storefront, price and day. Proceeds are
    /// 70 % of the price, cut to milliunits, as decimals of the currency.
    var lines: [String] {
        let heading = [
            "Provider", "Provider Country", "SKU", "Developer", "Title", "Version",
            "Product Type Identifier", "Units", "Developer Proceeds", "Begin Date", "End Date",
            "Customer Currency", "Country Code", "Currency of Proceeds", "Apple Identifier",
            "Customer Price", "Parent Identifier",
        ].joined(separator: "\t")
        return [heading]
            + units.sorted { $0.key < $1.key }.map { line, units in
                let date = Self.date(line.day)
                let fields = [
                    "APPLE", "US", line.product, "Example Games", line.product, " ", "IA1",
                    String(units), Self.decimal(line.price * 7 / 10), date, date, line.currency,
                    line.storefront, line.currency, "0",
                    (line.isRefund ? "-" : "") + Self.decimal(line.price), line.bundle,
                ]
                return fields.joined(separator: "\t")
            }
    }

    /// Days since 1970 in California: eight hours behind UTC, seven from the second Sunday of March
    /// to the first of November, at two o'clock.
    static func day(of instant: Int64) -> Int64 {
        let winter = instant - 8 * Span.hour
        let year = Int(RFC3339.text(winter).prefix(4)) ?? 1970
        let summer = sunday(2, ofMonth: "03", year)..<sunday(1, ofMonth: "11", year) - Span.hour
        let isSummer = summer.contains(winter - 2 * Span.hour)
        return (isSummer ? winter + Span.hour : winter) / Span.day
    }

    /// Midnight of the n-th Sunday of a month.
    private static func sunday(_ count: Int64, ofMonth month: String, _ year: Int) -> Int64 {
        let first = RFC3339.milliseconds("\(year)-\(month)-01T00:00:00Z") ?? 0
        // 1970-01-01 was a Thursday.
        let weekday = (first / Span.day + 4) % 7
        return first + ((7 - weekday) % 7 + 7 * (count - 1)) * Span.day
    }

    /// `MM/DD/YYYY`, as Apple writes it.
    private static func date(_ day: Int64) -> String {
        let text = RFC3339.text(day * Span.day).prefix(10).split(separator: "-")
        return "\(text[1])/\(text[2])/\(text[0])"
    }

    /// Milliunits with three decimals.
    private static func decimal(_ milliunits: Int64) -> String {
        let fraction = String(1000 + milliunits % 1000).dropFirst()
        return "\(milliunits / 1000).\(fraction)"
    }
}
