import EventLog
import Intake
import JSON
import Simulator
import TestKit
import Testing

@Suite("What Apple signed", .fewAtOnce)
struct AppleDoorTests {
    private let uuid = "5E09DCFC-205E-4EA1-9883-96676F394992"

    private var notification: [UInt8] {
        TestApple.notification(uuid: uuid, transaction: TestApple.transaction("7"))
    }

    private func wrapped(
        _ jws: [UInt8], as type: String = "appstore.notification",
        in member: String = "signedPayload", receivedAt: Int64? = nil
    ) -> EventText {
        EventText(
            type, id: "my own", source: "platform", receivedAt: receivedAt, [member: jws.text])
    }

    @Test("a notification is known by its UUID, a JWS by its bytes, whoever brings them")
    func ids() throws {
        let door = try World.door()
        let jws = TestApple.transaction("7")
        for bytes in [
            TestApple.body(notification), wrapped(notification).bytes, notification,
        ] {
            let event = try door.accept(bytes)
            #expect(event.source == "apple" && event.type == "appstore.notification")
            #expect(event.id == "notification/\(uuid.lowercased())")
            #expect(event.keys.transactionId.text == "7")
            #expect(event.keys.bundleId.text == TestApple.bundle)
        }
        let bare = try door.accept(jws)
        #expect(bare.type == "appstore.transaction")
        #expect(bare.id.wholeMatch(of: /jws\/[0-9a-f]{64}/) != nil)
        #expect(bare.received == Array("\"".utf8) + jws + Array("\"".utf8))
        let other = try door.accept(
            wrapped(jws, as: "appstore.transaction", in: "signedTransaction").bytes)
        #expect(other.key == bare.key)
    }

    @Test("renewals and app transactions are wrapped as transactions are")
    func wrappers() throws {
        let renewal = TestApple.signer.renewal(
            .init(originalTransactionId: "7", productId: "p", signedDate: TestApple.noon))
        let event = try World.door().accept(
            wrapped(renewal, as: "appstore.renewal", in: "signedRenewalInfo").bytes)
        #expect(event.type == "appstore.renewal" && event.keys.originalTransactionId.text == "7")
        let app = TestApple.chain.sign(
            payload: Array(
                #"{"receiptType":"Production","bundleId":"b","receiptCreationDate":1773489600000}"#
                    .utf8))
        let appEvent = try World.door().accept(
            wrapped(app, as: "appstore.app-transaction", in: "signedAppTransactionInfo").bytes)
        #expect(appEvent.type == "appstore.app-transaction")
    }

    @Test("a wrapper that calls it something else, lacks it, or is of no known kind is refused")
    func wrongWrappers() throws {
        let door = try World.door()
        let jws = TestApple.transaction("7")
        #expect(
            try door.refusal(of: wrapped(jws, as: "appstore.renewal", in: "signedRenewalInfo"))
                .detail
                == "type says appstore.renewal, the signed payload is appstore.transaction")
        #expect(
            try door.refusal(of: wrapped(jws, as: "appstore.notification", in: "signedTransaction"))
                .detail
                == "data.signedPayload is missing")
        #expect(
            try door.refusal(of: wrapped(jws, as: "appstore.gift", in: "signedTransaction")).detail
                == "type appstore.gift is not one that can be imported")
        #expect(
            try door.refusal(of: Array(#"{"signedPayload":7}"#.utf8)).detail
                == "signedPayload is not a text")
    }

    @Test("receivedAt is the wrapper's recordedtime, else the door's")
    func receivedAt() throws {
        let door = try World.door()
        #expect(
            try door.accept(wrapped(notification, receivedAt: 5_000).bytes).receivedAt == 5_000)
        #expect(try door.accept(TestApple.body(notification)).receivedAt == World.receivedAt)
    }

    @Test("the same notification by any road is one event")
    func oneEvent() async throws {
        let bringing = try await Import()
        let spelled = TestApple.body(notification).text.replacing("{", with: #"{ "more": 1, "#)
        let first = try await bringing.take(TestApple.body(notification))
        #expect(first.appended == 1)
        for bytes in [
            TestApple.body(notification), wrapped(notification, receivedAt: 5).bytes,
            notification, Array(spelled.utf8),
        ] {
            let counts = try await bringing.take(bytes)
            #expect(counts.duplicates == 1 && !counts.hasProblems, "\(bytes.text.prefix(60))")
        }
        let jws = TestApple.transaction("8")
        _ = try await bringing.take(jws)
        let again = try await bringing.take(
            wrapped(jws, as: "appstore.transaction", in: "signedTransaction").bytes)
        #expect(again.duplicates == 1)
        #expect(try await bringing.events().count == 2)
    }

    @Test("another notification under the UUID of the first is a kept conflict")
    func conflict() async throws {
        let bringing = try await Import()
        _ = try await bringing.take(TestApple.body(notification))
        let other = TestApple.body(
            TestApple.notification(uuid: uuid, transaction: TestApple.transaction("8")))
        #expect(try await bringing.take(other).conflicts == 1)
        #expect(bringing.problemTexts == ["1: conflict 1 2"])
        let kept = try #require(try await bringing.events().last)
        #expect(kept.type == "ingest.conflicted")
        #expect(try await bringing.fresh.log.received(kept)?.text.contains(other.text) == true)
    }

    @Test("a broken copy that comes first does not keep the genuine one out")
    func brokenCopy() async throws {
        let bringing = try await Import()
        let changed = Array(notification.dropLast(2)) + Array("AA".utf8)
        let cut = Array(notification.dropLast(9))
        let counts = try await bringing.take(
            lines: [changed, cut, notification].map(TestApple.body))
        #expect(counts.refused == 2 && counts.appended == 1)
        #expect(
            bringing.problemTexts == [
                "1: bad-signature: the signed material is not to be believed",
                "2: malformed: the signed material is not to be believed",
            ])
        #expect(try await bringing.events().map(\.type) == ["appstore.notification"])
        #expect(Set(try await bringing.quarantined()) == Set([changed, cut].map(TestApple.body)))
    }
}
