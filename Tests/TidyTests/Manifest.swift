/// What `Package.swift` declares: each target with the targets it may import.
///
/// Read from its text, since SwiftPM, which runs these tests, holds the lock that a second
/// `swift package` would wait for.
struct Manifest {
    let dependencies: [String: Set<String>]

    init() throws {
        let text = try Repository.read("Package.swift").lines.joined(separator: "\n")
        let short = #/(?:room|tests)\(\s*"(?<name>\w+)"(?:,\s*uses:\s*\[(?<uses>[^\]]*)\])?/#
        let long = #/name:\s*"(?<name>[\w-]+)",\s*dependencies:\s*\[(?<uses>[^\]]*)\]/#
        var dependencies: [String: Set<String>] = [:]
        for match in text.matches(of: short) {
            dependencies[String(match.name)] = Self.names(match.uses ?? "")
        }
        for match in text.matches(of: long) {
            dependencies[String(match.name)] = Self.names(match.uses)
        }
        self.dependencies = dependencies
    }

    private static func names(_ list: Substring) -> Set<String> {
        Set(list.matches(of: #/"(\w+)"/#).map { String($0.1) })
    }

    /// The target that a file belongs to; `nil` for files of targets with paths of their own.
    func target(of path: String) -> String? {
        let parts = path.split(separator: "/")
        guard parts.count > 2, ["Sources", "Tests"].contains(parts[0]) else { return nil }
        return String(parts[1])
    }
}
