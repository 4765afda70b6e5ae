import EventLog
import Glibc
import Intake
import JSON
import PostgreSQL
import Settlement
import Synchronization
import TestKit
import Testing

@Suite("An interrupted import", .fewAtOnce)
struct ResumeTests {
    private static let count = 3_000

    private func lines(_ count: Int = Self.count) -> [[UInt8]] {
        (0..<count).map { number in
            EventText(
                "order.cancelled", id: "\(number)",
                ["bundleId": TestApple.bundle, "orderNumber": "A-\(number)"]
            ).bytes
        }
    }

    /// One run over a file; it is interrupted as soon as it has noted how far it is, if so wanted.
    private func run(
        _ path: String, _ fresh: FreshLog, isInterrupted: Bool = false, options: [UInt8] = []
    ) async throws -> (counts: ImportCounts?, resumedAt: Int?) {
        let seen = Mutex<[ImportProgress]>([])
        let anchors = try World.anchors()
        let task = Task {
            let importer = try await Importer(
                log: fresh.log, settings: { Settings() },
                makeDoor: { World.door($0, anchors: anchors, bundles: []) }, options: options,
                report: { Issue.record("\($0)") }, markPause: .zero,
                progress: { progress in
                    let count = seen.withLock { seen in
                        seen.append(progress)
                        return seen.count
                    }
                    if isInterrupted, count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
                })
            return try await importer.bringIn(path: path)
        }
        let counts = try? await task.value
        return (counts, seen.withLock { $0.first?.resumedAt })
    }

    @Test("goes on where it was, and its counts are those of the whole file")
    func resumed() async throws {
        let fresh = try await FreshLog.make()
        let folder = try TemporaryFolder()
        let path = try folder.file("events", lines: lines())
        let first = try await run(path, fresh, isInterrupted: true)
        #expect(first.counts == nil && first.resumedAt == nil)
        let stored = try await fresh.log.head().size
        #expect((1..<Int64(Self.count)).contains(stored))

        let second = try await run(path, fresh)
        let line = try #require(second.resumedAt)
        #expect(line > 1 && line <= Int(stored) + 1)
        let counts = try #require(second.counts)
        #expect(counts.total == Self.count && counts.refused == 0)
        // What was appended after the last note is a duplicate.
        #expect(counts.duplicates <= Int(stored) - line + 1)
        let events = try await fresh.log.read(after: 0, limit: 10_000)
        #expect(events.map(\.id) == (0..<Self.count).map { "\($0)" })

        let third = try await run(path, fresh)
        #expect(third.resumedAt == nil)
        #expect(third.counts?.duplicates == Self.count)
    }

    @Test("is read from its beginning where the file was changed meanwhile")
    func changed() async throws {
        let fresh = try await FreshLog.make()
        let folder = try TemporaryFolder()
        let path = try folder.file("events", lines: lines())
        _ = try await run(path, fresh, isInterrupted: true)
        let stored = Int(try await fresh.log.head().size)
        _ = try folder.file("events", lines: lines(Self.count + 1))
        let second = try await run(path, fresh)
        #expect(second.resumedAt == nil)
        let counts = try #require(second.counts)
        #expect(counts.duplicates == stored && counts.total == Self.count + 1)
        #expect(try await fresh.log.head().size == Int64(Self.count) + 1)
    }

    @Test("is read from its beginning where the file was changed and its instant set back")
    func setBack() async throws {
        let fresh = try await FreshLog.make()
        let folder = try TemporaryFolder()
        let path = try folder.file("events", lines: lines())
        _ = try await run(path, fresh, isInterrupted: true)
        var status = stat()
        #expect(stat(path, &status) == 0)
        let file = open(path, O_WRONLY)
        // A blank at the end changes no event.
        #expect(pwrite(file, " ", 1, status.st_size - 1) == 1)
        #expect(futimens(file, [status.st_atim, status.st_mtim]) == 0)
        close(file)
        let second = try await run(path, fresh)
        #expect(second.resumedAt == nil)
        #expect(second.counts?.total == Self.count)
    }

    @Test("goes on where a connection is lost while it is noted how far it is")
    func unmarked() async throws {
        let fresh = try await FreshLog.make()
        let folder = try TemporaryFolder()
        let path = try folder.file("events", lines: lines())
        let superuser = try await fresh.connect()
        try await superuser.perform {
            try $0.run(
                """
                create function gone() returns trigger language plpgsql
                    as $$ begin raise exception 'gone' using errcode = '57P01'; end $$;
                create trigger gone before insert or delete on import_mark
                    for each statement execute function gone()
                """)
        }
        let only = try await run(path, fresh)
        #expect(only.counts?.appended == Self.count)
    }

    @Test("is read from its beginning where it is told to judge otherwise")
    func otherOptions() async throws {
        let fresh = try await FreshLog.make()
        let folder = try TemporaryFolder()
        let path = try folder.file("events", lines: lines())
        _ = try await run(path, fresh, isInterrupted: true, options: [1])
        let second = try await run(path, fresh, options: [2])
        #expect(second.resumedAt == nil)
        #expect(second.counts?.total == Self.count)
    }

    @Test("a file that is one array of very many events is taken in their order")
    func array() async throws {
        let bringing = try await Import()
        let texts = lines(9_000).map(\.text)
        let counts = try await bringing.take(Array("[\(texts.joined(separator: ","))]".utf8))
        #expect(counts.appended == 9_000)
        let events = try await bringing.fresh.log.read(after: 0, limit: 10_000)
        #expect(events.map(\.id) == (0..<9_000).map { "\($0)" })
    }

    @Test("what is read ahead is read again by the door of settings that change")
    func settings() async throws {
        let bringing = try await Import()
        var lines: [[UInt8]] = (0..<2_000).map { number in
            EventText(
                "storekit.purchasing", id: "\(number)", source: "device",
                [
                    "bundleId": TestApple.bundle, "productId": "p",
                    "applicationUsername": "anna",
                ]
            ).bytes
        }
        for (number, convention) in [(700, "account"), (701, "order"), (1_500, "account")] {
            lines.insert(
                EventText(
                    "settings.changed", id: "s\(number)", source: "operator",
                    ["bundleId": TestApple.bundle, "convention": convention]
                ).bytes, at: number)
        }
        let counts = try await bringing.take(lines: lines)
        #expect(counts.appended == lines.count)
        let events = try await bringing.fresh.log.read(after: 0, limit: 10_000)
        let isOrder = events.map { $0.keys.orderNumber != nil }
        let expected = lines.indices.map { $0 < 1_500 && $0 != 700 && $0 != 701 }
        #expect(isOrder == expected)
        #expect(events.map(\.position) == (1...Int64(lines.count)).map { $0 })
    }
}
