import JSON
import Testing

@testable import Settlement

@Suite("Stored facts and the index")
struct FactsTests {
    @Test("facts are read back as they were written")
    func roundTrip() throws {
        for seed in UInt64(0)..<40 {
            for (key, facts) in Shell(RandomHistory(seed: seed).history).facts {
                let bytes = facts.encoded()
                let read = try Facts(encoded: bytes)
                #expect(read == facts, "\(key)")
                #expect(read.encoded() == bytes, "\(key)")
                #expect(read.kind == key.kind)
            }
        }
    }

    @Test("facts of another version, cut short or with more behind are refused")
    func malformed() throws {
        var history = History()
        history.created("A1")
        let facts = try #require(Shell(history).facts[.order(History.bundle, "A1")])
        let bytes = facts.encoded()
        #expect(throws: FactsError.version(2)) { try Facts(encoded: [2] + bytes.dropFirst()) }
        #expect(throws: FactsError.malformed) { try Facts(encoded: bytes + [0]) }
        #expect(throws: FactsError.malformed) { try Facts(encoded: [1, 99]) }
        for length in 0..<bytes.count {
            #expect(throws: FactsError.self) { try Facts(encoded: Array(bytes.prefix(length))) }
        }
    }

    @Test("a broken count cannot ask for more than there is")
    func brokenCount() {
        #expect(throws: FactsError.malformed) {
            try Facts(encoded: [1, 8] + [UInt8](repeating: 0xFF, count: 9) + [1])
        }
    }

    @Test("numbers of every size are read back", arguments: [0, 1, -1, 63, 64, .max, .min])
    func integers(value: Int64) throws {
        var coder = FactsCoder()
        coder.writeInteger(value)
        var reader = FactsCoder(reading: coder.bytes)
        #expect(try reader.readInteger() == value)
        #expect(reader.isAtEnd)
    }

    @Test("a bounded set keeps the 64 least by digest and says that there were more")
    func boundedSet() {
        var set = BoundedSet<Earliest>()
        for index in (0..<64).reversed() { set.merge(BoundedSet("k\(100 + index)", Earliest())) }
        #expect(set.members.count == 64)
        #expect(!set.hasMore)
        set.merge(BoundedSet("k000", Earliest()))
        #expect(set.hasMore)
        #expect(set.members.keys.first == "k000")
        #expect(set.members.keys.last == "k162")
    }

    @Test("stamps are ordered by instant, then by the event's key")
    func stamps() {
        let key = { (last: UInt8) in [UInt8](repeating: 7, count: 15) + [last] }
        let early = Stamp(receivedAt: 1, key: key(9))
        let late = Stamp(receivedAt: 2, key: key(0))
        #expect(early < late)
        #expect(Stamp(receivedAt: 1, key: key(8)) < early)
        #expect(early.key == key(9))
        #expect(early.name == String(repeating: "07", count: 15) + "09")
    }

    // MARK: The index

    @Test("verified purchases and attempts are sighted; restores, shares and forgeries are not")
    func sightings() {
        var history = History()
        history.created("A1", at: 3)
        history.storeKit("purchasing", "A2", at: 4)
        history.notified(Signed("1001").with { $0.purchased = 2 }, at: 9)
        history.notified(Signed("1002").with { $0.ownership = "FAMILY_SHARED" }, at: 9)
        history.bought(
            nil,
            Signed("1003").with {
                $0.status = "refused"
                $0.refusal = "bad-signature"
            }, at: 9)
        history.notified(
            Signed("1004").with {
                $0.original = "1000"
                $0.type = "Non-Consumable"
            }, at: 9)
        history.storeKit("finished", "A3", "1001", at: 9)
        let seen = history.events.flatMap(Settlement.sightings(of:))
        #expect(seen.map(\.id) == ["A1", "A2", "1001"])
        #expect(seen.map(\.kind) == [.attempt, .attempt, .charge])
        #expect(seen.map(\.instant) == [3, 4, 2].map(History.instant))
    }

    @Test("an event can be found under every name it carries, but not under what it forges")
    func timeline() {
        var history = History()
        let signed = Signed("1001").with {
            $0.original = "1000"
            $0.token = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"
        }
        history.bought("A1", signed, at: 1)
        let keys = timelineKeys(of: history.events[0])
        #expect(keys.allSatisfy { $0.bundle == History.bundle })
        #expect(
            keys.map { "\($0.kind.rawValue) \($0.value)" } == [
                "account anna", "device phone", "order A1", "original-transaction 1000",
                "token 3f2504e0-4f89-41d3-9a0c-0305e82c3301", "transaction 1001",
            ])
        history.notified(
            signed.with {
                $0.status = "refused"
                $0.refusal = "bad-signature"
            }, at: 2)
        #expect(timelineKeys(of: history.events[1]) == [])
        history.claim("C1", at: 3, account: "anna", apple: "MM1")
        #expect(
            timelineKeys(of: history.events[2]).map(\.kind) == [.account, .appleOrderId, .claim])
    }
}
