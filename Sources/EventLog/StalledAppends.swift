internal import PostgreSQL

/// Ends the session of an appender that was stopped (SIGSTOP, a frozen machine) in the middle of a
/// COPY while it holds the head of the log. Its transaction is not idle, so the server's own limit
/// (`log-lock.sql`) does not end it, and everybody else would wait for as long as it sleeps.
///
/// Whoever waits for the head looks: a COPY of the same user's that waits for its client and has
/// not moved between two looks is stopped. Should it wake up, its append is lost as with any broken
/// connection, and sent again. (One that stops while the server sends it what the log holds of its
/// duplicates is not seen; the server notices when the connection breaks.)
struct StalledAppends {
    /// A COPY, and how far it has come.
    private struct Copying: Hashable {
        let process: Int32
        let begun: String
        let bytes: Int64
    }

    /// How long an append may take before somebody looks, and how long between two looks.
    private static let pause = Duration.milliseconds(2_500)

    private let options: ConnectionOptions

    init(_ options: ConnectionOptions) {
        var options = options
        // To end a session takes its user's own right, not that of a role it has taken on.
        options.role = nil
        self.options = options
    }

    /// Runs `body`, and looks from time to time for as long as it takes.
    func watch<R: Sendable>(_ body: () async throws -> R) async throws -> R {
        let watcher = Task { try await look() }
        defer { watcher.cancel() }
        return try await body()
    }

    private func look() async throws {
        var before: Set<Copying> = []
        while true {
            try await Task.sleep(for: Self.pause)
            // Where nobody can connect, there is nothing to be ended either.
            before = (try? await end(before)) ?? []
        }
    }

    /// Ends what has not moved since the look before.
    /// - Returns: how far the others are.
    private func end(_ before: Set<Copying>) async throws -> Set<Copying> {
        let connection = try await Connection.open(options)
        defer { Task { await connection.close() } }
        return try await connection.perform { connection in
            var moving: Set<Copying> = []
            for row in try connection.query(.logStalledCopies, []) {
                let copying = Copying(
                    process: try row.value("pid"), begun: try row.value("begun"),
                    bytes: try row.value("bytes_processed"))
                if before.contains(copying) {
                    _ = try connection.query(
                        .logEndStalledCopy, [.int32(copying.process), .text(copying.begun)])
                } else {
                    moving.insert(copying)
                }
            }
            return moving
        }
    }
}
