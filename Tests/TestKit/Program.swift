import Glibc

/// Programs of the system and of `tools/`, as a user runs them.
public enum Program {
    /// The top folder of the repository.
    public static let repository = #filePath.split(separator: "/").dropLast(3)
        .reduce("") { "\($0)/\($1)" }

    /// Whether the `PATH` has it.
    public static func exists(_ name: String) -> Bool {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        return path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    /// Runs a line of the shell; gives its exit status and all it printed.
    public static func shell(_ line: String) async throws -> (status: Int32, output: String) {
        let folder = try TemporaryFolder()
        let log = "\(folder.path)/output"
        let status = try await ClusterProcess(["sh", "-c", line], log: log).exitStatus()
        return (status, try folder.text("output"))
    }
}
