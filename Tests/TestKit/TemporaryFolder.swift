import FoundationEssentials
import Glibc

/// A folder that is gone when nobody holds it any more.
public final class TemporaryFolder: Sendable {
    /// Its path.
    public let path: String

    /// Makes it.
    public init() throws {
        path = "/tmp/quittance-files-\(getpid())-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and tells its path.
    public func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = "\(path)/\(name)"
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    /// What stands in a file.
    public func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: "\(path)/\(name)")), as: UTF8.self)
    }

    /// Writes a file of lines and tells its path.
    public func file(_ name: String, lines: [[UInt8]]) throws -> String {
        try file(name, lines.flatMap { $0 + [UInt8(ascii: "\n")] })
    }
}
