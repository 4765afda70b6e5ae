/// A circle's life while it is being made up. The extensions tell what people, phones, Apple and
/// the servers do; each step happens only if it is before the world's end.
struct LifeBuilder {
    let configuration: World.Configuration
    let outages: Outages
    let identifiers: WorldIdentifiers
    var random: WorldRandom
    var life: World.Life
    /// What clients sent, in the order in which it was thought of.
    var sent: [SentReport] = []
    /// When each notification is first sent; `nil` if never.
    var firstAttempts: [Int64?] = []
    /// Those of `life.transactions` that are subscriptions under way.
    var subscriptions: [SubscriptionPath] = []
    /// What people may complain of besides orders and charges; see `LifeBuilder+Claims`.
    var grievances: [Grievance] = []
    /// The friend, who has nothing to do with the others' purchases: index into `life.accounts`.
    var friend = 0
    /// How many orders may still be made.
    var ordersLeft: Int
    /// When it begins; nothing of it comes before, but its app's settings.
    private(set) var beginning: Int64

    init(_ world: World, circle: Int) {
        configuration = world.configuration
        outages = world.outages
        identifiers = WorldIdentifiers(seed: world.configuration.seed, circle: circle)
        random = WorldRandom(seed: world.configuration.seed, purpose: 4, number: circle)
        let app = world.configuration.apps[circle % world.configuration.apps.count]
        life = World.Life(circle: circle, app: app)
        ordersLeft = world.plan.orders(of: circle)
        beginning = world.plan.start(of: circle)
    }

    /// The whole life of a circle.
    static func life(of circle: Int, in world: World) -> World.Life {
        var builder = LifeBuilder(world, circle: circle)
        builder.live()
        return builder.life
    }

    private mutating func live() {
        if life.circle < configuration.apps.count { introduceApp() }
        gatherPeople(at: beginning)
        for instant in shoppingTimes() where ordersLeft > 0 {
            renewSubscriptions(until: instant)
            goShopping(at: instant)
        }
        renewSubscriptions(until: configuration.end)
        openClaims()
        sendReports()
        sendNotifications()
        putInOrder()
    }

    /// By arrival; of one instant, as they were thought of.
    private mutating func putInOrder() {
        let ordered = life.arrivals.indices.sorted {
            (life.arrivals[$0].receivedAt, $0) < (life.arrivals[$1].receivedAt, $1)
        }
        life.arrivals = ordered.map { life.arrivals[$0] }
    }

    /// When they shop: within three days, or until the world ends.
    private mutating func shoppingTimes() -> [Int64] {
        let span = min(3 * Span.day, configuration.end - 1 - beginning)
        let later = (1..<max(1, ordersLeft)).map { _ in beginning + random.below(max(1, span)) }
        return [beginning] + later.sorted()
    }

    // MARK: Chance and time

    var end: Int64 { configuration.end }

    /// Whether something happens: whether it is before the end.
    func happens(_ instant: Int64) -> Bool { instant < end }

    /// An instant so many milliseconds after another.
    mutating func after(_ instant: Int64, _ span: ClosedRange<Int64>) -> Int64 {
        instant + random.number(span)
    }

    /// Whether a fault strikes here. Whoever asks leaves a trace where it does.
    mutating func strikes(_ fault: World.Fault) -> Bool {
        let rate = configuration.faults[fault]
        return rate > 0 && random.chance(rate)
    }

    mutating func trace(
        _ fault: World.Fault, at instant: Int64, order: Int? = nil, transaction: Int? = nil,
        event: String? = nil
    ) {
        guard happens(instant) else { return }
        life.traces.append(
            World.FaultTrace(
                fault: fault, at: instant, order: order, transaction: transaction, event: event))
    }

    // MARK: Arrivals

    /// What passes the door at `instant`, or when it opens again.
    mutating func arrive(
        _ type: String, from source: String, id: String, at instant: Int64, time: Int64?,
        order: Int? = nil, transaction: Int? = nil, _ content: World.Content
    ) {
        var receivedAt = instant
        if let opening = outages.end(at: instant) {
            receivedAt = after(opening, Span.second...5 * Span.minute)
            trace(.serverDown, at: instant, order: order, transaction: transaction, event: id)
        }
        guard happens(receivedAt) else { return }
        life.arrivals.append(
            World.Arrival(
                receivedAt: receivedAt, source: source, id: id, type: type, time: time,
                content: content, order: order, transaction: transaction))
    }

    /// The first circle of each app brings its settings, before anything else of it.
    private mutating func introduceApp() {
        let app = life.app
        life.arrivals.append(
            World.Arrival(
                receivedAt: configuration.start, source: "operator", id: "settings/\(app.bundle)",
                type: "settings.changed", time: nil, content: .settings(app), order: nil,
                transaction: nil))
        notify(.test, at: configuration.start + Span.second)
    }
}

/// The names that a circle gives, none of which another circle gives.
struct WorldIdentifiers {
    private let circle: Int64
    private let transactionBase: Int64

    private static let perCircle: Int64 = 4096

    init(seed: UInt64, circle: Int) {
        self.circle = Int64(circle)
        transactionBase =
            400_000_000_000_000
            + Int64(WorldRandom.mixed(seed &+ 0x51) % 9_000) * 10_000_000_000
    }

    /// The number of the transaction at `index` of a life; in the sandbox Apple counts apart.
    func transaction(_ index: Int, isSandbox: Bool) -> String {
        precondition(index < Self.perCircle, "a circle buys without end")
        let number = circle * Self.perCircle + Int64(index)
        return String(isSandbox ? 2_000_000_000_000_000 + number : transactionBase + number)
    }

    /// The order id of Apple's e-mail: `M` and ten characters.
    func appleOrder(_ index: Int) -> String {
        let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)
        let mask: UInt64 = 1 << 50 - 1
        var rest = UInt64(circle * Self.perCircle + Int64(index)) &* 0x2_5D3C_9A71_0B4F & mask
        var text = [UInt8(ascii: "M")]
        for _ in 0..<10 {
            text.append(alphabet[Int(rest & 31)])
            rest >>= 5
        }
        return String(decoding: text, as: UTF8.self)
    }

    func account(_ index: Int) -> String { "player-\(100_000 + circle * 16 + Int64(index))" }

    func customer(_ index: Int) -> String {
        "70\(1_000_000_000_000 + (circle * 16 + Int64(index)) * 7919)"
    }

    func plainOrder(_ index: Int) -> String {
        "HB\(10_000_000_000 + circle * 64 + Int64(index))"
    }

    func claim(_ index: Int) -> String { "C-\(1_000_000 + circle * 256 + Int64(index))" }
}
