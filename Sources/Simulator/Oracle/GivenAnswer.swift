/// What the service answered about an order or a claim.
public struct GivenAnswer: Sendable, Equatable {
    /// One charge of an answer.
    public struct Charge: Sendable, Equatable {
        /// Apple's id.
        public var transactionId: String
        /// Its own verdict.
        public var verdict: String
        /// Whose the service says it is; goods that are owed go there.
        public var owner: String?
        /// How many the service says are still owed.
        public var missing: Int64

        /// A charge as it was told.
        public init(transactionId: String, verdict: String, owner: String?, missing: Int64) {
            self.transactionId = transactionId
            self.verdict = verdict
            self.owner = owner
            self.missing = missing
        }
    }

    /// What was asked about.
    public var subject: Expectation.Subject
    /// The app.
    public var bundle: String
    /// The verdict's code.
    public var verdict: String
    /// The status's headline.
    public var status: String
    /// The remarks' codes, in any order.
    public var remarks: [String]
    /// The charges found.
    public var charges: [Charge]
    /// When it was asked: milliseconds since 1970 UTC.
    public var askedAt: Int64
    /// What an agent reads of the history: one line an event.
    public var timeline: [String]

    /// An answer as it was told.
    public init(
        subject: Expectation.Subject, bundle: String, verdict: String, status: String,
        remarks: [String] = [], charges: [Charge] = [], askedAt: Int64, timeline: [String] = []
    ) {
        self.subject = subject
        self.bundle = bundle
        self.verdict = verdict
        self.status = status
        self.remarks = remarks
        self.charges = charges
        self.askedAt = askedAt
        self.timeline = timeline
    }
}
