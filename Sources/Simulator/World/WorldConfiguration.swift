extension World {
    /// What a world is made from: the same configuration gives the same world on every machine.
    public struct Configuration: Sendable, Equatable {
        /// Chooses everything that is not said below.
        public var seed: UInt64
        /// How many orders the platform makes in all, from 0 to `ordersMax`.
        public var orders: Int
        /// How long people shop, in days; from 1 to `daysMax`.
        public var days: Int
        /// How often each thing goes wrong.
        public var faults: FaultProfile
        /// The apps in which they shop; at least one.
        public var apps: [App]
        /// The midnight at which it begins: milliseconds since 1970 UTC.
        public var start: Int64

        /// Most orders of one world: beyond it ids would no longer be unique.
        public static let ordersMax = 5_000_000
        /// Longest world, in days: the minted certificates are valid for longer.
        public static let daysMax = 3650
        /// 2026-03-01T00:00:00Z
        public static let defaultStart: Int64 = 1_772_323_200_000

        /// A world in which 30 days are told and everything goes wrong now and then.
        public init(
            seed: UInt64, orders: Int, days: Int = 30, faults: FaultProfile = .all,
            apps: [App] = App.all, start: Int64 = Configuration.defaultStart
        ) {
            self.seed = seed
            self.orders = orders
            self.days = days
            self.faults = faults
            self.apps = apps
            self.start = start
        }

        /// The instant at which the world is looked at: the end of its last day. Nothing that
        /// happens or arrives at or after it is told; every truth is a truth as of it.
        public var end: Int64 { start + Int64(days) * Span.day }
    }
}

/// Spans of time in milliseconds.
enum Span {
    static let second: Int64 = 1000
    static let minute: Int64 = 60_000
    static let hour: Int64 = 3_600_000
    static let day: Int64 = 24 * hour
}
