/// Something that people may complain of, besides orders and charges.
struct Grievance {
    let story: World.Claim.Story
    let account: Int
    var order: Int?
    var transaction: Int?
    var evidence: World.Evidence?
    let at: Int64

    init(
        _ story: World.Claim.Story, by account: Int, order: Int? = nil, transaction: Int? = nil,
        evidence: World.Evidence? = nil, at instant: Int64
    ) {
        self.story = story
        self.account = account
        self.order = order
        self.transaction = transaction
        self.evidence = evidence
        at = instant
    }
}

/// What customers say to support, once everything has happened: a claim's truth is that of the
/// world's end.
extension LifeBuilder {
    mutating func openClaims() {
        for order in life.orders.indices {
            let charges = life.charges(of: order)
            if charges.isEmpty { complainOfUnpaid(order) }
            for charge in charges { complain(of: charge) }
        }
        for index in life.transactions.indices {
            let transaction = life.transactions[index]
            let isLoose = transaction.order == nil || transaction.isRenewal
            if transaction.isCharge, isLoose { complain(of: index) }
        }
        for grievance in grievances { complain(of: grievance) }
        if random.percent(3) { invent() }
    }

    // MARK: What they complain of

    private mutating func complain(of index: Int) {
        let charge = life.transactions[index]
        let known = charge.order == nil || charge.isRenewal ? nil : charge.order
        func grievance(_ story: World.Claim.Story, _ instant: Int64) -> Grievance {
            Grievance(
                story, by: charge.owner, order: known, transaction: index, at: instant)
        }
        let paid = charge.purchaseDate
        if let revocation = charge.revocation, revocation.reversedAt == nil,
            revocation.kind == .full
        {
            if random.percent(35) { open(.mistaken, grievance(.refunded, revocation.date)) }
            return
        }
        if charge.product.kind == .autoRenewable || standing(index) >= charge.quantity {
            if random.percent(4) { open(.mistaken, grievance(.alreadyDelivered, paid)) }
            let other = life.accounts.indices.first { $0 != charge.owner && $0 != friend }
            if let other, random.percent(4) {
                open(
                    .mistaken,
                    Grievance(
                        .otherAccount, by: other, order: known, transaction: index, at: paid))
            }
            return
        }
        guard random.percent(80) else { return }
        if life.deliveries.contains(where: {
            $0.transaction == index && $0.stands && $0.account != charge.owner
        }) {
            open(.honest, grievance(.deliveredToOther, paid))
        } else if let reversed = charge.revocation?.reversedAt {
            open(.honest, grievance(.refundReversed, reversed))
        } else if let known,
            life.charges(of: known).contains(where: { $0 != index && standing($0) > 0 })
        {
            open(.honest, grievance(.chargedTwice, paid))
        } else {
            open(.honest, grievance(.notDelivered, paid))
        }
    }

    private mutating func complainOfUnpaid(_ index: Int) {
        guard !grievances.contains(where: { $0.order == index }) else { return }
        let order = life.orders[index]
        let isGiven = life.deliveries.contains { $0.order == index && $0.stands }
        if isGiven {
            guard random.percent(30) else { return }
            open(
                .mistaken,
                Grievance(.alreadyDelivered, by: order.account, order: index, at: order.createdAt))
        } else if random.percent(18) {
            open(
                .mistaken,
                Grievance(.notCharged, by: order.account, order: index, at: order.createdAt))
        } else if random.percent(8) {
            open(
                .dishonest,
                Grievance(.neverPaid, by: order.account, order: index, at: order.createdAt))
        }
    }

    private mutating func complain(of grievance: Grievance) {
        let isPaid = grievance.order.map { !life.charges(of: $0).isEmpty } ?? false
        switch grievance.story {
        case .waitsForParent: if !isPaid, random.percent(35) { open(.mistaken, grievance) }
        case .lapsed: if !hasComeBack(grievance), random.percent(40) { open(.mistaken, grievance) }
        case .shared: if random.percent(30) { open(.mistaken, grievance) }
        case .sandbox: if !isPaid, random.percent(60) { open(.mistaken, grievance) }
        case .forged, .replayed: if random.percent(75) { open(.dishonest, grievance) }
        case .notDelivered, .chargedTwice, .deliveredToOther, .refundReversed, .alreadyDelivered,
            .notCharged, .otherAccount, .refunded, .neverPaid, .invented:
            break
        }
    }

    /// Whether a later period followed the one that ran out.
    private func hasComeBack(_ grievance: Grievance) -> Bool {
        guard let index = grievance.transaction else { return false }
        let original = life.transactions[index].originalId
        return life.transactions.contains {
            $0.originalId == original && $0.purchaseDate > life.transactions[index].purchaseDate
        }
    }

    /// Somebody makes up an order number or an order id of Apple's.
    private mutating func invent() {
        let opened = after(beginning, Span.hour...3 * Span.day)
        guard happens(opened) else { return }
        var named = World.Named()
        if life.app.numbering == .account || random.percent(50) {
            // One character less than Apple's.
            named.appleOrderId = "MQ" + random.uuid(upperCase: true).filter { $0 != "-" }.prefix(8)
        } else if life.app.numbering == .uuid {
            named.applicationUsername = random.uuid()
        } else {
            named.applicationUsername = "HB\(random.number(90_000_000_000...99_999_999_999))"
        }
        append(.dishonest, Grievance(.invented, by: friend, at: opened), named, at: opened)
    }

    // MARK: What they say

    private mutating func open(_ honesty: World.Claim.Honesty, _ grievance: Grievance) {
        let isImpatient = random.percent(25)
        let opened = after(
            grievance.at,
            isImpatient ? 3 * Span.minute...30 * Span.minute : Span.hour...2 * Span.day)
        guard happens(opened) else { return }
        append(honesty, grievance, knowledge(of: grievance), at: opened)
    }

    private mutating func append(
        _ honesty: World.Claim.Honesty, _ grievance: Grievance, _ named: World.Named,
        at opened: Int64
    ) {
        let index = life.claims.count
        let evidence = upload(grievance, at: opened)
        life.claims.append(
            World.Claim(
                id: identifiers.claim(index), openedAt: opened, account: grievance.account,
                honesty: honesty, story: grievance.story, order: grievance.order,
                transaction: grievance.transaction, named: named, evidence: evidence,
                statement: random.pick(grievance.story.statements),
                channel: random.pick(["chat", "mail", "store-review"])))
        let id = life.claims[index].id
        arrive(
            "claim.opened", from: "support", id: "claim/\(id)", at: opened, time: opened,
            order: grievance.order, transaction: grievance.transaction, .claimOpened(index))
        guard evidence != nil else { return }
        let added = after(opened, Span.minute...20 * Span.minute)
        arrive(
            "claim.evidence-added", from: "support", id: "claim-evidence/\(id)", at: added,
            time: added, order: grievance.order, transaction: grievance.transaction,
            .claimEvidence(index))
    }

    /// What this person knows: a number on a screen, an e-mail, a screenshot, or what and when.
    private mutating func knowledge(of grievance: Grievance) -> World.Named {
        var named = World.Named()
        if life.app.numbering == .account {
            if random.percent(70) {
                named.applicationUsername = life.accounts[grievance.account].id
            }
        } else if let order = grievance.order, random.percent(60) {
            named.applicationUsername = life.orders[order].number
        }
        let transaction = grievance.transaction.map { life.transactions[$0] }
        if let transaction, transaction.isCharge {
            let hasMail = grievance.story != .replayed
            if hasMail, random.percent(35) { named.appleOrderId = transaction.appleOrderId }
            if random.percent(grievance.story == .replayed ? 60 : 15) {
                named.transactionId = transaction.id
            }
        }
        if let pretence = grievance.evidence?.pretence, random.percent(40) {
            named.transactionId = pretence.transactionId
        }
        if random.percent(50) || named == World.Named() { describe(grievance, &named) }
        return named
    }

    private mutating func describe(_ grievance: Grievance, _ named: inout World.Named) {
        let transaction = grievance.transaction.map { life.transactions[$0] }
        let order = grievance.order.map { life.orders[$0] }
        let storefront = storefront(of: grievance.account)
        named.productId = (transaction?.product ?? order?.product)?.id(in: life.app)
        named.amount = transaction?.price ?? order?.price
        if named.amount != nil { named.currency = storefront.currency }
        let when = transaction?.purchaseDate ?? order?.createdAt ?? grievance.at
        named.claimedAt = after(when, -6 * Span.hour...6 * Span.hour) / Span.minute * Span.minute
    }

    /// What the customer uploads for support to look at.
    private mutating func upload(_ grievance: Grievance, at opened: Int64) -> World.Evidence? {
        switch grievance.story {
        case .forged: return random.percent(50) ? grievance.evidence : nil
        case .notDelivered:
            guard let transaction = grievance.transaction, random.percent(10) else { return nil }
            var evidence = World.Evidence(
                form: .receipt, transaction: transaction, signedDate: opened / 1000 * 1000)
            if strikes(.evidenceTruncated) {
                evidence.flaw = .truncated
                trace(
                    .evidenceTruncated, at: opened, order: grievance.order,
                    transaction: transaction)
            }
            return evidence
        case .replayed:
            guard let transaction = grievance.transaction, random.percent(30) else { return nil }
            return World.Evidence(
                form: .transaction, transaction: transaction,
                signedDate: life.transactions[transaction].purchaseDate + 2_000)
        case .chargedTwice, .deliveredToOther, .refundReversed, .alreadyDelivered, .notCharged,
            .otherAccount, .refunded, .lapsed, .shared, .sandbox, .waitsForParent, .neverPaid,
            .invented:
            return nil
        }
    }
}

extension World.Claim.Story {
    /// Words that people find for it; none names anybody.
    fileprivate var statements: [String] {
        switch self {
        case .notDelivered: ["I paid and got nothing.", "Money is gone, where are my gems?"]
        case .chargedTwice: ["My bank shows the payment twice.", "I was charged two times!"]
        case .deliveredToOther: ["Paid, but it never came to my account."]
        case .refundReversed: ["The refund was cancelled, so give it back to me."]
        case .alreadyDelivered: ["I do not see what I bought.", "Did my purchase go through?"]
        case .notCharged: ["I tried to pay and got nothing.", "It failed, am I charged?"]
        case .otherAccount: ["I bought this, and this account has nothing."]
        case .refunded: ["You took my things away.", "My purchase vanished."]
        case .lapsed: ["I lost my membership.", "My club badge is gone."]
        case .shared: ["I own this and it does not show."]
        case .sandbox: ["My TestFlight purchase did not arrive."]
        case .waitsForParent: ["I bought it hours ago!"]
        case .neverPaid: ["I paid for this order, deliver it.", "Order paid, nothing came!!"]
        case .replayed: ["I paid, here is the proof."]
        case .forged: ["I have the receipt!"]
        case .invented: ["Here is the number of my order."]
        }
    }
}
