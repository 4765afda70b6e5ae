/// What is known of one claim, as far as disputes show it.
public struct ClaimFacts: Mergeable {
    var opened = Earliest()
    /// The last outcome.
    var settled = LastTold<String>()
    var reopened = Span()

    init() {}

    mutating func merge(_ other: ClaimFacts) {
        opened.merge(other.opened)
        settled.merge(other.settled)
        reopened.merge(other.reopened)
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&opened)
        try coder.field(&settled)
        try coder.field(&reopened)
    }
}
