import AppStore
import EventLog
import Intake
import JSON
import PostgreSQL
import Settlement
import Synchronization
import TestKit

/// Files brought into a log of their own.
final class Import: Sendable {
    let fresh: FreshLog
    private let bundles: Set<String>
    private let anchors: TrustAnchors
    private let folder: TemporaryFolder
    private let seen = Mutex<[ImportProblem]>([])

    /// - Parameter bundles: the bundles whose signed material is accepted; empty for all.
    init(bundles: Set<String> = []) async throws {
        fresh = try await FreshLog.make()
        folder = try TemporaryFolder()
        self.bundles = bundles
        anchors = try World.anchors()
    }

    /// What was not simply appended, so far.
    var problems: [ImportProblem] { seen.withLock { $0 } }

    /// The same, a line each.
    var problemTexts: [String] {
        problems.map { problem in
            let text =
                switch problem.kind {
                case .refused(let reason, let detail): "\(reason): \(detail)"
                case .conflict(let first, let kept): "conflict \(first) \(kept)"
                case .partRefused(let path, let reason, let position):
                    "part \(path) \(reason.rawValue) \(position)"
                }
            return "\(problem.place.line): \(text)"
        }
    }

    /// Brings in one file, as a run of its own.
    func take(_ bytes: [UInt8]) async throws -> ImportCounts {
        let path = try folder.file("in", bytes)
        let importer = try await Importer(
            log: fresh.log, settings: { try await self.settings() },
            makeDoor: { [bundles, anchors] in World.door($0, anchors: anchors, bundles: bundles) },
            report: { problem in self.seen.withLock { $0.append(problem) } })
        return try await importer.bringIn(path: path)
    }

    func take(lines: [[UInt8]]) async throws -> ImportCounts {
        try await take(lines.flatMap { $0 + [UInt8(ascii: "\n")] })
    }

    /// The events of the log, without what it says of refusals.
    func events() async throws -> [RecordedEvent] {
        try await fresh.log.read(after: 0, limit: 1_000).filter { $0.source != "refused" }
    }

    /// The bytes of everything in the quarantine.
    func quarantined() async throws -> [[UInt8]] {
        let quarantine = Quarantine(of: fresh.log)
        var found: [[UInt8]] = []
        for item in try await quarantine.items() {
            if let bytes = try await quarantine.bytes(item.digest) { found.append(bytes) }
        }
        return found
    }

    private func settings() async throws -> Settings {
        var settings = Settings()
        for event in try await fresh.log.read(types: Settings.eventTypes, after: 0, limit: 100) {
            let body = try JSONValue(parsing: try event.readableBody())
            settings.apply(
                SettlementEvent(
                    key: event.eventKey.bytes, source: event.source, type: event.type,
                    receivedAt: event.receivedAt, data: body["data"] ?? JSONValue(.null), parts: [])
            )
        }
        return settings
    }
}
