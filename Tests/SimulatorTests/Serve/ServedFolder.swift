import AppStore
import FoundationEssentials
import HTTPServer
import JSON

@testable import Simulator

/// A small world on disk, made once for all tests, and requests to it.
struct ServedFolder: Sendable {
    /// The instant of every request unless a test says otherwise: 2026-06-01T12:00:00Z.
    static let now: Int64 = 1_780_315_200_000

    /// Judges signatures long after the world's end.
    static func reader() throws -> EvidenceReader {
        EvidenceReader(
            anchors: try TrustAnchors.apple.adding(MintedChain(seed: seed).rootDER),
            now: { 1_893_456_000_000 })
    }

    /// A seed in whose world a customer has a history of two pages, and goods were refunded.
    private static let seed: UInt64 = 9
    let folder: String

    private static let made = Result { () throws -> ServedFolder in
        let folder = try TemporaryFolders.make()
        var configuration = World.Configuration(seed: seed, orders: 200)
        configuration.days = 300
        var files = try WorldFiles(World(configuration), folder: folder)
        try files.write()
        return ServedFolder(folder: folder)
    }

    private static let world = Result { try ServedWorld(folder: shared().folder) }

    /// The world that the tests share; they change nothing that another sees.
    static func shared() throws -> ServedFolder { try made.get() }

    func server(
        limitPercent: Int = 0, faults: String = "none",
        now: @escaping @Sendable () -> Int64 = { ServedFolder.now }
    ) throws -> WorldServer {
        let faults = ServeFaults(named: faults) ?? ServeFaults()
        return try WorldServer(
            Self.world.get(), folder: folder, limitPercent: limitPercent, faults: faults, now: now)
    }

    /// The lines of a file.
    func lines(_ name: String) throws -> [JSONValue] {
        let data = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
        return try data.split(separator: UInt8(ascii: "\n")).map {
            try JSONValue(parsing: Array($0))
        }
    }

    private static let payloads = Result {
        try shared().lines("history/transactions.ndjson").flatMap { line in
            (line.at("body", "signedTransactions")?.array ?? []).compactMap {
                $0.string.flatMap(JSONValue.init(payloadOf:))
            }
        }
    }

    /// Payloads of all transactions in the histories of the shared world.
    static func transactions() throws -> [JSONValue] { try payloads.get() }
}

/// An answer with its content read.
struct Served: Sendable {
    let response: HTTPResponse

    var status: Int { response.status }
    var json: JSONValue? { try? JSONValue(parsing: response.body) }
    var errorCode: Int64? { json?["errorCode"]?.int64 }

    /// The ids of a history's transactions.
    var transactionIds: [String] {
        (json?["signedTransactions"]?.array ?? []).compactMap {
            $0.string.flatMap(JSONValue.init(payloadOf:))?["transactionId"]?.string
        }
    }
}

extension WorldServer {
    /// Asks with a good token for an app, or with the one given.
    func ask(
        _ method: HTTPMethod, _ target: String, as bundle: String = "com.example.lantern",
        token: String? = nil, body: String = "", fields: HTTPFields = HTTPFields()
    ) async throws -> Served {
        var fields = fields
        let good = key.token(bundleId: bundle, issuedAt: ServedFolder.now / 1000)
        fields.append("Authorization", token ?? "Bearer \(good)")
        let request = try HTTPRequest(method, target, fields: fields, body: Array(body.utf8))
        do {
            return Served(response: try await respond(to: request))
        } catch let problem as Problem {
            return Served(response: problem.response)
        }
    }
}
