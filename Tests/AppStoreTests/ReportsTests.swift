import AppStore
import AppStoreModel
import Cryptography
import JSON
import Simulator
import Testing

/// Public reports of people who read what Apple sends; each test names its report.
@Suite("Reports about reading, verifying and recognising")
struct ReportsTests {
    private func answer(_ text: String) throws -> VerifyReceiptAnswer {
        VerifyReceiptAnswer(try JSONValue(parsing: bytes(text)))
    }

    private func report(_ text: String) throws -> InspectionReport {
        inspect(bytes(text), reader: try World.reader())
    }

    private func explained(_ text: String) throws -> String {
        try report(text).explanation.joined(separator: " ")
    }

    @Test("react-native-iap#2752: a token in latest_receipt_info only is found")
    func tokenInLatestReceiptInfo() throws {
        let token = "5e09dcfc-205e-4ea1-9883-96676f394992"
        let answer = try answer(
            #"{"status":0,"receipt":{"in_app":[{"transaction_id":"7"}]},"#
                + #""latest_receipt_info":[{"app_account_token":"\#(token)"}]}"#
        )
        #expect(answer.receipt?.inApp.first?.appAccountToken == nil)
        #expect(answer.latestReceiptInfo.first?.appAccountToken == token)
    }

    @Test("readest PR#5994: a TEST without signedTransactionInfo is verified")
    func testNotification() throws {
        let body = World.signer.notificationBody(
            NotificationFields("TEST", notificationUUID: "u", signedDate: noon2026))
        let report = inspect(body, reader: try World.reader())
        #expect(report.isVerified && report.nested.isEmpty)
        #expect(
            report.explanation == ["Apple told the app's server: a test; it has no effect (TEST)."])
    }

    @Test("go-iap PR#274, java PR#77: a price beyond 32 bits is exact")
    func price() throws {
        let jws = World.signer.transaction(
            World.purchase {
                $0.price = 4_999_000_000
                $0.currency = "VND"
            })
        let report = inspect(jws, reader: try World.reader())
        #expect(report.payload?["price"]?.int64 == 4_999_000_000)
        #expect(report.explanation[0].hasSuffix(" for 4999000 VND."))
    }

    @Test("go-iap#153, #160: an id is the same as number and as string")
    func numericIds() throws {
        let lines = try [#"1000000123456789"#, #""1000000123456789""#].map { id in
            try answer(#"{"latest_receipt_info":[{"original_transaction_id":\#(id)}]}"#)
                .latestReceiptInfo[0].originalTransactionId
        }
        #expect(lines == ["1000000123456789", "1000000123456789"])
    }

    @Test("voltrue2/in-app-purchase#255: an original date after the purchase is accepted")
    func laterOriginalDate() throws {
        let fields = Receipts.fields {
            $0.purchases[0].originalPurchaseDate = $0.purchases[0].purchaseDate + 86_400_000
        }
        #expect(try Receipts.verdict(Receipts.signed(fields)) == "verified")
        let jws = World.signer.transaction(
            World.purchase { $0.originalPurchaseDate = $0.purchaseDate + 1 })
        #expect(try World.reader().read(jws: jws).verdict == "verified")
    }

    @Test("TPInAppReceipt#72, PR#60, purchases-ios#491: instants with an offset")
    func offsets() throws {
        let instant: Int64 = 1_595_439_195_000
        let fields = Receipts.fields {
            $0.creationDate = instant
            $0.instantText = { _ in "2020-07-22T18:33:15+0100" }
        }
        let part = try Receipts.reader().read(receipt: Receipts.signed(fields))
        #expect(part.verification.verifiedForMilliseconds == instant)
        let payload = ReceiptPayload(try #require(part.payload))
        #expect(payload.receiptCreationDate == instant)
        #expect(payload.inApp.first?.purchaseDate == instant)
    }

    @Test("RMStore#57: an instant in the words of a locale is no instant, and is kept")
    func localeInstants() throws {
        let fields = Receipts.fields {
            $0.extra = [(21, [0x16, 0x14] + bytes("2020-07-22T5:33:15PM"))]
        }
        let payload = try #require(Receipts.reader().read(receipt: Receipts.signed(fields)).payload)
        #expect(payload["expirationDate"] == nil)
        #expect(payload["otherAttributes"]?.array?.contains { $0["type"]?.int64 == 21 } == true)
    }

    @Test(
        "monza#41, voltrue2#231, #115, #38, node#10: no entry never means not paid",
        arguments: [
            #"{"status":0}"#, #"{"status":0,"latest_receipt_info":[]}"#,
            #"{"status":0,"latest_receipt_info":null,"receipt":{"in_app":[]}}"#,
            #"{"status":0,"latest_receipt_info":{},"receipt":[]}"#,
            #"{"status":0,"latest_receipt_info":"","receipt":7}"#,
        ])
    func emptyAnswers(text: String) throws {
        #expect(try answer(text).latestReceiptInfo.allSatisfy { $0.transactionId == nil })
        let words = try explained(text)
        #expect(!words.contains("not paid"))
        #expect(words.contains("a hint, and no proof"))
    }

    @Test(
        // And forum 717602.
        "SwiftyStoreKit#547, #655, go-iap#264, rmaddy#9, node-apple-receipt-verify#8: 21007",
        arguments: [#"{"status":21007}"#, #"{"status":"21007"}"#])
    func sandboxReceipt(text: String) throws {
        #expect(try answer(text).status == .isSandbox)
        #expect(try answer(text).status?.saysNothingOfReceipt == true)
        #expect(try explained(text).contains("It is not invalid: ask the sandbox"))
    }

    @Test("a status that Apple did not document is kept; internal ones can be asked again")
    func statuses() throws {
        #expect(try answer(#"{"status":21150}"#).status?.saysNothingOfReceipt == true)
        #expect(try answer(#"{"status":21003}"#).status?.saysNothingOfReceipt == false)
        #expect(try answer(#"{"status":21999}"#).status?.isKnown == false)
        #expect(try answer(#"{"status":21005,"is-retryable":"1"}"#).isRetryable == true)
    }

    @Test("java#101, swift#70: no network is asked, so none can speak of forgery")
    func reasons() {
        let forged = RefusalReason.allCases.filter(\.speaksOfForgery)
        #expect(
            Set(forged) == [
                .badSignature, .untrustedChain, .wrongCertificatePurpose, .badAlgorithm,
            ])
        for reason in RefusalReason.allCases {
            #expect(reason.meaning.contains("deliver nothing") == forged.contains(reason))
        }
    }

    @Test(
        "swift#71, #92: a summary names its app",
        arguments: [
            ("com.example.game", "verified"), ("com.example.other", "wrong-bundle"),
        ])
    func summary(bundle: String, verdict: String) throws {
        let summary = try JSONValue(
            parsing: bytes(
                #"{"bundleId":"com.example.game","environment":"Production","succeededCount":5}"#))
        let jws = World.signer.notification(
            NotificationFields(
                "RENEWAL_EXTENSION", subtype: "SUMMARY", notificationUUID: "u", signedDate: noon2026
            ) {
                $0.hasData = false
                $0.extra = [JSONMember("summary", summary)]
            })
        let reader = try World.reader(expectations: Expectations(bundles: [bundle]))
        #expect(reader.read(jws: jws).verdict == verdict)
    }

    @Test(
        "node#95, python#47, node#172: a tampered receipt is refused though it can be read"
    )
    func tamperedReceipt() throws {
        let part = try Receipts.reader().read(
            receipt: Receipts.signed { $0.flaw = .flippedSignature })
        #expect(part.verdict == "bad-signature")
        #expect(part.payload?["inApp"]?.array?.isEmpty == false)
    }

    @Test(
        "refund-swatter-lite#7, forums 761288, 762152, 703070, 766328: an error proves nothing",
        arguments: [
            4_000_047, 4_000_012, 4_040_010, 4_040_005, 4_290_000, 9_990_000,
        ])
    func errors(code: Int) throws {
        let text = #"{"errorCode":\#(code),"errorMessage":"x"}"#
        #expect(detect(bytes(text)) == .wrapper(.answer(.error)))
        let error = ErrorAnswer(try JSONValue(parsing: bytes(text)))
        #expect(error.errorCode?.rawValue == Int64(code))
        #expect(error.errorCode?.isRetryable == (code == 4_290_000))
        let words = try explained(text)
        #expect(words.contains("error \(code)") && !words.contains("invalid"))
        #expect(words.contains("Ask in the other one") || words.contains("nothing of the payment"))
    }

    @Test("forums 734644, 691286: an empty page is no proof of nothing")
    func emptyHistory() throws {
        let text = #"{"signedTransactions":[],"bundleId":"b","hasMore":true}"#
        let words = try explained(text)
        #expect(words.contains("does not mean that nothing was paid"))
        #expect(words.contains("There are further pages"))
    }

    @Test("tamtamchik/apple-iap-tools PR#23: certificates made for something else are refused")
    func purposes() throws {
        for flaw in [ChainFlaw.leafWithWrongMarker, .intermediateWithWrongMarker] {
            let chain = MintedChain(seed: 1, flaw: flaw)
            let reader = try World.reader(trusting: chain)
            #expect(
                reader.read(jws: World.signed(by: chain)).verdict == "wrong-certificate-purpose")
        }
    }

    @Test("tamtamchik/apple-iap-tools PR#14: a type nobody knows is verified and told as it is")
    func unknownType() throws {
        let body = World.signer.notificationBody(
            NotificationFields(
                "FOO_BAR", subtype: "BAZ", notificationUUID: "u", signedDate: noon2026))
        let report = inspect(body, reader: try World.reader())
        #expect(report.isVerified)
        #expect(report.explanation[0].contains("not known here (FOO_BAR)"))
    }

    @Test(
        "StackOverflow 22683018: the order id of Apple's e-mail is recognised, alone or in its text"
    )
    func orderId() throws {
        #expect(detect(bytes("MM9LDJZXXZ")) == .orderIdText("MM9LDJZXXZ"))
        #expect(detect(bytes("> Order ID:\n> MM9LDJZXXZ")) == .orderIdText("MM9LDJZXXZ"))
    }

    @Test("jjwt#784, swift PR#107: both letters of base64url occur in a JWS that is verified")
    func base64URL() throws {
        let reader = try World.reader()
        var seen: Set<Character> = []
        for number in 0..<64 {
            let jws = World.signer.transaction(
                World.purchase { $0.transactionId = "20000000000\(number)" })
            #expect(reader.read(jws: jws).verdict == "verified")
            seen.formUnion(String(decoding: jws, as: UTF8.self))
        }
        #expect(seen.contains("-") && seen.contains("_"))
    }

    @Test("TPInAppReceipt#86, #91: what is shared in a family was paid by somebody else")
    func familySharing() throws {
        let jws = World.signer.transaction(
            World.purchase { $0.inAppOwnershipType = "FAMILY_SHARED" })
        let report = inspect(jws, reader: try World.reader())
        #expect(report.explanation.contains("It is shared in a family: somebody else paid for it."))
    }
}
