internal import JSON

/// Pages as the App Store Server API answers, looked at when the world ends.
///
/// Each line is one exchange: `{"method", "path", "status", "body"}`, `body` as Apple answers it.
public struct HistoryPages: Sendable {
    /// Apple's page: at most so many.
    static let pageMax = 20

    private let signer: WorldSigner
    private let end: Int64

    /// The pages of a world.
    public init(_ world: World, signer: WorldSigner) {
        self.signer = signer
        end = world.configuration.end
    }

    /// What Apple answers about the people of a life.
    public struct Answers: Sendable {
        /// `GET /inApps/v2/history/{transactionId}`, every page of each Apple account that bought.
        public var history: [[UInt8]] = []
        /// `GET /inApps/v2/refund/lookup/{transactionId}`, of each Apple account with a refund.
        public var refunds: [[UInt8]] = []
        /// `GET /inApps/v1/lookup/{orderId}`, of each order id that a claim names.
        public var orders: [[UInt8]] = []
    }

    /// The answers about a life; every transaction is signed once, as of the world's end.
    public func answers(about life: World.Life) -> Answers {
        var answers = Answers()
        let signed = life.transactions.indices.map { index -> [UInt8] in
            guard life.transactions[index].environment == "Production" else { return [] }
            return signer.transaction(index, of: life, signedDate: end)
        }
        for account in life.appleAccounts.indices {
            let mine = life.transactions.indices.filter {
                life.transactions[$0].appleAccount == account && !signed[$0].isEmpty
            }
            guard let first = mine.first else { continue }
            let id = life.transactions[first].id
            let modified = mine.sorted { (life.modified($0), $0) < (life.modified($1), $1) }
            answers.history += pages("/inApps/v2/history/\(id)", modified, signed) {
                $0.member("bundleId", life.app.bundle)
                $0.member("appAppleId", life.app.appAppleId)
                $0.member("environment", "Production")
            }
            let refunded = modified.filter { life.transactions[$0].isRefunded }
            guard !refunded.isEmpty else { continue }
            answers.refunds += pages("/inApps/v2/refund/lookup/\(id)", refunded, signed) { _ in }
        }
        for case let orderId? in life.claims.map(\.named.appleOrderId) {
            answers.orders.append(order(orderId, of: life, signed))
        }
        return answers
    }

    private func pages(
        _ path: String, _ indices: [Int], _ signed: [[UInt8]],
        _ members: (inout JSONWriter) -> Void
    ) -> [[UInt8]] {
        stride(from: 0, to: indices.count, by: Self.pageMax).map { start in
            let page = indices[start..<min(start + Self.pageMax, indices.count)]
            let asked = start == 0 ? path : "\(path)?revision=r\(start)"
            return Self.exchange("GET", asked) { json in
                json.member("revision", "r\(start + page.count)")
                members(&json)
                json.member("hasMore", start + page.count < indices.count)
                json.name("signedTransactions")
                json.array(page) { $0.string(String(decoding: signed[$1], as: UTF8.self)) }
            }
        }
    }

    /// Status 0 and the transactions of the order, or 1 for an id that Apple does not know.
    private func order(_ id: String, of life: World.Life, _ signed: [[UInt8]]) -> [UInt8] {
        let found = life.transactions.indices.filter {
            life.transactions[$0].appleOrderId == id && !signed[$0].isEmpty
        }
        return Self.exchange("GET", "/inApps/v1/lookup/\(id)") { json in
            json.member("status", found.isEmpty ? 1 : 0)
            json.name("signedTransactions")
            json.array(found) { $0.string(String(decoding: signed[$1], as: UTF8.self)) }
        }
    }

    /// A page of `POST /inApps/v1/notifications/history`.
    static func notifications(
        _ entries: some Collection<[UInt8]>, page: Int, hasMore: Bool
    ) -> [UInt8] {
        let path = "/inApps/v1/notifications/history"
        return exchange("POST", page == 0 ? path : "\(path)?paginationToken=p\(page)") { json in
            json.name("notificationHistory")
            json.array(entries) { $0.raw($1) }
            if hasMore { json.member("paginationToken", "p\(page + 1)") }
            json.member("hasMore", hasMore)
        }
    }

    /// An entry of the notification history.
    static func entry(_ notification: World.Notification, signedPayload: [UInt8]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { json in
            json.member("signedPayload", String(decoding: signedPayload, as: UTF8.self))
            json.name("sendAttempts")
            json.array(notification.attempts) { json, attempt in
                json.object {
                    $0.member("attemptDate", attempt.at)
                    $0.member("sendAttemptResult", attempt.result)
                }
            }
        }
        return writer.bytes
    }

    private static func exchange(
        _ method: String, _ path: String, _ body: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { json in
            json.member("method", method)
            json.member("path", path)
            json.member("status", 200)
            json.name("body")
            json.object(body)
        }
        return writer.bytes
    }
}

extension World.Life {
    /// When Apple changed a transaction last.
    fileprivate func modified(_ index: Int) -> Int64 {
        let transaction = transactions[index]
        return transaction.revocation.map { $0.reversedAt ?? $0.date } ?? transaction.purchaseDate
    }
}

extension World.Transaction {
    /// Whether money went back, in full or in part, and stays back.
    fileprivate var isRefunded: Bool {
        guard let revocation, revocation.reversedAt == nil else { return false }
        return revocation.kind != .familyRevoke
    }
}
