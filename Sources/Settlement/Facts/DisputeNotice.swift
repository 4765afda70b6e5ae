/// A notification of Apple's about giving money back. Instants are milliseconds since 1970 UTC.
struct DisputeNotice: Fact {
    var signedDate: Int64?
    /// Why the customer asks, in Apple's words; of consumption requests only.
    var reason: String?

    init() {}

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&signedDate)
        try coder.field(&reason)
    }
}

extension DisputeNotice {
    static let request = "CONSUMPTION_REQUEST"
    static let granted = "REFUND"
    static let declined = "REFUND_DECLINED"
    static let reversed = "REFUND_REVERSED"

    static let types = [request, granted, declined, reversed]
}
