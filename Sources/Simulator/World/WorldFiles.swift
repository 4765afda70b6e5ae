internal import AppStoreModel
internal import Cryptography

/// Writes a world below a folder, in one pass and bounded memory:
///
/// - `events.ndjson`: all that reached the service, as CloudEvents in the order of arrival, with
///   `recordedtime`; Apple's notifications among them (`appstore.notification`).
/// - `notifications.ndjson`: the same notifications as the bodies that Apple posted, in the order
///   of arrival; `notifications-received-at.txt` has the instant of each, line by line.
/// - `receipts/CLAIM.txt`: receipts that customers uploaded, in base64 (others are in the events).
/// - `history/`: pages of the App Store Server API, see `HistoryPages`: `transactions.ndjson`,
///   `refunds.ndjson`, `orders.ndjson`, `notifications.ndjson`.
/// - `delivery-ledger.csv`, `sales-report.tsv`, `claims.ndjson` (as a ticket system exports them).
/// - `trust/root.der` for JWS and `trust/receipt-root.der` for receipts.
/// - `world.ndjson`: the truth, see `TruthWriter`.
public struct WorldFiles {
    private static let entriesPerPiece = 256

    private let world: World
    private let folder: String
    private let writer: EventWriter
    private let pages: HistoryPages
    private let truth: TruthWriter
    private let events: OutputFile
    private let notifications: OutputFile
    private let receivedAt: OutputFile
    private let claims: OutputFile
    private let ledger: OutputFile
    private let worldLines: OutputFile
    private var history: History
    private var sales = SalesReport()
    /// What was written so far.
    public private(set) var counts = Counts()

    /// How much was written.
    public struct Counts: Sendable, Equatable {
        /// Orders whose circle has begun.
        public var orders = 0
        /// Lines of `events.ndjson`.
        public var events = 0
        /// Lines of `claims.ndjson`.
        public var claims = 0
        /// Charges, renewals included.
        public var charges = 0
        /// How often each fault struck, by its name.
        public var faults: [String: Int] = [:]
    }

    /// Opens the files; the folder is made, what it holds under these names is replaced.
    public init(_ world: World, folder: String) throws {
        self.world = world
        self.folder = folder
        writer = EventWriter(world)
        pages = HistoryPages(world, signer: writer.signer)
        truth = TruthWriter(world)
        events = try OutputFile("events.ndjson", in: folder)
        notifications = try OutputFile("notifications.ndjson", in: folder)
        receivedAt = try OutputFile("notifications-received-at.txt", in: folder)
        claims = try OutputFile("claims.ndjson", in: folder)
        ledger = try OutputFile("delivery-ledger.csv", in: folder)
        worldLines = try OutputFile("world.ndjson", in: folder)
        history = try History(folder)
    }

    /// Writes everything.
    /// - Parameter progress: told the counts now and then.
    public mutating func write(progress: (Counts) -> Void = { _ in }) throws {
        try writeTrust()
        try worldLines.write(line: truth.header())
        try ledger.write(line: Self.ledgerHeading)
        var log = WorldLog(world)
        while let stretch = log.nextStretch() {
            try writeNew(stretch)
            try writeEntries(of: stretch)
            progress(counts)
        }
        let report = try OutputFile("sales-report.tsv", in: folder)
        for line in sales.lines { try report.write(line: line) }
        try report.flush()
        try history.finish()
        try events.flush()
        try notifications.flush()
        try receivedAt.flush()
        try claims.flush()
        try ledger.flush()
        try worldLines.flush()
    }

    private func writeTrust() throws {
        let signer = writer.signer
        let roots = [
            ("root.der", signer.chain.rootDER), ("receipt-root.der", signer.receipts.rootDER),
        ]
        for (name, bytes) in roots {
            let file = try OutputFile("trust/\(name)", in: folder)
            try file.write(bytes)
            try file.flush()
        }
    }

    // MARK: Lives

    /// What is told of a circle once: its truth, Apple's answers, the ledger.
    private mutating func writeNew(_ stretch: WorldLog.Stretch) throws {
        let lives = Array(stretch.newLives)
        let (truth, pages, signer) = (truth, pages, writer.signer)
        let told = concurrentMap(count: lives.count) { place in
            let life = lives[place]
            return (
                truth.lines(of: life), pages.answers(about: life),
                life.unheardNotifications(signer)
            )
        }
        for (life, (lines, answers, unheard)) in zip(lives, told) {
            for line in lines { try worldLines.write(line: line) }
            try history.write(answers)
            for entry in unheard { try history.write(notification: entry) }
            for delivery in life.deliveries {
                try ledger.write(line: Self.ledgerLine(delivery, of: life))
            }
            sales.add(life)
            counts.orders += life.orders.count
            counts.charges += life.transactions.count { $0.isCharge }
            for trace in life.traces { counts.faults[trace.fault.rawValue, default: 0] += 1 }
        }
    }

    private static let ledgerHeading =
        "deliveryId,bundleId,account,orderNumber,transactionId,productId,quantity,grant,"
        + "requestedAt,succeededAt,failedAt,reversedAt"

    /// No field needs quotation marks.
    private static func ledgerLine(_ delivery: World.Delivery, of life: World.Life) -> String {
        [
            delivery.id, life.app.bundle, life.accounts[delivery.account].id,
            delivery.order.map { life.orders[$0].number } ?? "",
            delivery.transaction.map { life.transactions[$0].id } ?? "",
            delivery.product.id(in: life.app), String(delivery.quantity), delivery.grant ?? "",
            RFC3339.text(delivery.requestedAt), delivery.succeededAt.map(RFC3339.text) ?? "",
            delivery.failedAt.map(RFC3339.text) ?? "", delivery.reversedAt.map(RFC3339.text) ?? "",
        ].joined(separator: ",")
    }

    // MARK: Arrivals

    private mutating func writeEntries(of stretch: WorldLog.Stretch) throws {
        let entries = stretch.entries
        for start in stride(from: 0, to: entries.count, by: Self.entriesPerPiece) {
            let piece = entries[start..<min(start + Self.entriesPerPiece, entries.count)]
            let writer = writer
            let rendered = concurrentMap(count: piece.count) { place in
                let (arrival, life) = stretch[piece[start + place]]
                return RenderedArrival(arrival, of: life, by: writer)
            }
            for (entry, rendered) in zip(piece, rendered) {
                try write(rendered, stretch[entry].arrival)
            }
        }
    }

    private mutating func write(_ rendered: RenderedArrival, _ arrival: World.Arrival) throws {
        counts.events += 1
        try events.write(line: rendered.event)
        if let body = rendered.body {
            try notifications.write(line: body)
            try receivedAt.write(line: RFC3339.text(arrival.receivedAt))
        }
        if let entry = rendered.historyEntry { try history.write(notification: entry) }
        if let ticket = rendered.ticket {
            counts.claims += 1
            try claims.write(line: ticket)
        }
        if let (name, receipt) = rendered.receipt {
            let file = try OutputFile("receipts/\(name).txt", in: folder)
            try file.write(line: receipt)
            try file.flush()
        }
    }
}

/// The files below `history/`.
private struct History {
    private let transactions: OutputFile
    private let refunds: OutputFile
    private let orders: OutputFile
    private let notifications: OutputFile
    private var page: [[UInt8]] = []
    private var pageNumber = 0

    init(_ folder: String) throws(OutputError) {
        transactions = try OutputFile("history/transactions.ndjson", in: folder)
        refunds = try OutputFile("history/refunds.ndjson", in: folder)
        orders = try OutputFile("history/orders.ndjson", in: folder)
        notifications = try OutputFile("history/notifications.ndjson", in: folder)
    }

    mutating func write(_ answers: HistoryPages.Answers) throws(OutputError) {
        for line in answers.history { try transactions.write(line: line) }
        for line in answers.refunds { try refunds.write(line: line) }
        for line in answers.orders { try orders.write(line: line) }
    }

    mutating func write(notification entry: [UInt8]) throws(OutputError) {
        if page.count == HistoryPages.pageMax { try turnPage(hasMore: true) }
        page.append(entry)
    }

    private mutating func turnPage(hasMore: Bool) throws(OutputError) {
        try notifications.write(
            line: HistoryPages.notifications(page, page: pageNumber, hasMore: hasMore))
        page.removeAll(keepingCapacity: true)
        pageNumber += 1
    }

    mutating func finish() throws(OutputError) {
        try turnPage(hasMore: false)
        try transactions.flush()
        try refunds.flush()
        try orders.flush()
        try notifications.flush()
    }
}

/// What an arrival becomes in the files.
private struct RenderedArrival: Sendable {
    let event: [UInt8]
    /// The body that Apple posted.
    var body: [UInt8]?
    /// What Apple's notification history says; at its first arrival only.
    var historyEntry: [UInt8]?
    var ticket: [UInt8]?
    var receipt: (claim: String, text: [UInt8])?

    init(_ arrival: World.Arrival, of life: World.Life, by writer: EventWriter) {
        switch arrival.content {
        case .notification(let index):
            let signed = writer.signer.notification(index, of: life)
            event = writer.cloudEvent(arrival, of: life, signedPayload: signed)
            body = Array("{\"signedPayload\":\"".utf8) + signed + Array("\"}".utf8)
            let notification = life.notifications[index]
            let first = notification.attempts.first { $0.receivedAt != nil }
            if first?.receivedAt == arrival.receivedAt {
                historyEntry = HistoryPages.entry(notification, signedPayload: signed)
            }
        case .claimOpened(let index):
            event = writer.cloudEvent(arrival, of: life)
            ticket = writer.ticket(life.claims[index], life)
        case .claimEvidence(let index):
            event = writer.cloudEvent(arrival, of: life)
            let claim = life.claims[index]
            guard let evidence = claim.evidence, evidence.form == .receipt else { return }
            let text = writer.signer.evidence(
                evidence, of: life, device: life.phone(of: claim.account))
            receipt = (claim.id, text)
        case .settings, .registered, .consented, .orderCreated, .orderCancelled, .paymentLinked,
            .device, .delivery, .goodwill:
            event = writer.cloudEvent(arrival, of: life)
        }
    }
}

extension World.Life {
    /// The history entries of notifications that Apple sent and nobody received.
    fileprivate func unheardNotifications(_ signer: WorldSigner) -> [[UInt8]] {
        notifications.indices.filter { index in
            let attempts = notifications[index].attempts
            return !attempts.isEmpty && attempts.allSatisfy { $0.receivedAt == nil }
        }.map {
            HistoryPages.entry(
                notifications[$0], signedPayload: signer.notification($0, of: self))
        }
    }
}
