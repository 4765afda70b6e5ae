import AppStore
import AppStoreModel
import Cryptography
import JSON
import Simulator
import Testing

@Suite("What Apple's servers send unsigned")
struct WrapperTests {
    private let transaction = String(decoding: World.signed(), as: UTF8.self)
    private let receipt = String(decoding: Receipts.signed(), as: UTF8.self)

    /// A reader that trusts both roots.
    private func reader() throws -> EvidenceReader {
        let anchors = try World.anchors().adding(Receipts.signer.rootDER)
        return EvidenceReader(anchors: anchors, now: { noon2026 })
    }

    private func report(_ text: String) throws -> InspectionReport {
        inspect(bytes(text), reader: try reader())
    }

    private var notification: String {
        String(
            decoding: World.signer.notification(
                NotificationFields(
                    "REFUND", notificationUUID: "u", signedDate: noon2026 - 1000,
                    signedTransactionInfo: bytes(transaction))), as: UTF8.self)
    }

    @Test("an answer is unsigned, and each signed part inside is judged by itself")
    func history() throws {
        let bad = String(transaction.dropLast(4)) + "AAAA"
        let text = """
            {"revision":"r","bundleId":"com.example.game","environment":"Production","hasMore":true,
            "signedTransactions":["\(transaction)","\(bad)","x"]}
            """
        let report = try report(text)
        #expect(report.kind == "answer" && report.note == "answer to transaction-history")
        #expect(report.verification.status == .unsigned && report.exitCode == 4)
        #expect(
            report.nested.map(\.path) == [
                "signedTransactions[0]", "signedTransactions[1]", "signedTransactions[2]",
            ])
        #expect(
            report.nested.map { $0.verification.reason?.rawValue ?? "verified" } == [
                "verified", "bad-signature", "malformed",
            ])
        #expect(report.text.contains("signedTransactions[0]  (signed itself: see below)"))
    }

    @Test(
        "every answer is told by its members",
        arguments: [
            (
                #"{"signedTransactions":[],"hasMore":false,"revision":""}"#,
                AnswerEndpoint.refundHistory
            ),
            (#"{"signedTransactions":[],"bundleId":"b"}"#, .transactionHistory),
            (#"{"signedTransactions":[],"status":1}"#, .orderLookup),
            (#"{"signedTransactionInfo":"x"}"#, .transactionInfo),
            (#"{"signedTransactionInfo":"x","signedRenewalInfo":"y"}"#, .transactionInfo),
            (#"{"signedAppTransactionInfo":"x"}"#, .appTransactionInfo),
            (#"{"data":[{"lastTransactions":[]}]}"#, .subscriptionStatuses),
            (#"{"notificationHistory":[],"hasMore":false}"#, .notificationHistory),
            (#"{"signedPayload":"x","sendAttempts":[]}"#, .testNotificationStatus),
            (#"{"errorCode":4040010,"errorMessage":"Transaction id not found."}"#, .error),
            (
                #"{"method":"GET","path":"/inApps/v1/lookup/M","status":200,"#
                    + #""body":{"status":1,"signedTransactions":[]}}"#, .orderLookup
            ),
        ])
    func endpoints(text: String, endpoint: AnswerEndpoint) throws {
        #expect(detect(bytes(text)) == .wrapper(.answer(endpoint)))
        #expect(try report(text).note == "answer to \(endpoint.rawValue)")
    }

    @Test("an exchange keeps the path that was asked")
    func exchange() throws {
        let text = """
            {"method":"GET","path":"/inApps/v1/lookup/MK5TTTVHXH","status":200,
            "body":{"status":0,"signedTransactions":["\(transaction)"]}}
            """
        let found = recognise(bytes(text))
        let part = try reader().read(
            wrapper: try #require(found.json), bytes: found.content, kind: .answer(.orderLookup))
        #expect(part.request == "/inApps/v1/lookup/MK5TTTVHXH")
        #expect(part.nested.map(\.path) == ["body.signedTransactions[0]"])
        #expect(part.nested.map(\.verdict) == ["verified"])
    }

    @Test("signed parts are found at any depth, with what stands in them")
    func depth() throws {
        let statuses = """
            {"data":[{"subscriptionGroupIdentifier":"1","lastTransactions":[{"status":1,
            "originalTransactionId":"7","signedTransactionInfo":"\(transaction)"}]}]}
            """
        let group = try report(statuses).nested
        #expect(group.map(\.path) == ["data[0].lastTransactions[0].signedTransactionInfo"])
        let history = """
            {"notificationHistory":[{"sendAttempts":[],"signedPayload":"\(notification)"}]}
            """
        let sent = try #require(try report(history).nested.first)
        #expect(sent.path == "notificationHistory[0].signedPayload" && sent.kind == "notification")
        #expect(
            sent.nested.map(\.path)
                == ["notificationHistory[0].signedPayload.data.signedTransactionInfo"])
        #expect(sent.isVerified)
    }

    @Test("a place leads to the text of a part, quotation marks included")
    func places() throws {
        let text = bytes(#"{"signedTransactions": [ "\#(transaction)" ]}"#)
        let json = try JSONValue(parsing: text)
        let part = try reader().read(wrapper: json, bytes: text, kind: .answer(.refundHistory))
        let place = try #require(part.nested.first?.place)
        #expect(Array(text[place]) == bytes("\"\(transaction)\""))
    }

    @Test("the receipt in an answer of verifyReceipt and in a notification V1 is judged")
    func receipts() throws {
        let answer = try report(#"{"status":0,"latest_receipt":"\#(receipt)"}"#)
        #expect(answer.kind == "verify-receipt-answer")
        #expect(answer.nested.map(\.path) == ["latest_receipt"])
        #expect(answer.nested.map(\.isVerified) == [true])
        let v1 = try report(
            #"{"notification_type":"DID_RENEW","unified_receipt":{"latest_receipt":"\#(receipt)"}}"#
        )
        #expect(v1.kind == "notification-v1" && v1.verification.status == .unsigned)
        #expect(v1.nested.map(\.path) == ["unified_receipt.latest_receipt"])
        #expect(v1.nested.map(\.isVerified) == [true])
    }

    @Test(
        "the app's shared secret is gone before anything is told, broken or not",
        arguments: [
            #"{"notification_type":"CANCEL","password":"s3cret"}"#,
            #"{ "password" : "s3cret\"s3cret" , "notification_type":"CANCEL"}"#,
            #"{"status":0,"receipt":{"password":"s3cret"},"password":"s3cret"}"#,
            #"{"notification_type":"CANCEL","password":"s3cret"#,
            #"{"notification_type":"CANCEL","password":"s3cret","x":}"#,
            #""{\"notification_type\":\"CANCEL\",\"password\":\"s3cret\"}""#,
        ])
    func sharedSecret(text: String) throws {
        let found = recognise(bytes(text))
        #expect(found.lostSharedSecret)
        #expect(!String(decoding: found.content, as: UTF8.self).contains("s3cret"))
        let report = try report(text)
        #expect(!String(decoding: report.json(explained: true), as: UTF8.self).contains("s3cret"))
        #expect(!report.text(explained: true).contains("s3cret"))
        #expect(report.note?.contains("shared secret") == true)
    }

    @Test("a notification V1 without a secret is left as it is")
    func withoutSecret() {
        let text = bytes(#"{"notification_type":"CANCEL","password":null,"note":"\"password\":1"}"#)
        let found = recognise(text)
        #expect(!found.lostSharedSecret && found.content == text)
    }
}
