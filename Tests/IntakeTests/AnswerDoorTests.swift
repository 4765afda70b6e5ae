import AppStore
import EventLog
import Intake
import JSON
import Settlement
import Simulator
import TestKit
import Testing

@Suite("What Apple's servers send unsigned, at the door")
struct AnswerDoorTests {
    private static let receipts = ReceiptSigner(seed: 2)

    /// A door that trusts the root of the tests' receipts, too.
    private func door(_ settings: Settings = Settings()) throws -> Door {
        World.door(
            settings, anchors: try World.anchors().adding(Self.receipts.rootDER), bundles: [])
    }

    private func parts(_ event: NewEvent) throws -> [JSONValue] {
        try #require(JSONValue(parsing: event.parts).array)
    }

    private let jws = TestApple.transaction("7").text

    private var receipt: [UInt8] {
        Self.receipts.receipt(
            ReceiptFields(bundleId: TestApple.bundle, creationDate: TestApple.noon) {
                $0.purchases = [
                    ReceiptPurchase(
                        transactionId: "7", productId: "gems.60", purchaseDate: TestApple.noon)
                ]
            })
    }

    @Test("a receipt by itself is one event, however it is spelled")
    func receiptByItself() throws {
        let door = try door()
        let event = try door.accept(receipt)
        #expect(event.source == "apple" && event.type == "appstore.receipt")
        #expect(event.id.wholeMatch(of: /receipt\/[0-9a-f]{64}/) != nil)
        #expect(event.received.text == "\"\(receipt.text)\"")
        #expect(event.evidence.map(\.bytes) == [receipt])
        #expect(event.keys.bundleId.text == TestApple.bundle)
        let part = try #require(try parts(event).first)
        #expect(part["kind"]?.string == "receipt")
        #expect(part.at("verification", "status")?.string == "verified")
        #expect(part.at("payload", "inApp")?.array?.first?["transactionId"]?.string == "7")
        let lines = receipt.text.enumerated().map { $0 % 64 == 63 ? "\($1)\r\n" : "\($1)" }.joined()
        for spelling in [lines, #"{"receipt-data":"\#(receipt.text)","password":"s3cret"}"#] {
            let other = try door.accept(Array(spelling.utf8))
            #expect(other.key == event.key && other.received == event.received)
        }
    }

    @Test("a wrapped receipt is the same event as a bare one")
    func wrappedReceipt() throws {
        let event = try door().accept(
            EventText("appstore.receipt", source: "platform", ["receipt": receipt.text]))
        #expect(event.key == (try door().accept(receipt)).key)
        #expect(event.type == "appstore.receipt")
    }

    @Test("a device's receipt is judged, and names what it proves")
    func deviceReceipt() throws {
        let event = try door().accept(
            EventText(
                "storekit.purchased", source: "device",
                ["bundleId": TestApple.bundle, "productId": "gems.60", "receipt": receipt.text]))
        let part = try #require(try parts(event).first)
        #expect(part["path"]?.string == "data.receipt" && part["kind"]?.string == "receipt")
        #expect(part.at("verification", "status")?.string == "verified")
        #expect(event.evidence.map(\.bytes) == [receipt])
    }

    @Test("a page of a history is an event whose signed parts are judged one by one")
    func history() throws {
        let text = #"{"hasMore":false,"signedTransactions":["\#(jws)","x"],"bundleId":"b"}"#
        guard case .event(let event, let refusals) = try door().read(Array(text.utf8)) else {
            Issue.record("refused")
            return
        }
        #expect(event.type == "appstore.answer" && event.source == "apple")
        #expect(event.id.wholeMatch(of: /answer\/[0-9a-f]{64}/) != nil)
        #expect(event.received.text == text)
        #expect(refusals.map(\.path) == ["signedTransactions[1]"])
        #expect(event.evidence.map { $0.bytes.text } == [jws, "x"])
        #expect(
            event.evidence.map { $0.range.map { Array(event.received[$0]).text } }
                == ["\"\(jws)\"", "\"x\""])
        let parts = try parts(event)
        #expect(parts.map { $0["kind"]?.string } == ["answer", "transaction", "unknown"])
        #expect(parts[0]["endpoint"]?.string == "transaction-history")
        #expect(parts[0].at("verification", "status")?.string == "unsigned")
        let signed = try #require(parts[0].at("payload", "signedTransactions")?.array)
        #expect(signed.allSatisfy { $0.isNull })
        #expect(parts[1]["in"]?.string == parts[0]["digest"]?.string)
        #expect(event.keys.transactionId.text == "7")
    }

    @Test("an answer with its question has the question's id, and the answer's parts")
    func answerWithQuestion() throws {
        let text = """
            {"specversion":"1.0","id":"0F3A","source":"platform","type":"appstore.answer","data":
            {"bundleId":"com.example.game","endpoint":"order-lookup","request":
            "/inApps/v1/lookup/MK5TTTVHXH","httpStatus":200,"answer":
            {"status":0,"signedTransactions":[ "\(jws)" ]}}}
            """
        let event = try door().accept(Array(text.utf8))
        #expect(event.source == "apple" && event.id == "answer/0F3A")
        #expect(event.received.text == text && event.personal.isEmpty)
        let range = try #require(event.evidence.first?.range)
        #expect(Array(event.received[range]).text == "\"\(jws)\"")
        let parts = try parts(event)
        #expect(
            parts.map { $0["path"]?.string } == [
                "data.answer", "data.answer.signedTransactions[0]",
            ])
        #expect(parts[0]["endpoint"]?.string == "order-lookup")
        let error = text.replacing(
            #"{"status":0,"signedTransactions":[ "\#(jws)" ]}"#, with: #"{"errorCode":4040010}"#)
        #expect(try self.parts(try door().accept(Array(error.utf8))).count == 1)
        let silent = text.replacing(
            #"{"status":0,"signedTransactions":[ "\#(jws)" ]}"#, with: "null")
        #expect(try door().accept(Array(silent.utf8)).parts.isEmpty)
        let broken = text.replacing(
            #"{"status":0,"signedTransactions":[ "\#(jws)" ]}"#, with: "7")
        #expect(
            try door().refusal(of: Array(broken.utf8)).detail == "data.answer is not an object")
        let nameless = text.replacing("endpoint", with: "endpint")
        #expect(
            try door().refusal(of: Array(nameless.utf8)).detail == "data.endpoint is missing")
    }

    @Test("a notification V1 is a hint, and its shared secret is nowhere in the event")
    func notificationV1() throws {
        let text = """
            {"notification_type":"DID_RENEW","password":"s3cret","bid":"\(TestApple.bundle)",
            "unified_receipt":{"latest_receipt":"\(receipt.text)","latest_receipt_info":
            {"transaction_id":"7","app_account_token":"t","unique_identifier":"u"}}}
            """
        let event = try door().accept(Array(text.utf8))
        #expect(event.type == "appstore.notification" && event.source == "apple")
        #expect(event.id.wholeMatch(of: /notification-v1\/[0-9a-f]{64}/) != nil)
        #expect(event.received.text == text.replacing("\"s3cret\"", with: "null"))
        #expect(!event.parts.text.contains("s3cret"))
        #expect(event.personalTexts == ["\"u\""], "a device is personal always")
        #expect(event.personalTextsInParts == ["\"u\""])
        let parts = try parts(event)
        #expect(parts[0]["kind"]?.string == "notification-v1")
        #expect(parts[0]["removed"]?.array?.map(\.string) == ["password"])
        #expect(parts[0].at("verification", "status")?.string == "unsigned")
        #expect(parts[1].at("verification", "status")?.string == "verified")
        let other = try door().accept(Array(text.replacing("s3cret", with: "another").utf8))
        #expect(other.key == event.key, "the id is that of the bytes without the secret")
    }

    @Test("an answer that somebody wraps loses the shared secret as well")
    func wrappedSecret() throws {
        let text = """
            {"specversion":"1.0","id":"1","source":"platform","type":"appstore.answer","data":
            {"bundleId":"com.example.game","endpoint":"verifyReceipt","request":"x","answer":
            {"notification_type":"CANCEL","password":"s3cret"}}}
            """
        let taken = try door().accept(Array(text.utf8))
        #expect(taken.received.text == text.replacing("\"s3cret\"", with: "null"))
        #expect(!taken.parts.text.contains("s3cret"))
        #expect(try parts(taken)[0]["removed"]?.array?.map(\.string) == ["password"])
    }

    @Test("a token that names an account is personal in answers, too")
    func tokens() throws {
        let text =
            #"{"status":0,"latest_receipt_info":[{"app_account_token":"t"}],"#
            + #""receipt":{"bundle_id":"\#(TestApple.bundle)"}}"#
        let plain = try door().accept(Array(text.utf8))
        #expect(plain.type == "appstore.answer" && plain.personal.isEmpty)
        let named = try door(World.settings(["tokensNameAccounts": true]))
            .accept(Array(text.utf8))
        #expect(named.personalTexts == ["\"t\""])
        #expect(named.personalTextsInParts == ["\"t\""])
    }

    @Test(
        "what is refused is kept without the shared secret",
        arguments: [
            #"{"notification_type":"CANCEL","password":"s3cret","x":}"#,
            #"{"receipt-data":"hello","password":"s3cret"}"#,
            #"{"receipt-data":"MIIWHQYJKoZIhvcNAQcCoIIW","password":"s3cret"}"#,
        ])
    func refusedSecret(text: String) throws {
        let refusal = try door().refusal(of: Array(text.utf8))
        #expect(!refusal.bytes.text.contains("s3cret") && !refusal.bytes.isEmpty)
    }

    @Test("refund-swatter-lite#7, forums 761288, 766328: an error of Apple's is stored")
    func errors() throws {
        for code in [4_000_047, 4_040_005, 4_000_012] {
            let event = try door().accept(Array(#"{"errorCode":\#(code)}"#.utf8))
            #expect(event.type == "appstore.answer" && event.evidence.isEmpty)
            #expect(try parts(event)[0].at("payload", "errorCode")?.int64 == Int64(code))
        }
    }

    @Test("the same receipt in a hundred events is stored once")
    func replays() async throws {
        let bringing = try await Import()
        let receipt = receipt
        let lines = (0..<100).map { number in
            EventText(
                "storekit.purchased", id: "\(number)", source: "device",
                ["bundleId": TestApple.bundle, "productId": "gems.60", "receipt": receipt.text]
            ).bytes
        }
        #expect(try await bringing.take(lines: lines).appended == 100)
        let digests = Set(try await bringing.events().flatMap(\.evidence))
        #expect(digests.count == 1)
        let digest = try #require(digests.first)
        #expect(try await bringing.fresh.log.evidence(digest) == receipt)
    }
}
