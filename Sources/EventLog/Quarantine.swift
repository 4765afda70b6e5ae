internal import Cryptography
internal import PostgreSQL

/// What was refused: kept beside the log, bounded, deletable.
public struct Quarantine: Sendable {
    /// The log of its ledger.
    public let log: EventLog
    let limits: QuarantineLimits

    /// How many expired pieces are deleted at once.
    static let pruneMax: Int64 = 1_000
    /// How much of a refusal's detail is kept, in bytes.
    private static let detailBytesMax = 1_024
    /// How many refusals one transaction takes.
    private static let refusalsMax = 1_000

    /// The quarantine of a log's ledger.
    public init(of log: EventLog, limits: QuarantineLimits = QuarantineLimits()) {
        self.log = log
        self.limits = limits
    }

    // MARK: Refusing

    /// Keeps the bytes as far as the bounds allow, and tells the log of the first of each digest as
    /// often as the door may; everything is counted.
    /// - Returns: what became of each, in their order.
    public func refuse(_ refusals: [Refusal]) async throws -> [RefusalOutcome] {
        var outcomes: [RefusalOutcome] = []
        var index = 0
        while index < refusals.count {
            let group = Array(refusals[index..<min(index + Self.refusalsMax, refusals.count)])
            outcomes += try await StalledAppends(log.pool.options).watch {
                try await log.pool.withConnection { connection in
                    try connection.transaction { try refuse(group, on: $0) }
                }
            }
            index += group.count
        }
        return outcomes
    }

    private func refuse(_ refusals: [Refusal], on connection: isolated Connection) throws
        -> [RefusalOutcome]
    {
        let digests = refusals.map { SHA256.hash($0.bytes) }
        // Doors in one order, and the log's head after them: no two refusals wait for each other.
        var doors = try lockDoors(Set(refusals.map(\.door)), on: connection)
        let bytes = try zip(refusals, digests).map { refusal, digest in
            try keep(refusal, digest: digest, doors: &doors, on: connection)
        }
        let logged = try record(refusals, digests: digests, doors: &doors, on: connection)
        let outcomes = digests.indices.map {
            RefusalOutcome(digest: digests[$0], bytes: bytes[$0], log: logged[$0])
        }
        try count(refusals, outcomes, on: connection)
        return outcomes
    }

    /// What a door may still do.
    private struct Door {
        var bytesLeft: Int64
        var recordsLeft: Int
        var recorded: Int32 = 0
    }

    private func lockDoors(_ names: Set<String>, on connection: isolated Connection) throws
        -> [String: Door]
    {
        var doors: [String: Door] = [:]
        for name in names.sorted() {
            guard let row = try connection.query(.quarantineDoor, [.text(name)]).first else {
                continue
            }
            let bytes: Int64 = try row.value("bytes")
            let recorded: Int = try row.value("logged_in_minute")
            doors[name] = Door(
                bytesLeft: limits.doorBytesMax - bytes,
                recordsLeft: limits.recordedPerMinuteMax - recorded)
        }
        return doors
    }

    private func keep(
        _ refusal: Refusal, digest: [UInt8], doors: inout [String: Door],
        on connection: isolated Connection
    ) throws -> RefusalOutcome.Bytes {
        guard refusal.bytes.count <= limits.itemBytesMax else { return .tooLarge }
        let cost = Int64(refusal.bytes.count) + 512
        if cost > doors[refusal.door]?.bytesLeft ?? 0 {
            try makeRoom(refusal.door, doors: &doors, on: connection)
        }
        guard cost <= doors[refusal.door]?.bytesLeft ?? 0 else {
            let isThere = try !connection.query(.quarantineExists, [.bytea(digest)]).isEmpty
            return isThere ? .keptBefore : .doorIsFull
        }
        let added = try connection.query(
            .quarantineKeep,
            [
                .bytea(digest), .text(refusal.door), .text(refusal.reason),
                .text(refusal.detail.map { Self.oneLine($0) }),
                .timestamp(milliseconds: refusal.receivedAt), .bytea(refusal.bytes),
            ]
        ).affectedCount
        guard added == 1 else { return .keptBefore }
        doors[refusal.door]?.bytesLeft -= cost
        return .kept
    }

    private func makeRoom(
        _ name: String, doors: inout [String: Door], on connection: isolated Connection
    ) throws {
        let deleted = try connection.query(
            .quarantinePrune,
            [.text(name), .int32(Int32(limits.daysMax)), .int64(Self.pruneMax)]
        ).affectedCount
        if deleted == 0 { return }
        let door = try lockDoors([name], on: connection)[name]
        doors[name]?.bytesLeft = door?.bytesLeft ?? 0
    }

    /// PostgreSQL's text holds no U+0000, and a list shows one line a piece.
    private static func oneLine(_ text: String) -> String {
        let bytes = text.utf8.prefix(detailBytesMax).map { $0 < 0x20 ? UInt8(ascii: " ") : $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Telling the log

    private func record(
        _ refusals: [Refusal], digests: [[UInt8]], doors: inout [String: Door],
        on connection: isolated Connection
    ) throws -> [RefusalOutcome.Log] {
        let keys = digests.map(RefusedEvent.key(digest:))
        var positions = try EventLog.positions(eventKeys: keys, on: connection)
        let before = Set(positions.keys)
        let chosen = choose(refusals, keys: keys, known: before, doors: doors)
        if !chosen.isEmpty {
            // Somebody else may have told of the same bytes, at another door, until the head is
            // ours.
            _ = try log.lockHead(on: connection)
            let late = try EventLog.positions(eventKeys: chosen.map { keys[$0] }, on: connection)
            positions.merge(late) { first, _ in first }
            let new = chosen.filter { positions[keys[$0]] == nil }
            let events = new.map { RefusedEvent.make(refusals[$0], digest: digests[$0]) }
            for (index, outcome) in zip(new, try log.append(events, on: connection)) {
                guard case .appended(let position) = outcome else { continue }
                positions[keys[index]] = position
                doors[refusals[index].door]?.recorded += 1
            }
            return try answers(
                keys, positions: positions, new: Set(new), doors: doors, on: connection)
        }
        return try answers(keys, positions: positions, new: [], doors: doors, on: connection)
    }

    /// The first of each digest that the log does not know, as far as its door may still tell.
    private func choose(
        _ refusals: [Refusal], keys: [EventKey], known: Set<EventKey>, doors: [String: Door]
    ) -> [Int] {
        var seen = known
        var left = doors.mapValues(\.recordsLeft)
        return refusals.indices.filter { index in
            let door = refusals[index].door
            guard left[door, default: 0] > 0, seen.insert(keys[index]).inserted else {
                return false
            }
            left[door, default: 0] -= 1
            return true
        }
    }

    private func answers(
        _ keys: [EventKey], positions: [EventKey: Int64], new: Set<Int>, doors: [String: Door],
        on connection: isolated Connection
    ) throws -> [RefusalOutcome.Log] {
        for (name, door) in doors.sorted(by: { $0.key < $1.key }) where door.recorded > 0 {
            _ = try connection.query(
                .quarantineDoorLogged, [.text(name), .int32(door.recorded)])
        }
        return keys.indices.map { index in
            guard let position = positions[keys[index]] else { return .counted }
            return new.contains(index) ? .recorded(position) : .recordedBefore(position)
        }
    }

    private func count(
        _ refusals: [Refusal], _ outcomes: [RefusalOutcome], on connection: isolated Connection
    ) throws {
        struct Name: Hashable { let door, reason: String }
        let groups = Dictionary(grouping: refusals.indices) {
            Name(door: refusals[$0].door, reason: refusals[$0].reason)
        }
        let ordered = groups.sorted {
            ($0.key.door, $0.key.reason) < ($1.key.door, $1.key.reason)
        }
        for (name, indices) in ordered {
            let recorded = indices.count { index in
                if case .recorded = outcomes[index].log { true } else { false }
            }
            let kept = indices.count { outcomes[$0].bytes == .kept }
            _ = try connection.query(
                .quarantineCount,
                [
                    .text(name.door), .text(name.reason), .int64(Int64(indices.count)),
                    .int64(Int64(recorded)), .int64(Int64(kept)),
                ])
        }
    }
}
