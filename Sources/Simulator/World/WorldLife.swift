extension World {
    /// All that happens in one circle of people: those who share a family, a phone or a proof.
    ///
    /// Circles have nothing to do with each other, so a life is a pure function of the world's
    /// configuration and the circle's number, and can be had at any time without any other. Every
    /// instant in it lies before the world's `end`.
    public struct Life: Sendable {
        /// The circle's number, from 0.
        public let circle: Int
        /// The app in which its people play.
        public let app: App
        /// What Apple knows of them.
        public internal(set) var appleAccounts: [AppleAccount] = []
        /// What the platform knows of them.
        public internal(set) var accounts: [Account] = []
        /// Their phones.
        public internal(set) var devices: [Device] = []
        /// The app on their phones.
        public internal(set) var installations: [Installation] = []
        /// In order of creation within each person's story.
        public internal(set) var orders: [Order] = []
        /// In the order in which they were thought of; ids are unique.
        public internal(set) var transactions: [Transaction] = []
        /// What Apple wanted to tell.
        public internal(set) var notifications: [Notification] = []
        /// What the delivery server did.
        public internal(set) var deliveries: [Delivery] = []
        /// What support was told.
        public internal(set) var claims: [Claim] = []
        /// What reached the service, ordered by `receivedAt`, then as it was thought of.
        public internal(set) var arrivals: [Arrival] = []
        /// What went wrong.
        public internal(set) var traces: [FaultTrace] = []

        init(circle: Int, app: App) {
            self.circle = circle
            self.app = app
        }
    }
}
