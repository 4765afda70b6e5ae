import FoundationEssentials
import Glibc
public import PostgreSQL

/// A throwaway PostgreSQL server of the test process: its own folder, reached by a socket only,
/// gone when the process ends. It starts when it is first asked for.
public actor Cluster {
    /// For most tests: fsync is off.
    public static let shared = Cluster()
    /// As a server in production keeps its promises: fsync is on.
    public static let durable = Cluster(isDurable: true)

    private let isDurable: Bool
    private let settings: [String: String]
    private let folder: String
    private var starting: Task<Void, any Error>?
    private var server: ClusterProcess?
    private var databaseCount = 0
    private var keeper: Connection?

    /// A server of its own, for tests that stop it. `settings` are those of `postgresql.conf`.
    public init(isDurable: Bool = false, settings: [String: String] = [:]) {
        self.isDurable = isDurable
        self.settings = settings
        folder = ClusterFolders.newPath()
    }

    /// A fresh, empty database.
    public func database() async throws -> ConnectionOptions {
        try options(database: try await newDatabase())
    }

    /// A fresh, empty database, as the environment in which programs of libpq find it.
    public func databaseEnvironment() async throws -> [String: String] {
        let name = try await newDatabase()
        return [
            "PGHOST": folder, "PGPORT": "5432", "PGUSER": "postgres", "PGDATABASE": name,
            "PGCONNECT_TIMEOUT": Self.connectSeconds,
        ]
    }

    /// Hundreds of tests connect at once, on machines that may be slow.
    private static let connectSeconds = "120"

    /// Makes a database and tells its name.
    private func newDatabase() async throws -> String {
        try await start()
        databaseCount += 1
        let name = "test_\(databaseCount)"
        let keeper = try await maintenanceConnection()
        try await keeper.perform { try $0.run("create database \(name)") }
        return name
    }

    /// How the superuser reaches a database; the server need not run.
    public func options(database: String = "postgres") throws -> ConnectionOptions {
        try ConnectionOptions(
            keywords: [
                "host": folder, "port": "5432", "user": "postgres", "dbname": database,
                "connect_timeout": Self.connectSeconds,
            ],
            applicationName: "test")
    }

    /// Starts the server, unless it runs, and waits until it answers.
    public func start() async throws {
        let task = starting ?? Task { try await self.launch() }
        starting = task
        do {
            try await task.value
        } catch {
            starting = nil
            throw error
        }
    }

    /// Stops the server as a power cut would, and waits until it is gone.
    public func stopImmediately() async throws {
        await keeper?.close()
        keeper = nil
        starting = nil
        guard let server else { return }
        self.server = nil
        try await server.end(SIGQUIT)
    }

    /// Stops the server and removes all it wrote.
    public func remove() async throws {
        try await stopImmediately()
        ClusterFolders.remove(folder)
    }
}

extension Cluster {
    private var data: String { folder + "/data" }

    private func maintenanceConnection() async throws -> Connection {
        if let keeper, await keeper.isUsable { return keeper }
        let connection = try await Connection.open(options())
        keeper = connection
        return connection
    }

    private func launch() async throws {
        let user = ServerUser.current
        if access(data, F_OK) != 0 {
            try ClusterFolders.create(folder, owner: user)
            let initdb = ClusterProcess(
                user.command(
                    try Self.binary("initdb"),
                    ["-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-locale"]
                        + ["--no-sync"]),
                log: folder + "/initdb.log")
            guard try await initdb.exitStatus() == 0 else {
                throw ClusterError(message: "initdb failed; see \(folder)/initdb.log")
            }
        }
        let server = ClusterProcess(
            user.command(try Self.binary("postgres"), ["-D", data] + arguments),
            log: folder + "/server.log")
        self.server = server
        try await waitUntilReady(server)
    }

    private var arguments: [String] {
        let own = [
            "listen_addresses": "", "unix_socket_directories": folder, "max_connections": "500",
            "fsync": isDurable ? "on" : "off", "full_page_writes": isDurable ? "on" : "off",
            "deadlock_timeout": "100ms", "shared_buffers": "64MB", "lc_messages": "C",
        ]
        return own.merging(settings) { $1 }.sorted { $0.key < $1.key }
            .flatMap { ["-c", "\($0.key)=\($0.value)"] }
    }

    private func waitUntilReady(_ server: ClusterProcess) async throws {
        for _ in 0..<600 {
            guard await server.isRunning else { break }
            if let connection = try? await Connection.open(options()) {
                await connection.close()
                return
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw ClusterError(message: "PostgreSQL did not start; see \(folder)/server.log")
    }

    /// Where Debian puts the server's programs, the newest version first, or the `PATH`.
    private static func binary(_ name: String) throws -> String {
        let root = "/usr/lib/postgresql"
        let versions = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? [])
            .compactMap(Int.init).sorted(by: >).map { "\(root)/\($0)/bin" }
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let folders = versions + path.split(separator: ":").map(String.init)
        guard let folder = folders.first(where: { access("\($0)/\(name)", X_OK) == 0 }) else {
            throw ClusterError(message: "no \(name) on this machine; install PostgreSQL's server")
        }
        return "\(folder)/\(name)"
    }
}

/// Why a cluster did not start.
public struct ClusterError: Error, CustomStringConvertible {
    let message: String

    /// One line.
    public var description: String { message }
}
