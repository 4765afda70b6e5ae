@testable import EventLog
import Glibc
import PostgreSQL
import Synchronization
import TestKit
import Testing

@Suite("Appending for many at once")
struct AppenderTests {
    @Test("what waits while one group is committed forms the next")
    func groups() async throws {
        let fresh = try await FreshLog.make()
        let appender = Appender(fresh.log)
        let positions = try await withThrowingTaskGroup(of: Int64?.self) { group in
            for number in 0..<500 {
                group.addTask {
                    let outcomes = try await appender.append([newEvent(id: "\(number)")])
                    guard case .appended(let position)? = outcomes.first else { return nil }
                    return position
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(positions) == Set(1...500))
        let statistics = await appender.statistics
        #expect(statistics.events == 500)
        #expect((1...100).contains(statistics.groups))
        #expect(statistics.retries == 0 && statistics.refused == 0)
        #expect(try await LogVerifier(of: fresh.log).verify().findings == [])
    }

    @Test("each caller is told of its own events, duplicates and conflicts included")
    func outcomes() async throws {
        let fresh = try await FreshLog.make()
        let appender = Appender(fresh.log)
        _ = try await appender.append([newEvent(id: "first")])
        let conflict = newEvent(id: "first", data: "2")
        // All are handed over while the first group is on its way.
        let outcomes = try await withThrowingTaskGroup(of: (Int, [AppendOutcome]).self) { group in
            for number in 0..<60 {
                group.addTask {
                    let events = [newEvent(id: "\(number)"), newEvent(id: "first"), conflict]
                    return (number, try await appender.append(events))
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for (number, outcome) in outcomes {
            #expect(outcome.count == 3 && outcome[1] == .duplicate(1))
            guard case .appended(let position) = outcome[0],
                case .conflict(1, let kept) = outcome[2]
            else {
                Issue.record("\(outcome)")
                continue
            }
            let events = try await fresh.log.read(positions: [position, kept])
            #expect(events.contains { $0.id == "\(number)" })
            #expect(events.contains { $0.type == "ingest.conflicted" })
        }
        #expect(try await fresh.log.head().size == 62)
    }

    @Test("the order of a caller's events is kept, also in batches of more than one transaction")
    func order() async throws {
        let fresh = try await FreshLog.make()
        let appender = Appender(fresh.log)
        async let other = appender.append((0..<50).map { newEvent(id: "other \($0)") })
        let outcomes = try await appender.append((0..<9_000).map { newEvent(id: "\($0)") })
        _ = try await other
        let positions = outcomes.compactMap { outcome in
            if case .appended(let position) = outcome { position } else { nil }
        }
        #expect(positions.count == 9_000)
        #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 })
        #expect(try await appender.append([]) == [])
    }

    @Test(
        "more than may wait waits for room; more than may wait for that is refused",
        arguments: ["by calls", "by bytes"])
    func bounds(bound: String) async throws {
        let fresh = try await FreshLog.make()
        var limits = Appender.Limits()
        limits.eventsMax = 10
        if bound == "by calls" {
            limits.waitersMax = 20
        } else {
            limits.waitingBytesMax = 20 * (try PreparedEvent(newEvent(id: "10")).byteCount)
        }
        let appender = Appender(fresh.log, limits: limits)
        // Holds the head, so that nothing is written.
        let holder = try await fresh.connect()
        try await holder.perform { try $0.run("begin; select from log_head for update") }
        let results = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 10..<50 {
                group.addTask {
                    do {
                        _ = try await appender.append([newEvent(id: "\(number)")])
                        return true
                    } catch EventLogError.overloaded {
                        return false
                    }
                }
            }
            while await appender.statistics.refused < 10 { await Task.yield() }
            try await holder.perform { try $0.run("rollback") }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count { $0 } == 30)
        #expect(try await fresh.log.head().size == 30)
        await appender.drain()
        // One that is larger than all that may wait has its turn too.
        #expect(try await appender.append((0..<50).map { newEvent(id: "l\($0)") }).count == 50)
    }

    @Test("what is cancelled before it is written is not written, and nobody else waits for it")
    func cancelled() async throws {
        let fresh = try await FreshLog.make()
        var limits = Appender.Limits()
        limits.eventsMax = 2
        let appender = Appender(fresh.log, limits: limits)
        let holder = try await fresh.connect()
        try await holder.perform { try $0.run("begin; select from log_head for update") }
        let first = Task { try await appender.append([newEvent(id: "1")]) }
        while try await !isWaiting(fresh) { try await Task.sleep(for: .milliseconds(5)) }
        let second = Task { try await appender.append([newEvent(id: "2")]) }
        let third = Task { try await appender.append([newEvent(id: "3")]) }
        let fourth = Task { try await appender.append([newEvent(id: "4")]) }
        try await Task.sleep(for: .milliseconds(50))
        second.cancel()
        third.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        await #expect(throws: CancellationError.self) { try await third.value }
        try await holder.perform { try $0.run("rollback") }
        #expect(try await first.value == [.appended(1)])
        #expect(try await fourth.value == [.appended(2)])
        await #expect(throws: CancellationError.self) {
            try await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await appender.append([newEvent(id: "5")])
            }.value
        }
        #expect(try await fresh.log.read(after: 0, limit: 9).map(\.id) == ["1", "4"])
    }

    private func isWaiting(_ fresh: FreshLog) async throws -> Bool {
        let connection = try await fresh.connect()
        let waiting: Bool = try await connection.perform {
            try $0.scalar(
                """
                select exists (select from pg_stat_activity where datname = current_database()
                    and wait_event_type = 'Lock')
                """)
        }
        await connection.close()
        return waiting
    }

    @Test("an event that the log refuses is told to its caller alone")
    func invalid() async throws {
        let fresh = try await FreshLog.make()
        let appender = Appender(fresh.log)
        async let good = appender.append([newEvent(id: "1")])
        await #expect(throws: EventLogError.invalidEvent(index: 1, .badId)) {
            try await appender.append([newEvent(id: "2"), newEvent(id: "")])
        }
        #expect(try await good == [.appended(1)])
    }

    @Test("one that the database refuses does not take its group with it")
    func refused() async throws {
        let fresh = try await FreshLog.make()
        let superuser = try await fresh.connect()
        try await superuser.perform {
            try $0.run("alter table event_log add constraint no_bad check (id <> 'bad')")
        }
        let appender = Appender(fresh.log)
        let results = await withTaskGroup(of: (String, PostgreSQLError.Code?).self) { group in
            for id in ["bad", "1", "2", "3", "4"] {
                group.addTask {
                    (id, await codeThrown { _ = try await appender.append([newEvent(id: id)]) })
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(results == ["bad": .checkViolation])
        #expect(try await fresh.log.head().size == 4)
    }

    @Test("a command whose own rule fails does not take its group with it")
    func failingRule() async throws {
        struct OwnError: Error {}
        let fresh = try await FreshLog.make()
        _ = try await fresh.log.append([newEvent(id: "before")])
        let appender = Appender(fresh.log)
        let failing = ExpectedPosition(nothingNewSince: 0) { connection, after in
            throw OwnError()
        }
        let failed: [String] = await withTaskGroup(of: String?.self) { group in
            for id in ["bad", "1", "2", "3", "4"] {
                group.addTask {
                    do {
                        if id == "bad" {
                            _ = try await appender.append([newEvent(id: id)], expecting: failing)
                        } else {
                            _ = try await appender.append([newEvent(id: id)])
                        }
                        return nil
                    } catch {
                        return "\(id) \(error is OwnError)"
                    }
                }
            }
            return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
        }
        #expect(failed == ["bad true"])
        #expect(try await fresh.log.head().size == 5)
    }

    @Test("rows that a new partition takes over on their way are written by another try")
    func newPartition() async throws {
        let fresh = try await FreshLog.make()
        let superuser = try await fresh.connect()
        // A sequence does not go back with its transaction.
        try await superuser.perform {
            try $0.run(
                """
                create sequence tries;
                grant usage on sequence tries to public;
                create function late() returns trigger language plpgsql as $$
                begin
                    if nextval('tries') < 3 then
                        raise exception 'late' using errcode = 'check_violation';
                    end if;
                    return null;
                end $$;
                create trigger late before insert on event_log
                    for each statement execute function late()
                """)
        }
        #expect(try await Appender(fresh.log).append([newEvent(id: "1")]) == [.appended(1)])
        try await superuser.perform {
            try $0.run("alter sequence tries minvalue -9 restart with -9")
        }
        let code = await codeThrown { _ = try await fresh.log.append([newEvent(id: "2")]) }
        #expect(code == .checkViolation)
    }

    @Test("drain waits for what waits for room, too")
    func drained() async throws {
        let fresh = try await FreshLog.make()
        var limits = Appender.Limits()
        limits.eventsMax = 1
        limits.waitersMax = 4
        let appender = Appender(fresh.log, limits: limits)
        let holder = try await fresh.connect()
        try await holder.perform { try $0.run("begin; select from log_head for update") }
        let tasks = (1...6).map { number in
            Task { try? await appender.append([newEvent(id: "\(number)")]).count }
        }
        // One is refused once another is being written and four wait.
        while await appender.statistics.refused < 1 { await Task.yield() }
        try await holder.perform { try $0.run("rollback") }
        await appender.drain()
        #expect(try await fresh.log.head().size == 5)
        var written = 0
        for task in tasks { written += await task.value ?? 0 }
        #expect(written == 5)
    }

    @Test("two appenders of two processes share the log: no gaps, nothing twice")
    func several() async throws {
        let fresh = try await FreshLog.make()
        let other = try await EventLog.open(
            fresh.options, ledger: fresh.ledger, allowsUnsafeDurability: true)
        let appenders = [Appender(fresh.log), Appender(other)]
        let outcomes = try await withThrowingTaskGroup(of: [AppendOutcome].self) { group in
            for number in 0..<400 {
                group.addTask {
                    // Every event is sent by both.
                    try await appenders[number % 2].append([newEvent(id: "\(number / 2)")])
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let stored = outcomes.compactMap { outcome in
            if case .appended(let position) = outcome { position } else { nil }
        }
        #expect(stored.sorted() == (1...200).map { $0 })
        #expect(try await LogVerifier(of: fresh.log).verify().findings == [])
        await other.close()
    }

    @Test("a server that restarts, also in mid-append, costs time only", .timeLimit(.minutes(5)))
    func restart() async throws {
        let cluster = Cluster(isDurable: true)
        let fresh = try await FreshLog.make(on: cluster)
        var limits = Appender.Limits()
        // A loaded machine takes long to start a server.
        limits.patience = .seconds(120)
        let appender = Appender(fresh.log, limits: limits)
        let isDone = Atomic(false)
        let acknowledged = Task {
            var positions: [String: Int64] = [:]
            var number = 0
            while !isDone.load(ordering: .acquiring) || number.isMultiple(of: 2) {
                let id = "\(number)"
                for outcome in try await appender.append([newEvent(id: id)]) {
                    guard case .appended(let position) = outcome else {
                        Issue.record("\(id): \(outcome)")
                        continue
                    }
                    positions[id] = position
                }
                number += 1
            }
            return positions
        }
        for _ in 0..<3 {
            try await Task.sleep(for: .milliseconds(300))
            try await cluster.stopImmediately()
            try await cluster.start()
        }
        try await Task.sleep(for: .milliseconds(100))
        isDone.store(true, ordering: .releasing)
        let positions = try await acknowledged.value
        let events = try await fresh.log.read(after: 0, limit: 10_000)
        #expect(positions.count == events.count && !events.isEmpty)
        #expect(events.allSatisfy { positions[$0.id] == $0.position })
        #expect(try await LogVerifier(of: fresh.log).verify().findings == [])
        await fresh.log.close()
        try await cluster.remove()
    }
}
