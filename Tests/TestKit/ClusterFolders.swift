import FoundationEssentials
import Glibc
import Synchronization

/// The folders and servers of this process, which its end removes.
enum ClusterFolders {
    private struct State {
        var count = 0
        var folders: Set<String> = []
        var servers: Set<pid_t> = []
    }

    private static let state = Mutex(State())
    private static let prefix = "quittance-test-"

    /// A folder of its own, short enough for a socket's path (107 bytes).
    static func newPath() -> String {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        return "/tmp/\(prefix)\(getpid())-\(number)"
    }

    static func create(_ folder: String, owner: ServerUser) throws {
        removeLeftOver()
        guard mkdir(folder, 0o700) == 0 else {
            throw ClusterError(message: "cannot make the folder \(folder)")
        }
        if let identity = owner.identity { chown(folder, identity.user, identity.group) }
        let isFirst = state.withLock { state in
            defer { state.folders.insert(folder) }
            return state.folders.isEmpty
        }
        if isFirst { atexit(removeAll) }
    }

    static func remove(_ folder: String) {
        try? FileManager.default.removeItem(atPath: folder)
        state.withLock { _ = $0.folders.remove(folder) }
    }

    static func remember(pid: pid_t) { state.withLock { _ = $0.servers.insert(pid) } }

    static func forget(pid: pid_t) { state.withLock { _ = $0.servers.remove(pid) } }

    /// Ends every server and removes every folder.
    static func end() {
        let (servers, folders) = state.withLock { ($0.servers, $0.folders) }
        for server in servers { kill(server, SIGQUIT) }
        for _ in 0..<300 where servers.contains(where: { kill($0, 0) == 0 }) { usleep(10_000) }
        for folder in folders { try? FileManager.default.removeItem(atPath: folder) }
    }

    /// What a test process left that was killed.
    private static func removeLeftOver() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/tmp")) ?? []
        for name in names where name.hasPrefix(prefix) {
            let pid = name.dropFirst(prefix.count).prefix { $0 != "-" }
            guard let pid = pid_t(pid), kill(pid, 0) != 0, errno == ESRCH else { continue }
            try? FileManager.default.removeItem(atPath: "/tmp/\(name)")
        }
    }
}

private func removeAll() { ClusterFolders.end() }
