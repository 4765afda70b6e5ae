public import PostgreSQL

/// Waits until the log may have grown: told by the database, and looking by itself where it is not.
public actor LogWatch {
    private let options: ConnectionOptions
    private let ledger: Ledger
    private var listener: Connection?

    /// - Parameter options: where the log's database is.
    public init(_ ledger: Ledger, options: ConnectionOptions) {
        self.ledger = ledger
        self.options = options
    }

    /// Returns when the log has grown, or else after the time. A server that is away, or a standby,
    /// which nobody can listen to, only costs the time.
    /// - Parameter timeoutMilliseconds: up to 3,600,000.
    /// - Throws: `CancellationError`.
    public func waitForGrowth(timeoutMilliseconds: Int) async throws {
        do {
            let listener = try await connection()
            _ = try await listener.perform {
                try $0.waitForNotification(timeoutMilliseconds: timeoutMilliseconds)
            }
        } catch is PostgreSQLError {
            await close()
            try await Task.sleep(for: .milliseconds(timeoutMilliseconds))
        }
    }

    private func connection() async throws -> Connection {
        if let listener { return listener }
        let connection = try await Connection.open(options)
        let channel = ledger.channel
        try await connection.perform { try $0.listen(channel) }
        listener = connection
        return connection
    }

    /// Closes its connection; it may be used again.
    public func close() async {
        await listener?.close()
        listener = nil
    }
}
