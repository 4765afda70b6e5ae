internal import EventLog
internal import Glibc
internal import PostgreSQL

/// Load for `tools/bench` and `tools/crash-test`.
@main
enum BenchLoad {
    static let usage = """
        usage: bench-load lines COUNT [FIRST]
               bench-load append CONNECTIONS SECONDS
               bench-load acknowledge TASKS NAME SEED FILE

          lines        prints COUNT events as NDJSON, about 960 bytes each, without evidence
          append       appends one event a call from so many tasks; prints events per second, the
                       median and the 99th percentile of the calls in milliseconds
          acknowledge  appends until it is ended, and adds a line (id, position) to FILE for each
                       event once it is acknowledged; sends some again, and fails if it is told
                       anything else than before

        The database is that of the PG* variables, the schema QUITTANCE_SCHEMA or quittance.
        """

    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            switch (words.first, words.count) {
            case ("lines", 2...3): try printLines(words)
            case ("append", 3): try await append(words)
            case ("acknowledge", 5): try await acknowledge(words)
            case ("--help", 1): print(usage)
            default: throw LoadError(message: usage)
            }
        } catch {
            Output.write(Array("bench-load: \(error)\n".utf8), to: STDERR_FILENO)
            exit(1)
        }
    }

    private static func number(_ text: String) throws -> Int {
        guard let number = Int(text), number >= 0 else {
            throw LoadError(message: "\(text) is no number")
        }
        return number
    }

    private static func printLines(_ words: [String]) throws {
        let count = try number(words[1])
        let first = words.count > 2 ? try number(words[2]) : 0
        var text: [UInt8] = []
        for id in first..<first + count {
            text += LoadEvent.text(id: "line-\(id)") + [UInt8(ascii: "\n")]
            if text.count < 1 << 20, id < first + count - 1 { continue }
            guard Output.write(text, to: STDOUT_FILENO) else {
                throw LoadError(message: "standard output cannot be written")
            }
            text.removeAll(keepingCapacity: true)
        }
    }

    private static func append(_ words: [String]) async throws {
        let run = try AppendRun(connections: number(words[1]), seconds: number(words[2]))
        print(try await run.measure(log: open()))
    }

    private static func acknowledge(_ words: [String]) async throws {
        let load = try AcknowledgedLoad(
            name: words[2], seed: UInt64(number(words[3])), path: words[4])
        try await load.run(tasks: number(words[1]), log: openPatiently())
    }

    /// Opens the log, however often the server goes away meanwhile.
    private static func openPatiently() async throws -> EventLog {
        for _ in 0..<600 {
            do {
                return try await open()
            } catch let error as PostgreSQLError where error.isTransient || error.isUnavailable {
                try await Task.sleep(for: .milliseconds(200))
            }
        }
        return try await open()
    }

    private static func open() async throws -> EventLog {
        let name = getenv("QUITTANCE_SCHEMA").map { String(cString: $0) }
        let ledger = try Ledger(name ?? Ledger.standardName)
        var options = try ConnectionOptions(applicationName: "bench-load")
        options.role = ledger.writerRole
        return try await EventLog.open(options, ledger: ledger)
    }
}

/// Why the load could not be made.
struct LoadError: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}

/// Writes all of the bytes, or tells that it cannot.
enum Output {
    @discardableResult
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno != EINTR { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }
}
