import Cryptography
import EventLog
import PostgreSQL
import TestKit
import Testing

@Suite("Forgetting")
struct ErasureTests {
    private let account = #""anna-4711""#

    private func event(_ id: String = "1", number: Int = 1) throws -> NewEvent {
        let text = cloudEvent(
            id: id, data: #"{"account":\#(account),"n":\#(number),"jws":"x.y.z"}"#)
        var event = newEvent(id: id, received: text)
        event.personal = [try range(of: account, in: text)]
        event.evidence = [
            Evidence(bytes: Array("x.y.z".utf8), range: try range(of: #""x.y.z""#, in: text))
        ]
        event.parts = Array("[{\"account\":\(account)}]".utf8)
        event.personalInParts = [try range(of: account, in: event.parts)]
        return event
    }

    private func erase(_ fresh: FreshLog, evidence: Bool = false) async throws {
        let eraser = try await fresh.connect(as: fresh.ledger.eraserRole)
        try await eraser.perform { connection in
            try connection.run(
                "update event_log set personal = null, personal_salt = null where position = 1")
            if evidence { try connection.run("update evidence set bytes = null") }
        }
        await eraser.close()
    }

    @Test("the eraser empties personal values and evidence; the leaf still holds")
    func erasing() async throws {
        let fresh = try await FreshLog.make()
        _ = try await fresh.log.append([event()])
        let before = try #require(try await fresh.log.read(positions: [1]).first)
        #expect(!before.isErased)
        try await erase(fresh, evidence: true)
        let after = try #require(try await fresh.log.read(positions: [1]).first)
        #expect(after.isErased)
        #expect(after.leaf == before.leaf && after.computedLeaf() == before.leaf)
        #expect(after.personalValuesAreGenuine() == nil)
        #expect(try await fresh.log.received(after) == nil)
        #expect(try after.readableBody() == after.body)
        #expect(try await fresh.log.evidence(after.evidence[0]) == nil)
        let connection = try await fresh.connect()
        let dump: String = try await connection.perform {
            try $0.scalar(
                "select string_agg(encode(e::text::bytea, 'escape'), '') from event_log e")
        }
        #expect(!dump.contains(Hexadecimal.encode(Array("anna-4711".utf8))))
        // To erase twice is to erase once.
        try await erase(fresh, evidence: true)
    }

    @Test(
        "the eraser can do nothing else",
        arguments: [
            "update event_log set personal = null",
            "update event_log set personal_salt = null",
            "update event_log set personal = '\\x01', personal_salt = null",
            "update event_log set personal = null, personal_salt = null, body = 'null'",
            "update event_log set personal = null, personal_salt = null, leaf = sha256('')",
            "update evidence set bytes = 'x'", "update evidence set bytes = null, size = 0",
        ])
    func nothingElse(change: String) async throws {
        let fresh = try await FreshLog.make()
        _ = try await fresh.log.append([event()])
        let eraser = try await fresh.connect(as: fresh.ledger.eraserRole)
        let code = await codeThrown { try await eraser.perform { try $0.run(change) } }
        #expect(code == restricted || code == .insufficientPrivilege)
        // With the table's owner behind it, the trigger alone must refuse.
        let superuser = try await fresh.connect()
        let ledger = fresh.ledger
        let withRights = await codeThrown {
            try await superuser.perform { connection in
                try connection.run("grant update on event_log, evidence to \(ledger.eraserRole)")
                try connection.run("set role \(ledger.eraserRole)")
                try connection.run(change)
            }
        }
        #expect(withRights == restricted)
    }

    @Test("who is only a member of the eraser's role does not erase by accident")
    func member() async throws {
        let fresh = try await FreshLog.make()
        _ = try await fresh.log.append([event()])
        let superuser = try await fresh.connect()
        let code = await codeThrown {
            try await superuser.perform {
                try $0.run("update event_log set personal = null, personal_salt = null")
            }
        }
        #expect(code == restricted)
    }

    @Test("after an erasure the same event is still a duplicate, and nothing is stored again")
    func duplicate() async throws {
        let fresh = try await FreshLog.make()
        _ = try await fresh.log.append([event()])
        try await erase(fresh, evidence: true)
        #expect(try await fresh.log.append([event()]) == [.duplicate(1)])
        let stored = try #require(try await fresh.log.read(positions: [1]).first)
        #expect(stored.isErased)
        #expect(try await fresh.log.evidence(stored.evidence[0]) == nil)
    }

    @Test("a conflict with an erased event is kept without the personal values")
    func conflict() async throws {
        let fresh = try await FreshLog.make()
        _ = try await fresh.log.append([event()])
        try await erase(fresh)
        let other = try event(number: 2)
        #expect(try await fresh.log.append([other]) == [.conflict(first: 1, kept: 2)])
        #expect(try await fresh.log.append([other]) == [.conflict(first: 1, kept: 2)])
        let kept = try #require(try await fresh.log.read(positions: [2]).first)
        let text = try #require(try await fresh.log.received(kept))
        #expect(!String(decoding: text, as: UTF8.self).contains("anna"))
        #expect(
            String(decoding: text, as: UTF8.self).contains(#""account":null,"n":2,"jws":"x.y.z""#))
        #expect(try !String(decoding: kept.readableParts(), as: UTF8.self).contains("anna"))
    }
}
