public import HTTPServer

/// All that a world's folder can be asked: the App Store Server API (`AppStoreServer`), the
/// delivery server (`DeliveryServer`), and `GET /livez`.
public struct WorldServer: Sendable {
    /// The key for tokens; also below `keys/` in the folder.
    public let key: ServerAPIKey
    private let router: Router

    /// Reads a world's folder, and writes the key for its API there.
    /// - Parameters:
    ///   - limitPercent: of Apple's rate limits; 0 is no limit.
    ///   - now: milliseconds since 1970 UTC.
    /// - Throws: `ServedWorldError` if it is no world's folder, `OutputError` if nothing can be
    ///   written.
    public init(
        folder: String, limitPercent: Int = 100, faults: ServeFaults = ServeFaults(),
        now: @escaping @Sendable () -> Int64
    ) throws {
        try self.init(
            ServedWorld(folder: folder), folder: folder, limitPercent: limitPercent,
            faults: faults, now: now)
    }

    init(
        _ world: ServedWorld, folder: String, limitPercent: Int, faults: ServeFaults,
        now: @escaping @Sendable () -> Int64
    ) throws {
        guard let key = ServerAPIKey(rootDER: world.chain.rootDER) else {
            throw ServedWorldError(description: "no key can be derived from trust/root.der")
        }
        try key.write(to: folder)
        var router = Router()
        router.on(.get, "/livez") { _, _ in
            HTTPResponse(contentType: "text/plain", body: Array("ok\n".utf8))
        }
        try AppStoreServer(
            world, folder: folder, key: key, limitPercent: limitPercent, faults: faults, now: now
        ).addRoutes(to: &router)
        try DeliveryServer(folder: folder, faults: faults, now: now).addRoutes(to: &router)
        self.key = key
        self.router = router
    }

    /// Answers a request; the handler for an `HTTPServer`.
    public func respond(to request: HTTPRequest) async throws -> HTTPResponse {
        try await router.respond(to: request)
    }
}
