import Foundation

/// One of the package's programs, run as people run it.
struct Program {
    /// What a run left.
    struct Output {
        let status: Int32
        let out: [UInt8]
        let errors: String

        var text: String { String(decoding: out, as: UTF8.self) }
        var lines: [[UInt8]] { out.split(separator: UInt8(ascii: "\n")).map(Array.init) }
    }

    let name: String
    /// Added to the environment of the tests, less what libpq reads from it.
    var environment: [String: String] = [:]

    /// Runs it to its end.
    func run(_ arguments: String..., input: [UInt8] = []) throws -> Output {
        try run(arguments, input: input)
    }

    /// Runs it to its end. Its outputs go through files, so that no full pipe can stop it.
    func run(_ arguments: [String], input: [UInt8] = []) throws -> Output {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["in", "out", "errors"].map { folder.appending(path: $0) }
        for file in files { try Data(file == files[0] ? input : []).write(to: file) }

        let process = Process()
        process.executableURL = Self.folder.appending(path: name)
        process.arguments = arguments
        let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("PG") }
        process.environment = inherited.merging(environment) { $1 }
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        try process.run()
        process.waitUntilExit()
        return Output(
            status: process.terminationStatus, out: Array(try Data(contentsOf: files[1])),
            errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
    }

    /// SwiftPM puts programs beside the bundle of tests that runs.
    private static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()
}
