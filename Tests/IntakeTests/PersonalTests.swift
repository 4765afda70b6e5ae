import EventLog
import Intake
import JSON
import Settlement
import Simulator
import TestKit
import Testing

@Suite("The door marks what can be forgotten")
struct PersonalTests {
    private let token = "6f9619ff-8b86-d011-b42d-00c04fc964ff"

    @Test("account, device id and every member that the catalogue does not list")
    func device() throws {
        var text = EventText(
            "storekit.purchased",
            [
                "bundleId": TestApple.bundle, "environment": "Production", "account": "anna",
                "deviceId": "D-1", "installation": "I-1", "sequence": 4, "productId": "gems.60",
                "applicationUsername": "A-1", "transactionId": "7", "quantity": 1,
                "transactionDate": 5, "errorDomain": "E", "errorCode": 2, "appVersion": "3",
                "osVersion": "18", "nickname": "Änne", "ip": JSONValue(.array(["1.2.3.4".json])),
            ])
        text.attributes = [
            JSONMember("clientip", "1.2.3.4".json), JSONMember("dataschema", "urn:x".json),
            JSONMember("flag", JSONValue(.null)),
        ]
        let event = try World.door().accept(text)
        #expect(
            event.personalTexts == [
                #""1.2.3.4""#, #""anna""#, #""D-1""#, #""Änne""#, #"["1.2.3.4"]"#,
            ])
    }

    @Test(
        "free text",
        arguments: [
            ("order.cancelled", "reason"), ("delivery.failed", "reason"),
            ("claim.opened", "statement"),
            ("claim.noted", "note"), ("payment.linked", "reason"), ("goodwill.granted", "reason"),
        ])
    func freeText(type: String, member: String) throws {
        let text = EventText(
            type,
            [
                "bundleId": "b", "orderNumber": "A-1", "transactionId": "7", "claimId": "C",
                "deliveryId": "d", "productId": "p", member: "Anna, Main St",
            ])
        #expect(try World.door().accept(text).personalTexts.contains(#""Anna, Main St""#))
    }

    @Test("of a type that nobody knows all but bundle and environment")
    func unknownType() throws {
        let text = EventText(
            "platform.of-tomorrow",
            ["bundleId": "b", "environment": "Sandbox", "orderNumber": "A-1", "x": 1])
        let event = try World.door().accept(text)
        #expect(event.personalTexts == [#""A-1""#, "1"])
        #expect(event.keys.orderNumber == nil, "a key would stay when the value is forgotten")
        let list = #"{"specversion":"1.0","id":"1","source":"s","type":"t","data":["anna"]}"#
        #expect(try World.door().accept(Array(list.utf8)).personalTexts == [#"["anna"]"#])
    }

    @Test(
        "applicationUsername where it names an account",
        arguments: [
            "storekit.purchased", "storekit.finished", "claim.opened",
        ])
    func username(type: String) throws {
        let text = EventText(
            type,
            [
                "bundleId": TestApple.bundle, "productId": "p", "transactionId": "7",
                "claimId": "C", "applicationUsername": "anna",
            ])
        let inOrders = try World.door().accept(text)
        #expect(!inOrders.personalTexts.contains(#""anna""#))
        #expect(inOrders.keys.orderNumber.text == "anna")
        let settings = World.settings(["convention": "account"])
        let inAccounts = try World.door(settings).accept(text)
        #expect(inAccounts.personalTexts.contains(#""anna""#))
        #expect(inAccounts.keys.orderNumber == nil)
        let elsewhere = try World.door(settings).accept(text.with("bundleId", "com.example.other"))
        #expect(!elsewhere.personalTexts.contains(#""anna""#))
    }

    @Test(
        "tokens where they name accounts",
        arguments: [
            ("convention", "account" as any JSONText), ("tokensNameAccounts", true),
        ])
    func tokens(setting: String, value: any JSONText) throws {
        let text = EventText(
            "order.created",
            [
                "bundleId": TestApple.bundle, "orderNumber": "A-1", "productId": "p",
                "appAccountToken": token,
            ])
        #expect(try World.door().accept(text).personalTexts.isEmpty)
        let settings = World.settings([setting: value])
        #expect(try World.door(settings).accept(text).personalTexts == [#""\#(token)""#])
    }

    @Test("tokens in signed payloads, a renewal's too, which names no bundle")
    func signedTokens() throws {
        let transaction = TestApple.transaction("7") { $0.appAccountToken = token }
        let body = TestApple.body(
            TestApple.signer.notification(
                .init(
                    "DID_RENEW", notificationUUID: "u", signedDate: TestApple.noon,
                    signedTransactionInfo: transaction
                ) {
                    $0.signedRenewalInfo = TestApple.signer.renewal(
                        .init(
                            originalTransactionId: "7", productId: "p", signedDate: TestApple.noon
                        ) { $0.appAccountToken = token })
                }))
        #expect(try World.door().accept(body).personalTextsInParts.isEmpty)
        let settings = World.settings(["convention": "account"])
        let event = try World.door(settings).accept(body)
        #expect(event.personalTextsInParts == [#""\#(token)""#, #""\#(token)""#])
        let bare = try World.door(settings).accept(transaction)
        #expect(bare.personalTextsInParts == [#""\#(token)""#])
    }

    @Test("what a wrapper adds to Apple's material")
    func wrapper() throws {
        var text = EventText(
            "appstore.transaction", source: "platform",
            [
                "bundleId": TestApple.bundle, "account": "anna",
                "signedTransaction": TestApple.transaction("7").text, "note": "from anna",
            ])
        text.attributes = [JSONMember("clientip", "1.2.3.4".json)]
        let event = try World.door().accept(text)
        #expect(event.personalTexts == [#""1.2.3.4""#, #""anna""#, #""from anna""#])
    }
}
