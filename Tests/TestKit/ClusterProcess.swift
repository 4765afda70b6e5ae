import Dispatch
import Glibc

/// A child process. The thread that starts it stays until it ends, because a child's
/// parent-death signal comes when that thread ends, not the process.
actor ClusterProcess {
    private var pid: pid_t = 0
    private var status: Int32?
    private var isLaunched = false
    private let command: [String]
    private let log: String

    init(_ command: [String], log: String) {
        self.command = command
        self.log = log
    }

    /// Its end's status: what it gave to `exit`, or 128 and the signal.
    func exitStatus() async throws -> Int32 {
        try await launch()
        while status == nil { try await Task.sleep(for: .milliseconds(10)) }
        return status ?? 0
    }

    var isRunning: Bool {
        get async {
            try? await launch()
            return status == nil && pid > 0
        }
    }

    /// Sends a signal and waits for the end.
    func end(_ signal: Int32) async throws {
        guard status == nil, pid > 0 else { return }
        kill(pid, signal)
        _ = try await exitStatus()
    }

    private func launch() async throws {
        if isLaunched { return }
        isLaunched = true
        pid = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "quittance.test.child").async { [command, log] in
                do {
                    let pid = try spawn(command, log: log)
                    continuation.resume(returning: pid)
                    let status = wait(for: pid)
                    Task { await self.ended(status) }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
        if status == nil { ClusterFolders.remember(pid: pid) }
    }

    private func ended(_ status: Int32) {
        self.status = status
        ClusterFolders.forget(pid: pid)
    }
}

private func wait(for pid: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
}

private func spawn(_ command: [String], log: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    // Or whoever waits for the test's output would wait for the server too.
    for file in 3..<Int32(256) { posix_spawn_file_actions_addclose(&actions, file) }
    let arguments = command.map { strdup($0) }
    defer { arguments.forEach { free($0) } }
    var pid: pid_t = 0
    guard posix_spawnp(&pid, command[0], &actions, nil, arguments + [nil], environ) == 0 else {
        throw ClusterError(message: "cannot start \(command[0])")
    }
    return pid
}

/// Who runs the server: PostgreSQL refuses to be run by root.
struct ServerUser {
    let identity: (user: uid_t, group: gid_t)?

    /// The user of this process, or for root the user `postgres`, or `nobody`.
    static var current: ServerUser {
        guard getuid() == 0, let entry = getpwnam("postgres") ?? getpwnam("nobody") else {
            return ServerUser(identity: nil)
        }
        return ServerUser(identity: (entry.pointee.pw_uid, entry.pointee.pw_gid))
    }

    /// The command line; SIGINT, a fast shutdown, comes when this process dies.
    func command(_ program: String, _ arguments: [String]) -> [String] {
        let change = identity.map {
            ["--reuid=\($0.user)", "--regid=\($0.group)", "--clear-groups"]
        }
        return ["setpriv", "--pdeathsig", "INT"] + (change ?? []) + [program] + arguments
    }
}
