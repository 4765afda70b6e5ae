internal import Dispatch
internal import Glibc
internal import HTTPServer
internal import Simulator

/// `serve`: answers from a world's folder until it is told to stop.
struct ServeCommand {
    private let folder: String
    private let address: ServerAddress
    private let faults: ServeFaults
    private let limitPercent: Int

    static let usage = """
        usage: quittance-simulator serve --dir FOLDER [--port P | --socket PATH]
                   [--faults none|light|all|NAME,NAME…] [--seed N] [--limits PERCENT]

        Answers as Apple's App Store Server API and as the platform's delivery server, from the
        folder that run wrote, on 127.0.0.1 or a Unix socket, until SIGINT or SIGTERM. The address
        is printed on standard output. Tokens are signed with the key below keys/ in the folder;
        what clients write is kept below served/.

        --port P        the port (8090; 0 for any free one)
        --socket PATH   a Unix socket instead
        --faults P      what goes wrong: none, light (each in one of 200 requests), all (one in 25),
                        or names of faults, which then strike at every request (none)
        --seed N        chooses which requests the faults strike (1)
        --limits N      percent of Apple's rate limits in production: 10 is the sandbox, 0 is no
                        limit (100)

        \(names)
        """

    private static let names = ServeFault.allCases.map { fault in
        let name = fault.rawValue
        return "  " + name + String(repeating: " ", count: 22 - name.count) + fault.summary
    }.joined(separator: "\n")

    init(_ arguments: [String]) throws {
        let options = try Options(
            arguments, names: ["--dir", "--port", "--socket", "--faults", "--seed", "--limits"])
        guard let folder = options["--dir"] else {
            throw UsageError(description: "serve needs --dir FOLDER")
        }
        self.folder = folder
        guard options["--port"] == nil || options["--socket"] == nil else {
            throw UsageError(description: "--port and --socket exclude each other")
        }
        address =
            try options["--socket"].map { .unixSocket(path: $0) }
            ?? .loopback(port: options.number("--port", 8090))
        let name = options["--faults"] ?? "none"
        guard let faults = ServeFaults(named: name, seed: try options.number("--seed", 1)) else {
            throw UsageError(description: "--faults is none, light, all or names: \(name)")
        }
        self.faults = faults
        limitPercent = try options.number("--limits", 100)
        guard (0...1000).contains(limitPercent) else {
            throw UsageError(description: "--limits is from 0 to 1000")
        }
    }

    func run() async throws {
        // Before the address is known to anybody, so that no signal comes too early.
        let (stop, continuation) = AsyncStream<Void>.makeStream()
        let sources = stopSources(continuation)
        let world = try WorldServer(
            folder: folder, limitPercent: limitPercent, faults: faults, now: millisecondsNow)
        let server = try await HTTPServer.start(
            at: address, onFailure: { note("error: \($0)\n") },
            handler: { try await world.respond(to: $0) })
        print("\(server.address)")
        fflush(nil)
        for await _ in stop { break }
        await server.stop(graceMilliseconds: 2000)
        sources.forEach { $0.cancel() }
    }
}

/// Milliseconds since 1970 UTC.
private func millisecondsNow() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}

/// Yields once for each SIGINT and SIGTERM, as long as the sources are kept.
private func stopSources(_ continuation: AsyncStream<Void>.Continuation)
    -> [any DispatchSourceSignal]
{
    [SIGINT, SIGTERM].map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { continuation.yield() }
        source.activate()
        return source
    }
}

/// Writes a message on standard error.
private func note(_ message: String) {
    let bytes = Array(message.utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}
