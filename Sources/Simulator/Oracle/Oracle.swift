/// Says what the right verdict is, given what reached the service: the rules of the domain
/// (sections 2, 5 and 6) written once more over the world's own record of what arrived. It shares
/// no code with the service and reads none of its files.
///
/// Circles have nothing to do with each other but for one thing: a charge that nobody's name stands
/// on may be the candidate of a stranger's order. So an oracle first looks through the whole world
/// for such charges (`OrphanIndex`), and then judges each life by itself.
public struct Oracle: Sendable {
    /// Circles that are looked at together.
    private static let circlesPerStretch = 500

    /// The world that is judged.
    public let world: World
    /// The instant of judgement: the world's end, in milliseconds since 1970 UTC.
    public let asOf: Int64
    private let orphans: OrphanIndex

    /// Looks through a world.
    public init(_ world: World) {
        self.world = world
        asOf = world.configuration.end
        var index = OrphanIndex()
        for start in stride(from: 0, to: world.circleCount, by: Self.circlesPerStretch) {
            let count = min(Self.circlesPerStretch, world.circleCount - start)
            let found = concurrentMap(count: count) {
                OrphanIndex.orphans(Conclusions(Knowledge(world.life(of: start + $0))))
            }
            for orphans in found { index.add(orphans) }
        }
        index.sort()
        orphans = index
    }

    /// What is right of a life's orders and claims.
    public func expectations(of life: World.Life) -> LifeExpectations {
        let knowledge = Knowledge(life)
        return LifeExpectations(
            circle: life.circle, bundle: life.app.bundle, subjects: subjects(of: knowledge),
            untold: Untold.all(knowledge))
    }

    private func subjects(of knowledge: Knowledge) -> [Expectation] {
        let life = knowledge.life
        let conclusions = Conclusions(knowledge)
        let instants = [asOf] + Judge.turningPoints(conclusions, after: asOf)
        let judges = instants.map {
            Judge(
                knowledge: knowledge, conclusions: conclusions, orphans: orphans, now: $0)
        }
        let orders = life.orders.indices.map { index in
            let number = knowledge.number(of: index)
            return Expectation(
                subject: .order(life.orders[index].number),
                account: life.accounts[life.orders[index].account].id,
                judges: judges
            ) { $0.matter(.order(number), claimant: nil) }
        }
        let claims = knowledge.claims.sorted().map { index in
            let claim = life.claims[index]
            return Expectation(
                subject: .claim(claim.id), account: life.accounts[claim.account].id,
                judges: judges
            ) { $0.matter(of: claim) }
        }
        return orders + claims
    }
}

extension Judge {
    /// What a claim is about: the first of what the customer named that finds something, else the
    /// last; `nil` where nothing was named.
    func matter(of claim: World.Claim) -> Matter {
        let account = knowledge.life.accounts[claim.account].id
        let named = claim.named
        var questions: [Matter.Question] = []
        if let id = named.transactionId { questions.append(.transaction(id)) }
        if let id = named.appleOrderId { questions.append(.appleOrder(id)) }
        if let name = Knowledge.name(named.applicationUsername) { questions.append(.order(name)) }
        if named.productId != nil || named.amount != nil || named.claimedAt != nil {
            let description = Matter.Description(
                product: named.productId, amount: named.amount, currency: named.currency,
                claimedAt: named.claimedAt)
            questions.append(.account(account, description))
        }
        questions.append(.account(account, nil))
        let matters = questions.map { matter($0, claimant: account) }
        return matters.first { verdict(on: $0) != .unknown } ?? matters[matters.count - 1]
    }

    /// The instants after `asOf` at which time alone may change a verdict or a status.
    static func turningPoints(_ conclusions: Conclusions, after asOf: Int64) -> [Int64] {
        let knowledge = conclusions.knowledge
        var instants: Set<Int64> = []
        for conclusion in conclusions.transactions.values {
            guard let transaction = conclusion.snapshot?.transaction else { continue }
            let proven = conclusion.known.verified?.receivedAt ?? .min
            instants.insert(max(transaction.purchaseDate, proven) + OraclePolicy.deliveryGrace)
            if let end = transaction.expiresDate { instants.insert(end) }
        }
        for renewal in knowledge.renewals.values {
            if let end = renewal.state.graceExpires { instants.insert(end) }
        }
        for delivery in knowledge.deliveries.values {
            guard let asked = delivery.requested?.receivedAt else { continue }
            instants.insert(asked + OraclePolicy.deliveryRequestOpen)
        }
        let attempts =
            knowledge.orders.values.flatMap(\.attempts)
            + knowledge.accounts.values.flatMap(\.attempts)
        for attempt in attempts {
            instants.insert(attempt.stamp.receivedAt + OraclePolicy.deferredStuck)
            instants.insert(attempt.stamp.receivedAt + OraclePolicy.abandoned)
        }
        for created in knowledge.orders.values.compactMap(\.created) {
            instants.insert(created.receivedAt + OraclePolicy.abandoned)
        }
        return instants.filter { $0 > asOf }.sorted()
    }
}
