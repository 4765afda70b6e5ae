import Cryptography
import PostgreSQL
import TestKit
import Testing

@testable import EventLog

/// A log with some of everything, and somebody who owns the database and changes it.
struct TamperedLog {
    static let count: Int64 = 900
    /// So that the log has several pages.
    static let pageMax: Int64 = 256
    let fresh: FreshLog
    let checkpoint: Checkpoint
    let superuser: Connection

    static func make() async throws -> TamperedLog {
        let fresh = try await FreshLog.make()
        let events = (1...Int(count)).map { number in
            let data = #"{"account":"anna","n":\#(number)}"#
            let text = cloudEvent(id: "\(number)", data: data)
            var event = newEvent(id: "\(number)", received: text)
            let start = text.count - data.utf8.count - 1 + 11
            event.personal = [start..<start + 6]
            if number.isMultiple(of: 100) {
                event.evidence = [Evidence(bytes: Array("jws \(number)".utf8), range: nil)]
            }
            return event
        }
        _ = try await fresh.log.append(events)
        let checkpoint = Checkpoint(try await fresh.log.head())
        _ = try await fresh.log.append([newEvent(id: "later")])
        return TamperedLog(
            fresh: fresh, checkpoint: checkpoint, superuser: try await fresh.connect())
    }

    private static let asleep = ["event_log", "log_head", "log_tile", "evidence"]
        .map { "alter table \($0) disable trigger all" }.joined(separator: ";")
    private static let awake = [
        "event_log": ["advance", "update", "refuse"],
        "log_head": ["update", "refuse", "tree", "whole"],
        "log_tile": ["full", "refuse"], "evidence": ["update", "refuse", "whole"],
    ].flatMap { table, triggers in
        triggers.map { "alter table \(table) enable always trigger \(table)_\($0)" }
    }.joined(separator: ";")

    /// Runs SQL with every trigger asleep.
    func tamper(_ text: String) async throws {
        try await superuser.perform { connection in
            try connection.run(
                """
                begin;
                \(Self.asleep);
                alter table evidence drop constraint if exists evidence_check;
                \(text);
                \(Self.awake);
                commit
                """)
        }
    }

    /// Gives every row the leaf of what it now says, and the log a new tree.
    func rechain() async throws {
        let log = fresh.log
        var last: Int64 = 0
        try await superuser.perform { try $0.run(Self.asleep) }
        while case let events = try await log.read(after: last, limit: 1_000), let end = events.last
        {
            try await superuser.perform { connection in
                _ = try connection.query(
                    sql(
                        """
                        update event_log e set leaf = new.leaf
                        from unnest($1::bigint[], $2::bytea[]) as new (position, leaf)
                        where e.position = new.position
                        """),
                    [
                        .int64s(events.map(\.position)), .byteas(events.map { $0.computedLeaf() }),
                    ])
            }
            last = end.position
        }
        try await superuser.perform { try $0.run(Self.awake) }
        try await tamper(
            """
            truncate log_tile; update log_head set tree_size = 0, root = sha256(''), edge = '',
            size = (select max(position) from event_log),
            recorded_at = (select max(recorded_at) from event_log)
            """)
        try await superuser.perform { connection in
            try connection.transaction { try growTree(on: $0) }
        }
    }

    /// Gives the event at 700 the name of that at 100, and chains the log anew.
    func doubleEvent() async throws {
        try await tamper(
            """
            alter table event_log drop constraint event_log_event_key_key;
            update event_log e set source = o.source, id = o.id, event_key = o.event_key
            from event_log o where e.position = 700 and o.position = 100
            """)
        try await rechain()
    }

    func findings(against checkpoints: [Checkpoint] = [], withEvidence: Bool = false) async throws
        -> [LogFinding]
    {
        try await LogVerifier(of: fresh.log, parallelism: 3, pageMax: Self.pageMax).verify(
            against: checkpoints, withEvidence: withEvidence
        ).findings
    }

    func places(_ tampering: String) async throws -> [LogFinding.Kind: Int64?] {
        try await tamper(tampering)
        let pairs = try await findings(withEvidence: true).map { ($0.kind, $0.position) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}

@Suite("Tampering is found")
struct TamperTests {
    @Test("a log as it was written passes, against its checkpoints too")
    func genuine() async throws {
        let log = try await TamperedLog.make()
        let head = try await log.fresh.log.head()
        let older = try await log.fresh.log.root(size: 513)
        let checkpoints = [
            log.checkpoint, Checkpoint(head),
            try #require(Checkpoint("o\n513\n\(base64(older))\n")),
            try #require(Checkpoint("o\n0\n\(base64(SHA256.hash([])))\n")),
        ]
        let report = try await LogVerifier(of: log.fresh.log, parallelism: 3, pageMax: 256)
            .verify(against: checkpoints, withEvidence: true)
        #expect(report == VerificationReport(size: 901, root: head.root, findings: []))
    }

    private func base64(_ bytes: [UInt8]) -> String {
        String(decoding: Base64.encode(bytes), as: UTF8.self)
    }

    @Test("an empty log passes")
    func empty() async throws {
        let fresh = try await FreshLog.make()
        let report = try await LogVerifier(of: fresh.log).verify(
            against: [Checkpoint(try await fresh.log.head())], withEvidence: true)
        #expect(report == VerificationReport(size: 0, root: SHA256.hash([]), findings: []))
    }

    @Test("the first event, one in the middle and the last deleted", arguments: [1, 500, 901])
    func deleted(position: Int64) async throws {
        let log = try await TamperedLog.make()
        let found = try await log.places("delete from event_log where position = \(position)")
        #expect(found[.missing] == position)
        #expect(found.keys.contains(.root))
        if position == 500 { #expect(found[.tile] == position) }
        if position == 901 { #expect(found[.head] == position) }
    }

    @Test("many deleted are counted, from the first")
    func manyDeleted() async throws {
        let log = try await TamperedLog.make()
        try await log.tamper("delete from event_log where position between 300 and 800")
        let missing = try await log.findings().first { $0.kind == .missing }
        #expect(missing == LogFinding(kind: .missing, position: 300, count: 501))
    }

    @Test("the tail deleted, and head and tree set back so that all agrees: by a checkpoint")
    func tailSetBack() async throws {
        let log = try await TamperedLog.make()
        try await log.tamper("delete from event_log where position > 700")
        try await log.rechain()
        #expect(try await log.findings() == [])
        let found = try await log.findings(against: [log.checkpoint])
        #expect(found == [LogFinding(kind: .checkpoint, position: nil, count: 1)])
    }

    @Test("two rows that changed places")
    func swapped() async throws {
        let log = try await TamperedLog.make()
        let found = try await log.places(
            """
            update event_log set position = 10000 + position where position in (700, 800);
            update event_log set position = 11500 - position where position > 10000
            """)
        #expect(found[.leaf] == 700 && found[.tile] == 700)
        #expect(found.keys.contains(.root))
    }

    @Test("all rewritten and chained anew: by a checkpoint that was published")
    func rewritten() async throws {
        let log = try await TamperedLog.make()
        try await log.tamper("update event_log set body = '{}' where position = 234")
        #expect(try await log.findings().contains { $0.kind == .leaf && $0.position == 234 })
        try await log.rechain()
        #expect(try await log.findings(withEvidence: true) == [])
        let found = try await log.findings(against: [log.checkpoint])
        #expect(found == [LogFinding(kind: .checkpoint, position: nil, count: 1)])
        let old = log.checkpoint
        let proof = try await log.fresh.log.consistencyProof(from: old.size)
        #expect(!proof.leads(from: old.root, to: try await log.fresh.log.head().root))
    }

    @Test(
        "every column that the leaf covers",
        arguments: [
            "source = source || 'x'", "id = id || 'x'", "type = 'x'", "subject = ''",
            "time = now()", "received_at = received_at + interval '1 ms'", "actor = 'x'",
            "order_number = ''", "transaction_id = ''", "original_transaction_id = ''",
            "bundle_id = ''", "environment = ''", "evidence = '{}', evidence_places = '{}'",
            "evidence_places = '{4}'", "body = body || ' '", "parts = parts || ' '",
            "personal_digest = sha256('x')", "recorded_at = recorded_at + interval '1 ms'",
            "event_key = substr(sha256('x'), 1, 16)", "leaf = sha256('x')",
        ])
    func column(change: String) async throws {
        let fresh = try await FreshLog.make()
        let log = TamperedLog(
            fresh: fresh, checkpoint: Checkpoint(try await fresh.log.head()),
            superuser: try await fresh.connect())
        _ = try await fresh.log.append(
            (1...9).map { number in
                var event = newEvent(id: "\(number)")
                event.evidence = [Evidence(bytes: [UInt8(number)], range: nil)]
                return event
            })
        let found = try await log.places("update event_log set \(change) where position = 5")
        #expect(found[.leaf] == 5)
    }

    @Test("an event that stands twice, in a log that was chained anew")
    func doubled() async throws {
        let log = try await TamperedLog.make()
        try await log.doubleEvent()
        #expect(try await log.findings() == [])
        let found = try await log.findings(withEvidence: true)
        #expect(found == [LogFinding(kind: .repeated, position: 700, count: 1)])
    }

    @Test("two rows at one position, and one below the first")
    func misplaced() async throws {
        let twice = try await TamperedLog.make().places(
            """
            alter table event_log drop constraint event_log_pkey;
            update event_log set position = 500 where position = 501
            """)
        #expect(twice[.position] == 500 && twice[.missing] == 501)
        let below = try await TamperedLog.make().places(
            """
            alter table event_log drop constraint event_log_position_check;
            update event_log set position = -3 where position = 900
            """)
        #expect(below.keys.contains(.position))
        #expect(below[.missing] == 900)
    }

    @Test("leaf and row rewritten together, but not the tree")
    func withLeaf() async throws {
        let log = try await TamperedLog.make()
        try await log.tamper("update event_log set body = '{}' where position in (77, 890)")
        for event in try await log.fresh.log.read(positions: [77, 890]) {
            let leaf = Hexadecimal.encode(event.computedLeaf())
            try await log.tamper(
                "update event_log set leaf = '\\x\(leaf)' where position = \(event.position)")
        }
        let found = try await log.places("select 1")
        #expect(found[.leaf] == nil && found[.tile] == 77)
        #expect(found.keys.contains(.root))
    }

    @Test("personal values changed, or taken away without an event that tells of it")
    func personal() async throws {
        let log = try await TamperedLog.make()
        let found = try await log.places(
            """
            update event_log set personal = personal || '\\x00' where position = 3;
            update event_log set personal_salt = sha256('x') where position = 4;
            update event_log set personal = null, personal_salt = null where position in (6, 7)
            """)
        #expect(found == [.personal: 3, .emptied: 6])
        _ = try await log.fresh.log.append([
            newEvent(id: "e", type: "subject.erased", data: #"{"positions":[6],"evidence":[]}"#)
        ])
        let again = try await log.findings().first { $0.kind == .emptied }
        #expect(again == LogFinding(kind: .emptied, position: 7, count: 1))
    }

    @Test("evidence changed, deleted, or taken away without an event that tells of it")
    func evidence() async throws {
        let log = try await TamperedLog.make()
        let digest = Hexadecimal.encode(SHA256.hash(Array("jws 300".utf8)))
        let found = try await log.places(
            """
            update evidence set bytes = 'x', size = 1 where digest = sha256('jws 100');
            delete from evidence where digest = sha256('jws 200');
            update evidence set bytes = null where digest in (sha256('jws 300'), sha256('jws 400'))
            """)
        #expect(found == [.evidence: nil, .evidenceMissing: 200, .evidenceEmptied: nil])
        _ = try await log.fresh.log.append([
            newEvent(id: "e", type: "subject.erased", data: #"{"evidence":["\#(digest)"]}"#)
        ])
        let again = try await log.findings(withEvidence: true).first {
            $0.kind == .evidenceEmptied
        }
        #expect(again?.count == 1)
        #expect(try await log.findings() == [])
    }

    @Test("instants that go back")
    func order() async throws {
        let log = try await TamperedLog.make()
        let found = try await log.places(
            """
            update event_log set recorded_at = 'epoch' where position = 300;
            update event_log set recorded_at = 'epoch' where position = 513
            """)
        #expect(found[.order] == 300)
        #expect(try await log.findings().first { $0.kind == .order }?.count == 2)
    }

    @Test("a tile changed, a tile gone, one too many, another root and another edge")
    func tree() async throws {
        let changed = try await TamperedLog.make().places(
            """
            update log_tile set hashes = overlay(hashes placing '\\x00' from 33 for 1)
            where number = 1
            """)
        #expect(changed == [.tile: 258])
        let root = try await TamperedLog.make().places(
            "update log_tile set root = sha256('x') where number = 1")
        #expect(root == [.tile: 257])
        let gone = try await TamperedLog.make().places("delete from log_tile where number = 2")
        #expect(gone == [.tile: 513, .tileCount: nil])
        let extra = try await TamperedLog.make().places(
            "insert into log_tile select 1, 0, root, hashes from log_tile where number = 0")
        #expect(extra == [.tileCount: nil])
        let head = try await TamperedLog.make().places("update log_head set root = sha256('x')")
        #expect(head == [.root: nil])
        let edge = try await TamperedLog.make().places(
            "update log_head set edge = overlay(edge placing '\\x00' from 1 for 1)")
        #expect(edge == [.root: nil])
        let size = try await TamperedLog.make().places("update log_head set size = size + 1")
        #expect(size == [.missing: 902, .head: 902])
        let instant = try await TamperedLog.make().places("update log_head set recorded_at = now()")
        #expect(instant == [.head: 902])
    }

    @Test("a tile of the second level", .enabled(if: Effort.isFull))
    func secondLevel() async throws {
        let fresh = try await FreshLog.make()
        _ = try await fresh.log.append((1...65_600).map { newEvent(id: "\($0)", data: "1") })
        let log = TamperedLog(
            fresh: fresh, checkpoint: Checkpoint(try await fresh.log.head()),
            superuser: try await fresh.connect())
        #expect(try await log.findings(against: [log.checkpoint]) == [])
        let found = try await log.places(
            """
            update log_tile set hashes = overlay(hashes placing '\\x0000' from 321 for 2)
            where level = 1
            """)
        #expect(found == [.tile: 10 * 256 + 1])
    }
}
