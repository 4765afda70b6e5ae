/// What is right of a life.
public struct LifeExpectations: Sendable {
    /// The circle.
    public let circle: Int
    /// The app.
    public let bundle: String
    /// Orders as the life has them, then claims.
    public let subjects: [Expectation]
    /// What happened and never reached the service.
    public let untold: [Untold]
}

/// The right answer about an order or a claim.
public struct Expectation: Sendable, Equatable {
    /// What is judged.
    public enum Subject: Sendable, Hashable {
        /// An order, by its number as the platform issued it.
        case order(String)
        /// A claim, by our id.
        case claim(String)
    }

    /// A verdict and a status that hold from an instant on.
    public struct Step: Sendable, Equatable {
        /// Milliseconds since 1970 UTC.
        public let from: Int64
        /// The right verdict.
        public let verdict: ExpectedVerdict
        /// The right status.
        public let status: ExpectedHeadline
    }

    /// What is judged.
    public let subject: Subject
    /// Whose it is: the order's account, or the claimant.
    public let account: String
    /// The verdict as of the world's end, and as time alone changes it afterwards.
    public let course: [Step]
    /// Remarks that must stand beside the first verdict; there may be others.
    public let remarks: [String]

    init(
        subject: Subject, account: String, judges: [Judge], matter: (Judge) -> Matter
    ) {
        self.subject = subject
        self.account = account
        var course: [Step] = []
        var remarks: [String] = []
        for judge in judges {
            let matter = matter(judge)
            let step = Step(
                from: judge.now, verdict: judge.verdict(on: matter),
                status: judge.headline(of: matter))
            if let last = course.last, last.verdict == step.verdict, last.status == step.status {
                continue
            }
            if course.isEmpty { remarks = judge.remarks(on: matter) }
            course.append(step)
        }
        self.course = course
        self.remarks = remarks
    }

    /// A course that was read.
    public init(subject: Subject, account: String, course: [Step], remarks: [String]) {
        self.subject = subject
        self.account = account
        self.course = course
        self.remarks = remarks
    }
}

extension [Expectation.Step] {
    /// What holds at an instant; the first step also before it begins.
    public func at(_ instant: Int64) -> Expectation.Step? {
        last { $0.from <= instant } ?? first
    }
}

/// What became of a charge and was never told to the service. A verdict that rests on the last that
/// was told is no lie.
public struct Untold: Sendable, Equatable {
    /// What was not told.
    public enum Fact: String, Sendable, CaseIterable {
        /// That Apple refunded it in full.
        case refund
        /// That something of it was delivered to its owner.
        case delivery
        /// That goods were taken back.
        case takenBack = "taken-back"
        /// Whose it is: nothing ties it to its owner's account.
        case owner
    }

    /// The charge.
    public let transactionId: String
    /// What was not told of it.
    public let facts: [Fact]

    static func all(_ knowledge: Knowledge) -> [Untold] {
        knowledge.life.transactions.compactMap { transaction in
            let facts = Fact.allCases.filter { isUntold($0, transaction, knowledge) }
            return facts.isEmpty ? nil : Untold(transactionId: transaction.id, facts: facts)
        }
    }

    private static func isUntold(
        _ fact: Fact, _ transaction: World.Transaction, _ knowledge: Knowledge
    ) -> Bool {
        let known = knowledge.transactions[transaction.id]
        switch fact {
        case .refund:
            guard let revocation = transaction.revocation, revocation.kind == .full,
                revocation.reversedAt == nil
            else { return false }
            let snapshot = known.flatMap { KnownSnapshot($0, in: knowledge.life) }
            return snapshot?.refund != .refunded
        case .delivery: return standing(transaction, knowledge).isBehind
        case .takenBack: return standing(transaction, knowledge).isAhead
        case .owner: return known.map { !isTied($0, to: transaction, knowledge) } ?? false
        }
    }

    /// Whether anything that was told of a transaction leads to its owner: an order, a token, a
    /// delivery, or proof that the owner's devices sent.
    private static func isTied(
        _ known: KnownTransaction, to transaction: World.Transaction, _ knowledge: Knowledge
    ) -> Bool {
        let life = knowledge.life
        let owner = life.accounts[transaction.owner].id
        let named = Set(known.deviceNames.keys).union(known.platformNames.keys)
        let numbers = life.orders.indices.filter { life.orders[$0].account == transaction.owner }
            .map { knowledge.number(of: $0) }
        return transaction.token != nil || !named.isDisjoint(with: numbers)
            || known.usernames[owner] != nil || known.senders[owner] != nil
            || known.reporters.contains(owner)
            || known.deliveries.contains {
                life.deliveries[$0].account == transaction.owner
                    && knowledge.deliveries[$0]?.stands == true
            }
    }

    /// Whether fewer, or more, of its deliveries stand as far as was told than in truth.
    private static func standing(
        _ transaction: World.Transaction, _ knowledge: Knowledge
    ) -> (isBehind: Bool, isAhead: Bool) {
        var result = (isBehind: false, isAhead: false)
        for (index, delivery) in knowledge.life.deliveries.enumerated() {
            guard let named = delivery.transaction,
                knowledge.life.transactions[named].id == transaction.id
            else { continue }
            let isTold = knowledge.deliveries[index]?.stands == true
            if delivery.stands, !isTold { result.isBehind = true }
            if !delivery.stands, isTold { result.isAhead = true }
        }
        return result
    }
}
