internal import JSON

/// A customer's claim: what they could name when it was opened.
public struct Claim: Sendable, Equatable {
    /// Our own id of the claim.
    public let claimId: String
    /// Apple's bundle identifier; empty when the event named none.
    public let bundle: String
    /// The event that opened it.
    public let key: [UInt8]
    /// When it was opened: milliseconds since 1970 UTC.
    public let openedAt: Int64
    /// The account that claims.
    public let account: String?
    /// An order number (in the account convention: an account).
    public let applicationUsername: String?
    /// Apple's transaction id.
    public let transactionId: String?
    /// The order id of Apple's e-mail.
    public let appleOrderId: String?
    /// What the customer said of the purchase.
    public let purchase: PurchaseDescription
    /// Where the claim came in.
    public let channel: String?
    /// The help desk's ticket.
    public let ticket: String?

    /// The claim that `event` opens; `nil` for any other event, and for one without a `claimId`.
    public init?(_ event: SettlementEvent) {
        guard event.type == "claim.opened", let id = event.identifier("claimId") else { return nil }
        claimId = id
        bundle = event.bundle
        key = event.key
        openedAt = event.receivedAt
        account = event.account
        applicationUsername = event.orderNumber("applicationUsername")
        transactionId = event.identifier("transactionId")
        appleOrderId = event.identifier("orderId")
        purchase = PurchaseDescription(
            productId: event.identifier("productId"), amount: event.data["amount"]?.int64,
            currency: event.identifier("currency"), claimedAt: event.data["claimedAt"]?.int64)
        channel = event.identifier("channel")
        ticket = event.identifier("ticket")
    }

    /// What the claim may be about, in the order in which to ask: the first answer that finds
    /// something (`Answer.foundSomething`) is the claim's; else the first. Empty when the customer
    /// could name nothing.
    public var questions: [Question] {
        func ask(_ subject: Question.Subject) -> Question {
            Question(bundle: bundle, subject: subject, claimant: account)
        }
        var questions: [Question] = []
        if let transactionId { questions.append(ask(.transaction(transactionId))) }
        if let appleOrderId { questions.append(ask(.appleOrder(appleOrderId))) }
        if let applicationUsername {
            questions.append(ask(.order(applicationUsername)))
            if OrderNumber.isUUID(applicationUsername) {
                questions.append(ask(.token(applicationUsername)))
            }
        }
        if let account {
            if !purchase.isEmpty { questions.append(ask(.account(account, purchase))) }
            questions.append(ask(.account(account, nil)))
        }
        return questions
    }
}
