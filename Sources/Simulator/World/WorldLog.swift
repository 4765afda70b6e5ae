/// What reached the service, in the order of arrival, stretch by stretch.
///
/// A life is made anew for each stretch in which something of it arrives, so what is kept between
/// stretches is a number for each circle that is under way; memory does not grow with the number of
/// orders. Of one instant, arrivals are ordered by circle, then as in `Life.arrivals`.
public struct WorldLog: Sendable {
    /// Circles that begin in one stretch.
    private static let circlesPerStretch = 500

    /// What arrived in a stretch of time.
    public struct Stretch: Sendable {
        /// The lives of which something arrived, by circle.
        public fileprivate(set) var lives: [World.Life]
        /// How many of them, at the end of `lives`, begin in this stretch: over all stretches each
        /// circle once, by number.
        public fileprivate(set) var newCount: Int
        /// What arrived, in order.
        public fileprivate(set) var entries: [Entry]

        /// The lives that begin in this stretch.
        public var newLives: ArraySlice<World.Life> { lives.suffix(newCount) }

        /// The arrival of an entry, and the life it belongs to.
        public subscript(entry: Entry) -> (arrival: World.Arrival, life: World.Life) {
            let life = lives[entry.life]
            return (life.arrivals[entry.arrival], life)
        }
    }

    /// One arrival: where it stands in the stretch.
    public struct Entry: Sendable {
        /// Index into `Stretch.lives`.
        public let life: Int
        /// Index into the life's `arrivals`.
        public let arrival: Int
    }

    private let world: World
    /// When each stretch begins; the first takes all that is earlier too.
    private let beginnings: [Int64]
    /// The circles of which something arrives in a stretch yet to come, by stretch.
    private var waiting: [[Int32]]
    private var next = 0

    /// The log of a world, from its beginning.
    public init(_ world: World) {
        self.world = world
        beginnings = stride(from: 0, to: world.circleCount, by: Self.circlesPerStretch).map {
            world.start(of: $0)
        }
        waiting = Array(repeating: [], count: beginnings.count)
    }

    /// The next stretch; `nil` when the world has ended.
    public mutating func nextStretch() -> Stretch? {
        guard next < beginnings.count else { return nil }
        let first = next * Self.circlesPerStretch
        let born = first..<min(first + Self.circlesPerStretch, world.circleCount)
        let circles = waiting[next].map(Int.init).sorted() + born
        waiting[next] = []
        let world = world
        let lives = concurrentMap(count: circles.count) { world.life(of: circles[$0]) }
        let from = next == 0 ? Int64.min : beginnings[next]
        let until = next + 1 < beginnings.count ? beginnings[next + 1] : Int64.max
        var entries: [Entry] = []
        for (place, life) in lives.enumerated() {
            // The arrivals of a life are in order, so those of the stretch stand together.
            let start = life.firstArrival(from: from)
            let stop = life.firstArrival(from: until)
            entries += (start..<stop).map { Entry(life: place, arrival: $0) }
            if stop < life.arrivals.count {
                waiting[stretch(of: life.arrivals[stop].receivedAt)].append(Int32(life.circle))
            }
        }
        next += 1
        let instants = entries.map { lives[$0.life].arrivals[$0.arrival].receivedAt }
        let order = entries.indices.sorted { (instants[$0], $0) < (instants[$1], $1) }
        return Stretch(
            lives: lives, newCount: born.count, entries: order.map { entries[$0] })
    }

    /// The stretch that an instant lies in.
    private func stretch(of instant: Int64) -> Int {
        var (low, high) = (0, beginnings.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if beginnings[middle] <= instant { low = middle } else { high = middle }
        }
        return low
    }
}

extension World.Life {
    /// The index of the first arrival at or after an instant.
    fileprivate func firstArrival(from instant: Int64) -> Int {
        var (low, high) = (0, arrivals.count)
        while low < high {
            let middle = (low + high) / 2
            if arrivals[middle].receivedAt < instant { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
