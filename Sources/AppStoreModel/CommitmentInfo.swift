public import JSON

/// The commitment behind a transaction of a 12-month plan.
public struct CommitmentInfo: PayloadView {
    /// Which period of the commitment this is, from 1.
    public let billingPeriodNumber: Int64?
    /// When the commitment ends, in milliseconds since 1970 UTC.
    public let commitmentExpiresDate: Int64?
    /// The price of the whole commitment in milliunits.
    public let commitmentPrice: Int64?
    /// How many periods the commitment has.
    public let totalBillingPeriods: Int64?

    /// See `PayloadView`.
    public let json: JSONValue
    /// See `PayloadView`.
    public let unknownMembers: [String]
    /// See `PayloadView`.
    public let unreadableMembers: [String]

    /// See `PayloadView`.
    public init(_ json: JSONValue) {
        self.json = json
        var reader = PayloadReader(json)
        billingPeriodNumber = reader.number("billingPeriodNumber")
        commitmentExpiresDate = reader.instant("commitmentExpiresDate")
        commitmentPrice = reader.number("commitmentPrice")
        totalBillingPeriods = reader.number("totalBillingPeriods")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}
