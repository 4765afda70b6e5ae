/// How the orders of a world are shared out among its circles, and when each circle begins to shop:
/// known for any circle without looking at the others.
struct CirclePlan: Sendable {
    /// Of each block of circles, how many orders each makes; the order is the block's own.
    private static let block: [Int] = [
        (20, 1), (16, 2), (10, 3), (6, 4), (4, 5), (3, 6), (2, 8), (2, 10), (1, 12),
    ].flatMap { Array(repeating: $0.1, count: $0.0) }
    private static let blockOrders = block.reduce(0, +)
    /// Most orders of one circle.
    static let ordersMax = 12

    private let seed: UInt64
    private let orders: Int
    private let start: Int64
    private let end: Int64
    /// How many circles there are.
    let count: Int

    init(_ configuration: World.Configuration) {
        seed = configuration.seed
        orders = max(0, configuration.orders)
        start = configuration.start
        end = configuration.end
        let blocks = orders / Self.blockOrders
        var rest = orders % Self.blockOrders
        var circles = 0
        for size in Self.sizes(ofBlock: blocks, seed: seed) where rest > 0 {
            circles += 1
            rest -= size
        }
        count = blocks * Self.block.count + circles
    }

    /// How many orders a circle makes.
    func orders(of circle: Int) -> Int {
        let (block, place) = circle.quotientAndRemainder(dividingBy: Self.block.count)
        let sizes = Self.sizes(ofBlock: block, seed: seed)
        let before = block * Self.blockOrders + sizes[..<place].reduce(0, +)
        return min(sizes[place], orders - before)
    }

    /// When a circle begins; never before its predecessor. Of a hundred circles five begin in the
    /// last three hours, so that a world has fresh orders when it is looked at.
    func start(of circle: Int) -> Int64 {
        let rushed = count / 20
        let calm = count - rushed
        let rush = min(3 * Span.hour, (end - start) / 8)
        let isRush = circle >= calm
        let (place, places) = isRush ? (circle - calm, rushed) : (circle, calm)
        let (from, length) = isRush ? (end - rush, rush) : (start, end - start - rush)
        let beginning = length * Int64(place) / Int64(places)
        let next = length * Int64(place + 1) / Int64(places)
        var random = WorldRandom(seed: seed, purpose: 2, number: circle)
        return from + beginning + (next > beginning ? random.below(next - beginning) : 0)
    }

    private static func sizes(ofBlock block: Int, seed: UInt64) -> [Int] {
        var sizes = Self.block
        var random = WorldRandom(seed: seed, purpose: 1, number: block)
        for place in sizes.indices.dropFirst() {
            sizes.swapAt(place, Int(random.below(Int64(place + 1))))
        }
        return sizes
    }
}

/// The hours during which the service's door was shut; at most one a day.
struct Outages: Sendable {
    private let seed: UInt64
    private let start: Int64
    private let rate: Int

    init(_ configuration: World.Configuration) {
        seed = configuration.seed
        start = configuration.start
        rate = configuration.faults[.serverDown]
    }

    /// When the door opens again, if it is shut at `instant`.
    func end(at instant: Int64) -> Int64? {
        guard rate > 0, instant >= start else { return nil }
        let day = (instant - start) / Span.day
        var random = WorldRandom(seed: seed, purpose: 3, number: Int(day))
        guard random.chance(rate) else { return nil }
        let beginning = start + day * Span.day + random.below(23 * Span.hour)
        let end = beginning + Span.hour
        return (beginning..<end).contains(instant) ? end : nil
    }
}
