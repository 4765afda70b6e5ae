import FoundationEssentials
import Testing

/// The repository's own files, as the tidy tests read them.
enum Repository {
    /// A text file and its lines.
    struct File: Sendable, CustomTestStringConvertible {
        /// Relative to the top folder.
        let path: String
        let lines: [String]

        var testDescription: String { path }
    }

    /// The top folder: this file stands two folders below it.
    static let top: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(3).joined(separator: "/")
    }()

    /// Swift files of `folder`, and of `Sources`, `Tests`, `tools` and the manifest when none is
    /// named.
    static func swiftFiles(in folder: String? = nil) throws -> [File] {
        if let folder { return try files(in: folder) { $0.hasSuffix(".swift") } }
        let manifest = try read("Package.swift")
        return try [manifest] + ["Sources", "Tests", "tools"].flatMap { try swiftFiles(in: $0) }
    }

    /// Every file that people wrote.
    static func allFiles() throws -> [File] {
        let top = try ["Package.swift", "README.md"].map(read)
        return try top
            + ["Sources", "Tests", "tools", "schema", "deploy", ".ci"].flatMap { folder in
                try files(in: folder) { _ in true }
            }
    }

    static func files(in folder: String, where isWanted: (String) -> Bool) throws -> [File] {
        let full = "\(top)/\(folder)"
        guard FileManager.default.fileExists(atPath: full) else { return [] }
        return try FileManager.default.subpathsOfDirectory(atPath: full).sorted().compactMap {
            path in
            var isFolder = false
            _ = FileManager.default.fileExists(atPath: "\(full)/\(path)", isDirectory: &isFolder)
            return isFolder || !isWanted(path) ? nil : try read("\(folder)/\(path)")
        }
    }

    static func read(_ path: String) throws -> File {
        let data = try Data(contentsOf: URL(filePath: "\(top)/\(path)"))
        let text = String(decoding: data, as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return File(path: path, lines: lines.last == "" ? lines.dropLast() : lines)
    }
}
