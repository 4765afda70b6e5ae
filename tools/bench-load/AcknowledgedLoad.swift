internal import EventLog
internal import Glibc

/// Appends until it is ended, and keeps a record of what was acknowledged: a line is in the file
/// before the next event of its task is sent, and outlives the process.
struct AcknowledgedLoad {
    private let name: String
    private let seed: UInt64
    private let descriptor: Int32

    init(name: String, seed: UInt64, path: String) throws {
        self.name = name
        self.seed = seed
        descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw LoadError(message: "\(path) cannot be written") }
    }

    func run(tasks: Int, log: EventLog) async throws {
        var limits = Appender.Limits()
        limits.patience = .seconds(120)
        let appender = Appender(log, limits: limits)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                group.addTask { try await append(as: "\(name)/\(task)", to: appender) }
            }
            try await group.waitForAll()
        }
    }

    private func append(as name: String, to appender: Appender) async throws {
        var random = SystemRandomNumberGenerator()
        var known: [(id: String, position: Int64)] = []
        for round in 0... {
            let count = Int.random(in: 1...8, using: &random)
            let ids = (0..<count).map { "\(name)/\(seed)/\(round)/\($0)" }
            // Now and then an event that was acknowledged is sent again.
            let again = Int.random(in: 0..<4, using: &random) == 0 ? known.randomElement() : nil
            let events = (ids + (again.map { [$0.id] } ?? [])).map(LoadEvent.event)
            let outcomes = try await appender.append(events)
            if let again, outcomes.last != .duplicate(again.position) {
                throw LoadError(message: "\(again.id) was told \(again.position) before")
            }
            let stored = try zip(ids, outcomes).map { id, outcome in
                guard case .appended(let position) = outcome else {
                    throw LoadError(message: "\(id) is new, and was told \(outcome)")
                }
                return (id: id, position: position)
            }
            try write(stored)
            known = Array((known + stored).suffix(100))
        }
    }

    private func write(_ stored: [(id: String, position: Int64)]) throws {
        let lines = Array(stored.map { "\($0.id)\t\($0.position)\n" }.joined().utf8)
        // One call, so that the lines of several programs do not mix.
        guard Glibc.write(descriptor, lines, lines.count) == lines.count else {
            throw LoadError(message: "the record cannot be written")
        }
    }
}
