import Foundation
import Glibc
import Testing

/// One of the package's programs, run as people run it.
struct Program {
    /// What a run left.
    struct Output {
        /// What it gave to `exit`, or 128 and the signal that ended it.
        let status: Int32
        let out: [UInt8]
        let errors: String

        var text: String { String(decoding: out, as: UTF8.self) }
        var lines: [[UInt8]] { out.split(separator: UInt8(ascii: "\n")).map(Array.init) }
        var errorLines: [Substring] { errors.split(separator: "\n") }
    }

    let name: String
    /// Added to the environment of the tests, less what libpq and quittance read from it.
    var environment: [String: String] = [:]

    /// Runs it to its end.
    func run(_ arguments: String..., input: [UInt8] = []) throws -> Output {
        try run(arguments, input: input)
    }

    /// Runs it to its end.
    func run(_ arguments: [String], input: [UInt8] = []) throws -> Output {
        try start(arguments, input: input).wait()
    }

    /// Starts it.
    func start(_ arguments: String...) throws -> Running { try start(arguments) }

    /// Starts it. Its outputs go through files, so that no full pipe can stop it.
    /// - Parameter output: where its standard output goes instead.
    func start(_ arguments: [String], input: [UInt8] = [], output: FileHandle? = nil) throws
        -> Running
    {
        try Running(process(arguments), environment: variables, input: input, output: output)
    }

    /// Starts it with an input that it reads as far as it comes and that ends with `endInput()`
    /// only: whatever reads to the end runs until then, however slow or fast the machine is.
    /// - Parameter openInput: at most ``Running/openInputMax`` bytes.
    func start(_ arguments: String..., openInput: [UInt8]) throws -> Running {
        let running = try Running(
            process(arguments), environment: variables, input: nil, output: nil)
        try running.fillInput(openInput)
        return running
    }

    private func process(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = Self.folder.appending(path: name)
        process.arguments = arguments
        return process
    }

    /// Runs a line of the shell, in which `$program` is this one.
    func runInShell(_ line: String) throws -> Output {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", line]
        var environment = variables
        environment["program"] = Self.folder.appending(path: name).path(percentEncoded: false)
        return try Running(process, environment: environment, input: [], output: nil).wait()
    }

    private var variables: [String: String] {
        let inherited = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("PG") && !$0.key.hasPrefix("QUITTANCE_")
        }
        return inherited.merging(environment) { $1 }
    }

    /// SwiftPM puts programs beside the bundle of tests that runs.
    private static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()
}

/// A program that runs.
final class Running {
    private let process: Process
    private let folder: URL
    private let pipe = Pipe()

    /// What a pipe holds at most for users who are not root: Linux, pipe(7), pipe-max-size.
    static let openInputMax = 1 << 20

    /// - Parameters:
    ///   - input: what it reads; nil for a pipe.
    ///   - output: where its standard output goes instead of a file.
    init(
        _ process: Process, environment: [String: String], input: [UInt8]?, output: FileHandle?
    ) throws {
        self.process = process
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["in", "out", "errors"] {
            let content = name == "in" ? input ?? [] : []
            try Data(content).write(to: folder.appending(path: name))
        }
        process.environment = environment
        if input == nil {
            process.standardInput = pipe
        } else {
            process.standardInput = try FileHandle(forReadingFrom: folder.appending(path: "in"))
        }
        process.standardOutput =
            try output ?? FileHandle(forWritingTo: folder.appending(path: "out"))
        process.standardError = try FileHandle(forWritingTo: folder.appending(path: "errors"))
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    var isRunning: Bool { process.isRunning }

    /// Sends a signal.
    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Puts all of it into the pipe at once.
    fileprivate func fillInput(_ bytes: [UInt8]) throws {
        try #require(bytes.count <= Self.openInputMax)
        let writing = pipe.fileHandleForWriting
        // 1031 is F_SETPIPE_SZ, a macro that Swift does not see.
        try #require(fcntl(writing.fileDescriptor, 1031, Int32(Self.openInputMax)) >= bytes.count)
        try writing.write(contentsOf: bytes)
    }

    /// Lets its input end.
    /// - Parameter last: what comes at the end, at most what the pipe still holds.
    func endInput(_ last: [UInt8]) throws {
        try pipe.fileHandleForWriting.write(contentsOf: last)
        try pipe.fileHandleForWriting.close()
    }

    /// Waits for its end.
    func wait() throws -> Program.Output {
        process.waitUntilExit()
        let signal = process.terminationReason == .uncaughtSignal ? Int32(128) : 0
        return Program.Output(
            status: signal + process.terminationStatus,
            out: Array(try Data(contentsOf: folder.appending(path: "out"))),
            errors: String(
                decoding: try Data(contentsOf: folder.appending(path: "errors")), as: UTF8.self))
    }
}
