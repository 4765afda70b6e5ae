import Cryptography
import FoundationEssentials
import JSON
import Simulator

/// A small world and what is in it.
struct Told {
    let world: World
    let lives: [World.Life]

    init(
        seed: UInt64 = 1, orders: Int = 150, days: Int = 14,
        faults: World.FaultProfile = .none, apps: [World.App] = World.App.all
    ) {
        world = World(
            World.Configuration(seed: seed, orders: orders, days: days, faults: faults, apps: apps))
        let world = world
        lives = (0..<world.circleCount).map { world.life(of: $0) }
    }

    /// All that arrived, each with the life it belongs to, life by life.
    var arrivals: [(arrival: World.Arrival, life: World.Life)] {
        lives.flatMap { life in life.arrivals.map { ($0, life) } }
    }

    /// All that clients said.
    var reports: [(arrival: World.Arrival, report: World.DeviceReport, life: World.Life)] {
        arrivals.compactMap { arrival, life in
            guard case .device(let report) = arrival.content else { return nil }
            return (arrival, report, life)
        }
    }
}

/// A folder that is gone when it is no longer needed.
final class ScratchFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path(percentEncoded: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The files below, by their path, in order.
    func files() throws -> [(path: String, bytes: [UInt8])] {
        try FileManager.default.subpathsOfDirectory(atPath: path).sorted().compactMap { name in
            var isFolder = false
            _ = FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder)
            return isFolder ? nil : (name, try bytes(of: name))
        }
    }

    func bytes(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: "\(path)/\(name)")))
    }

    /// The lines of a file, without their ends.
    func lines(of name: String) throws -> [[UInt8]] {
        try bytes(of: name).split(separator: UInt8(ascii: "\n")).map(Array.init)
    }

    func values(of name: String) throws -> [JSONValue] {
        try lines(of: name).map { try JSONValue(parsing: $0) }
    }

    /// SHA-256 over names and contents.
    func digest() throws -> [UInt8] {
        var hash = SHA256()
        for file in try files() {
            hash.update(Array(file.path.utf8))
            hash.update(SHA256.hash(file.bytes))
        }
        return hash.digest()
    }

    /// Writes a world's files here.
    func write(_ configuration: World.Configuration) throws {
        var files = try WorldFiles(World(configuration), folder: path)
        try files.write()
    }
}
