/// A world whose truth is known, because it was made up: customers, devices, Apple, a platform and
/// its delivery server, and everything that goes wrong between them.
///
/// It knows what happened and what reached the service; it knows no verdict. It is told in circles
/// of people (`life(of:)`), each a pure function of the configuration, and as a log in the order of
/// arrival (`WorldLog`), in memory that does not grow with the number of orders.
public struct World: Sendable {
    /// What it was made from.
    public let configuration: Configuration
    let plan: CirclePlan
    let outages: Outages

    /// The world of a configuration.
    public init(_ configuration: Configuration) {
        self.configuration = configuration
        plan = CirclePlan(configuration)
        outages = Outages(configuration)
    }

    /// How many circles of people there are.
    public var circleCount: Int { plan.count }

    /// When a circle begins to live; circles begin in the order of their numbers. Milliseconds
    /// since 1970 UTC.
    public func start(of circle: Int) -> Int64 { plan.start(of: circle) }

    /// All that happens in a circle, from 0 to `circleCount - 1`.
    public func life(of circle: Int) -> Life { LifeBuilder.life(of: circle, in: self) }

    /// The chain under which Apple signs JWS in this world.
    public var chain: MintedChain { MintedChain(seed: configuration.seed) }
}
