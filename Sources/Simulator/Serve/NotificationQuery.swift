internal import HTTPServer
internal import JSON

/// The query of a notification history.
struct NotificationQuery {
    /// How far back Apple remembers in production, in milliseconds.
    static let daysMax: Int64 = 180 * 86_400_000

    private let start: Int64
    private let end: Int64
    private let type: String?
    private let subtype: String?
    /// Of the transaction that was named.
    private let originalTransactionId: String?
    private let onlyFailures: Bool
    private let page: Int

    /// - Parameter now: the world's end.
    init(
        _ body: JSONValue, _ target: RequestTarget, now: Int64,
        originalId: (String) throws(AppStoreError) -> String
    ) throws(AppStoreError) {
        guard let start = body["startDate"]?.int64 else { throw .invalidStartDate }
        guard let end = body["endDate"]?.int64 else { throw .invalidEndDate }
        guard start <= end else { throw .startDateAfterEndDate }
        guard start >= now - Self.daysMax else { throw .startDateTooFarInPast }
        self.start = start
        self.end = end
        type = body["notificationType"]?.string
        subtype = body["notificationSubtype"]?.string
        guard subtype == nil || type != nil else { throw .invalidNotificationType }
        let transaction = body["transactionId"]?.string
        guard type == nil || transaction == nil else { throw .multipleFiltersSupplied }
        if let transaction {
            originalTransactionId = try originalId(transaction)
        } else {
            originalTransactionId = nil
        }
        onlyFailures = body["onlyFailures"]?.boolean ?? false
        page = try Self.page(target)
    }

    private static func page(_ target: RequestTarget) throws(AppStoreError) -> Int {
        guard let token = target.values("paginationToken").first else { return 0 }
        guard token.hasPrefix("p"), let page = Int(token.dropFirst()), (0...1 << 40).contains(page)
        else { throw .invalidPaginationToken }
        return page
    }

    /// Apple's answer: `notificationHistory`, `paginationToken` if there is more, `hasMore`.
    func answer(_ all: [ServedNotification], of bundle: String) throws(AppStoreError) -> [UInt8] {
        let found = all.filter { $0.bundleId == bundle && isWanted($0) }
        let first = page * HistoryQuery.pageMax
        guard first <= found.count else { throw .invalidPaginationToken }
        let last = min(found.count, first + HistoryQuery.pageMax)
        var writer = JSONWriter()
        writer.object { json in
            json.name("notificationHistory")
            json.array(found[first..<last]) { $0.raw($1.entry) }
            if last < found.count { json.member("paginationToken", "p\(page + 1)") }
            json.member("hasMore", last < found.count)
        }
        return writer.bytes
    }

    private func isWanted(_ notification: ServedNotification) -> Bool {
        (start..<end).contains(notification.signedDate)
            && (type == nil || type == notification.type)
            && (subtype == nil || subtype == notification.subtype)
            && (originalTransactionId == nil
                || originalTransactionId == notification.originalTransactionId)
            && !(onlyFailures && notification.wasReceived)
    }
}
