internal import Cryptography
internal import PostgreSQL

/// Checks the log against itself, and against checkpoints that were published: leaves, positions,
/// instants, personal values, tiles, root and head are computed anew from the rows.
///
/// It reads pages of some thousand positions on several connections, a row at a time, and takes
/// their leaves into the tree one page after the other. What is appended meanwhile is left aside.
public struct LogVerifier: Sendable {
    /// How many positions one page has: whole tiles.
    private static let pageMax: Int64 = 16 * 256

    private let log: EventLog
    private let parallelism: Int
    private let pageMax: Int64
    private let progress: @Sendable (Int64, Int64) -> Void

    /// - Parameters:
    ///   - log: the log to check.
    ///   - parallelism: how many pages are read at the same time; at most one a connection.
    ///   - progress: told of how many of how many events are checked.
    public init(
        of log: EventLog, parallelism: Int = 2,
        progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
    ) {
        self.init(of: log, parallelism: parallelism, pageMax: Self.pageMax, progress: progress)
    }

    /// - Parameter pageMax: a multiple of 256.
    init(
        of log: EventLog, parallelism: Int, pageMax: Int64,
        progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
    ) {
        precondition((1...64).contains(parallelism), "parallelism out of range")
        precondition(pageMax.isMultiple(of: TreeWriter.Tile.width), "no whole tiles")
        self.log = log
        self.parallelism = parallelism
        self.pageMax = pageMax
        self.progress = progress
    }

    /// Checks the whole log.
    /// - Parameters:
    ///   - checkpoints: what was published of it.
    ///   - withEvidence: also the bytes of all evidence, and that no key of an event stands twice
    ///     or is one too many.
    /// - Returns: how many events were checked, and what is wrong.
    /// - Throws: `PostgreSQLError`, `EventLogError`.
    public func verify(against checkpoints: [Checkpoint] = [], withEvidence: Bool = false)
        async throws -> VerificationReport
    {
        let ends = try await log.pool.withConnection { try LogEnds.read(on: $0) }
        var erasures = Erasures()
        var tree = TreeCheck(ends, checkpoints: checkpoints)
        try await checkPages(upTo: ends.rows) { page in
            var findings = page.findings
            if !erasures.positions.isSuperset(of: page.emptied) {
                try await erasures.readOn(from: log)
            }
            for position in page.emptied where !erasures.positions.contains(position) {
                findings.add(.emptied, at: position)
            }
            let tiles = tree.take(page, findings)
            for tile in tiles { try await compare(tile, into: &tree) }
            progress(tree.edge.size, ends.rows)
        }
        tree.finish()
        if ends.isPartitioned { tree.findings.merge(try await checkKeys(upTo: ends.rows)) }
        if withEvidence {
            tree.findings.merge(try await checkEvidence(upTo: ends.rows, &erasures))
            tree.findings.merge(
                try await found(.repeated, by: .logRepeatedKeys, [.int64(ends.rows)]))
        }
        if withEvidence, ends.isPartitioned {
            tree.findings.merge(
                try await found(.keyTableSurplus, by: .logSurplusKeys, [.int64(ends.rows)]))
        }
        return VerificationReport(
            size: ends.rows, root: tree.edge.root, findings: tree.findings.list)
    }

    // MARK: Pages

    /// Checks the pages with bounded look-ahead, and hands them over in their order.
    private func checkPages(
        upTo size: Int64, _ take: (PageCheck) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: PageCheck.self) { group in
            var waiting: [Int64: PageCheck] = [:]
            var started: Int64 = 0
            for after in stride(from: 0, to: size, by: Int(pageMax)) {
                while started < min(size, after + Int64(parallelism) * pageMax) {
                    let page = PageCheck.Page(
                        after: started, upTo: min(started + pageMax, size))
                    group.addTask {
                        try await log.pool.withConnection { try PageCheck.run(page, on: $0) }
                    }
                    started = page.upTo
                }
                while waiting[after] == nil, let check = try await group.next() {
                    waiting[check.page.after] = check
                }
                guard let check = waiting.removeValue(forKey: after) else { return }
                try await take(check)
            }
        }
    }

    // MARK: Tiles above the leaves

    private func compare(_ tile: TreeCheck.FullTile, into tree: inout TreeCheck) async throws {
        let difference = try await log.pool.withConnection { connection in
            var stored = TileRows()
            try stored.read(
                level: tile.level, numbers: tile.number..<tile.number + 1, on: connection)
            return stored.difference(at: tile.number, hashes: tile.hashes[...], root: tile.root)
        }
        guard let difference else { return }
        let width = Int64(8 * tile.level)
        let first = (tile.number * TreeWriter.Tile.width + Int64(difference)) << width
        tree.findings.add(.tile, at: first + 1)
    }

    // MARK: Keys and evidence

    /// The keys of a log that is not partitioned stand in its rows, where the leaves cover them.
    private func checkKeys(upTo size: Int64) async throws -> LogFindings {
        try await count(.keyTable, upTo: size, by: .logMissingKeys)
    }

    /// What a statement finds page by page: its first position, and how many there are.
    private func count(_ kind: LogFinding.Kind, upTo size: Int64, by statement: Statement)
        async throws -> LogFindings
    {
        var findings = LogFindings()
        for after in stride(from: 0, to: size, by: Int(pageMax)) {
            findings.merge(
                try await found(
                    kind, by: statement, [.int64(after), .int64(min(after + pageMax, size))]))
        }
        return findings
    }

    /// What a statement finds at once: its first position, and how many there are.
    private func found(_ kind: LogFinding.Kind, by statement: Statement, _ parameters: [Parameter])
        async throws -> LogFindings
    {
        let row =
            try await log.pool.withConnection { connection in
                try connection.query(statement, parameters).first.map {
                    (try $0.value(at: 0, as: Int64?.self), try $0.value(at: 1))
                }
            } as (Int64?, Int64)?
        var findings = LogFindings()
        if let (position, count) = row, count > 0 {
            findings.add(kind, at: position, count: count)
        }
        return findings
    }

    private func checkEvidence(upTo size: Int64, _ erasures: inout Erasures) async throws
        -> LogFindings
    {
        var findings = try await count(.evidenceMissing, upTo: size, by: .logMissingEvidence)
        let bytes = try await log.pool.withConnection { try Self.checkBytes(on: $0) }
        findings.merge(bytes.findings)
        if !bytes.emptied.isEmpty { try await erasures.readOn(from: log) }
        let silent = bytes.emptied.count { !erasures.digests.contains($0) }
        if silent > 0 { findings.add(.evidenceEmptied, at: nil, count: Int64(silent)) }
        return findings
    }

    /// - Returns: what was changed, and the digests of bytes that are gone.
    private static func checkBytes(on connection: isolated Connection) throws
        -> (findings: LogFindings, emptied: [[UInt8]])
    {
        var findings = LogFindings()
        var emptied: [[UInt8]] = []
        try connection.copyOut(.logCopyEvidence) { row in
            let digest: [UInt8] = try row.value(at: 0)
            let size: Int64 = try row.value(at: 1)
            let isGenuine: Bool? = try row.withBytes(at: 2) { bytes in
                bytes.map { bytes in
                    var hash = SHA256()
                    hash.update(bytes)
                    return bytes.count == size && hash.digest() == digest
                }
            }
            if isGenuine == false { findings.add(.evidence, at: nil) }
            if isGenuine == nil { emptied.append(digest) }
        }
        return (findings, emptied)
    }
}

/// What a verification found.
public struct VerificationReport: Sendable, Equatable {
    /// How many events were checked.
    public let size: Int64
    /// The root over what the rows say.
    public let root: [UInt8]
    /// Empty if all is well.
    public let findings: [LogFinding]
}
