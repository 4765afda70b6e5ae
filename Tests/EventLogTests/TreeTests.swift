import Cryptography
import PostgreSQL
import TestKit
import Testing

@testable import EventLog

@Suite("The tree over the log")
struct TreeTests {
    private func reference(_ fresh: FreshLog) async throws -> ReferenceTree {
        let connection = try await fresh.connect()
        return ReferenceTree(
            try await connection.perform { connection in
                try connection.query(sql("select leaf from event_log order by position")).map {
                    try $0.value(at: 0)
                }
            })
    }

    @Test("it grows with every append, whatever its size")
    func grows() async throws {
        let fresh = try await FreshLog.make()
        #expect(try await fresh.log.head().root == SHA256.hash([]))
        var random = Seeded(7)
        var count = 0
        while count < 1_100 {
            let added = Int.random(in: 1...300, using: &random)
            let events = (count..<count + added).map { newEvent(id: "\($0)") }
            _ = try await fresh.log.append(events + [newEvent(id: "0")])
            count += added
            let head = try await fresh.log.head()
            #expect(head.size == Int64(count) && head.treeSize == head.size)
            #expect(head.root == (try await reference(fresh)).root(size: count))
        }
        let migrator = SchemaMigrator(ledger: fresh.ledger)
        let connection = try await fresh.connect()
        #expect(try await connection.perform { try migrator.verify(on: $0) } == [])
    }

    @Test("proofs come from tiles and rows, for the whole and for older sizes")
    func proofs() async throws {
        let fresh = try await FreshLog.make()
        _ = try await fresh.log.append((1...1_300).map { newEvent(id: "\($0)") })
        let reference = try await reference(fresh)
        for (position, size) in [(1, 1_300), (1_300, 1_300), (256, 257), (700, 1_024), (1, 1)] {
            let proof = try await fresh.log.inclusionProof(
                of: Int64(position), size: Int64(size))
            #expect(proof.path == reference.path(position - 1, 0..<size))
            #expect(proof.leaf == reference.leaves[position - 1])
            #expect(proof.leads(to: reference.root(size: size)))
            #expect(try await fresh.log.root(size: Int64(size)) == reference.root(size: size))
        }
        for (from, size) in [(0, 1_300), (1, 1_300), (256, 1_300), (1_023, 1_290), (1_300, 1_300)] {
            let proof = try await fresh.log.consistencyProof(from: Int64(from), to: Int64(size))
            #expect(
                proof.leads(
                    from: reference.root(size: from), to: reference.root(size: size)))
        }
        for (position, size) in [(0, 5), (6, 5), (1, 1_301), (1, 0)] as [(Int64, Int64)] {
            await #expect(throws: EventLogError.outsideTree(size: 1_300)) {
                try await fresh.log.inclusionProof(of: position, size: size)
            }
        }
        await #expect(throws: EventLogError.outsideTree(size: 1_300)) {
            try await fresh.log.consistencyProof(from: 6, to: 5)
        }
    }

    @Test("tiles of the second level stand for 65,536 events")
    func secondLevel() async throws {
        let fresh = try await FreshLog.make()
        let connection = try await fresh.connect()
        let count = 65_536 + 300
        try await connection.perform { connection in
            try connection.transaction { connection in
                _ = try connection.query(
                    sql(
                        """
                        insert into event_log (position, received_at, recorded_at, event_key,
                            source, id, type, leaf, personal_digest, personal_salt, personal, body,
                            parts)
                        select p, now(), now(), substr(sha256(p::text::bytea), 1, 16), 's',
                            p::text, 't', sha256(p::text::bytea), sha256(''), sha256(''), '\\x01',
                            'null', '[]'
                        from generate_series(1, $1) as p
                        """), [.int64(Int64(count))])
                try growTree(on: connection)
            }
        }
        let leaves = (1...count).map { SHA256.hash(Array(String($0).utf8)) }
        var edge = MerkleEdge()
        for leaf in leaves { edge.append(leaf) }
        #expect(try await fresh.log.head().root == edge.root)
        let tiles: Int = try await connection.perform {
            try $0.scalar("select count(*) from log_tile where level = 1")
        }
        #expect(tiles == 1)
        for position in [1, 40_000, 65_536, 65_537, Int64(count)] {
            let proof = try await fresh.log.inclusionProof(of: position)
            #expect(proof.leads(to: edge.root))
        }
        let proof = try await fresh.log.consistencyProof(from: 65_000)
        #expect(proof.leads(from: try await fresh.log.root(size: 65_000), to: edge.root))
    }

    @Test("a log that was there before its tree gets it in bounded steps, and no row changes")
    func existing() async throws {
        let options = try await Cluster.shared.database()
        let ledger = try Ledger("before_the_tree")
        let connection = try await Connection.open(options)
        let older = SchemaMigrator(
            ledger: ledger, migrations: Migration.all.filter { $0.number != 3 })
        _ = try await older.up(on: connection)
        let count = 40_000
        let before: String = try await connection.perform { connection in
            try connection.run("set search_path = before_the_tree")
            _ = try connection.query(
                sql(
                    """
                    insert into event_log (position, received_at, recorded_at, event_key, source,
                        id, type, leaf, personal_digest, personal_salt, personal, body, parts)
                    select p, now(), now(), substr(sha256(p::text::bytea), 1, 16), 's', p::text,
                        't', sha256(p::text::bytea), sha256(''), sha256(''), '\\x01', 'null', '[]'
                    from generate_series(1, $1) as p
                    """), [.int64(Int64(count))])
            return try connection.scalar(Self.fingerprint)
        }
        let migrator = SchemaMigrator(ledger: ledger)
        #expect(try await migrator.up(on: connection) == ["0003-merkle-tree"])
        let findings = try await connection.perform { try migrator.verify(on: $0) }
        #expect(findings.contains { $0.finding.contains("schema up") })

        let log = try await EventLog.open(options, ledger: ledger, allowsUnsafeDurability: true)
        await #expect(
            throws: EventLogError.treeIncomplete(size: Int64(count), treeSize: 0)
        ) { try await log.append([newEvent(id: "x")]) }
        let builder = TreeBuilder(ledger: ledger)
        #expect(try await builder.run(on: connection) == Int64(count))
        #expect(try await builder.run(on: connection) == 0)
        #expect(try await log.append([newEvent(id: "x")]) == [.appended(Int64(count) + 1)])
        var edge = MerkleEdge()
        for number in 1...count { edge.append(SHA256.hash(Array(String(number).utf8))) }
        #expect(try await log.root(size: Int64(count)) == edge.root)
        let after: String = try await connection.perform { try $0.scalar(Self.fingerprint) }
        #expect(after == before)
        #expect(try await connection.perform { try migrator.verify(on: $0) } == [])
        await log.close()
    }

    private static let fingerprint = """
        select md5(string_agg(concat(ctid, xmin, e::text), '|' order by position))
        from event_log e where position <= 40000
        """
}
